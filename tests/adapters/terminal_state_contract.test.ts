import { createTerminalStates } from "../../adapters/terminal_state/mod.ts";
import { terminalStateContract } from "../contracts/terminal_state.ts";

terminalStateContract("headless xterm", createTerminalStates);
