import { testPtyContract } from "../contracts/pty.ts";
import { unixHarness } from "./pty_harness.ts";

if (Deno.build.os !== "windows") testPtyContract("of this machine", unixHarness);
