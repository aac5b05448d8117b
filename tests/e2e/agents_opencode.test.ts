/** opencode as an employee: the real program, in a real terminal, under the real server. */
import { testWork } from "./employee.ts";

testWork({
  cli: "opencode",
  // Outside of the project's folder.
  askedStep: 'tool read {"filePath":"/etc/passwd"}',
  dialog: /△ Permission required/,
  allow: "\r",
  limit: { step: "limit rpm:3600", resetSeconds: 3_600 },
  // By itself it ends a call after 60 in which it hears nothing; IdeA allows more, and tells of progress.
  longCallSeconds: 65,
});
