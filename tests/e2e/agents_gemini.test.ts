/** Gemini CLI as an employee: the real program, in a real terminal, under the real server. */
import { testResume, testWork } from "./employee.ts";

testWork({
  cli: "gemini",
  askedStep: 'tool run_shell_command {"command":"touch made_by_gemini"}',
  dialog: /● 1\. Allow once/,
  allow: "\r",
  // With a key it names no end; one that has an end it waits for in silence.
  limit: { step: "limit day", resetSeconds: undefined },
  // By itself it ends a call after ten minutes, which is more than a test may take.
  longCallSeconds: 5,
});

testResume("gemini");
