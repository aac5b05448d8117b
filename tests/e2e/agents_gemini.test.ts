/** Gemini CLI as an employee: the real program, in a real terminal, under the real server. */
import { testEmployee } from "./employee.ts";

testEmployee({
  cli: "gemini",
  askedStep: 'tool run_shell_command {"command":"touch made_by_gemini"}',
  dialog: /● 1\. Allow once/,
  allow: "\r",
  // By itself it ends a call after ten minutes, which is more than a test may take.
  longCallSeconds: 5,
});
