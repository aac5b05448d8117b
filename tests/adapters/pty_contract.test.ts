import { unixPlatform } from "../../adapters/pty/unix/platform.ts";
import { createUnixPty } from "../../adapters/pty/unix/pty.ts";
import { testPtyContract } from "../contracts/pty.ts";
import { unixHarness } from "./pty_harness.ts";

if (Deno.build.os !== "windows") testPtyContract("of this machine", unixHarness);

// macOS starts programs behind a shell that takes the terminal; the same way works here.
const linux = Deno.build.os === "linux" ? unixPlatform("linux", Deno.build.arch) : undefined;
if (linux !== undefined) {
  testPtyContract("through a shell", {
    ...unixHarness,
    create: () => createUnixPty({ ...linux, controllingTerminal: "shell" }),
  });
}
