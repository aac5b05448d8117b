/** The fake keeps the port's contract, so that what is built on it holds on the real one. */
import { terminalStateContract } from "../contracts/terminal_state.ts";
import { createFakeStates } from "./terminal_state.ts";

terminalStateContract("fake", createFakeStates);
