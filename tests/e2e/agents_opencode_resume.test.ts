/** Apart from its other tests: it starts slowly, four times here, and a file of tests may take a few minutes only. */
import { testResume } from "./employee.ts";

testResume("opencode");
