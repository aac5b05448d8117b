import assert from "node:assert/strict";
import { countJunit, formatCounts, NOTHING, slowTests, sum } from "./counts.ts";

const REPORT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="deno test" tests="4" failures="2" errors="0" time="0.382">
    <testsuite name="./a.test.ts" tests="4" disabled="1" errors="0" failures="2">
        <testcase name="a" classname="./a.test.ts" time="0.001" line="1" col="6">
        </testcase>
        <testcase name="b" classname="./a.test.ts" time="0.000" line="2" col="6">
            <skipped/>
        </testcase>
        <testcase name="c &gt; &lt;failure" classname="./a.test.ts" time="0.005" line="3" col="6">
            <failure message="1 test step failed">Error: &lt;skipped/&gt;</failure>
        </testcase>
        <testcase name="d" classname="./a.test.ts" time="0.000" line="3" col="39"/>
    </testsuite>
</testsuites>
`;

Deno.test("counts: a report of deno test, with names and messages that look like tags", () => {
  assert.deepEqual(countJunit(REPORT), { passed: 2, failed: 1, skipped: 1 });
  assert.deepEqual(countJunit(""), NOTHING);
});

Deno.test("counts: the slow tests of a report, so that nobody has to look for them", () => {
  const slow = slowTests(REPORT.replace('time="0.005"', 'time="2.5"'), { seconds: 1, count: 3 });
  assert.deepEqual(slow.map(({ seconds }) => seconds), [2.5]);
  assert.deepEqual(slowTests(REPORT, { seconds: 1, count: 3 }), []);
});

Deno.test("counts: the last line is the sum", () => {
  const total = sum({ passed: 1, failed: 0, skipped: 2 }, { passed: 3, failed: 1, skipped: 0 });
  assert.equal(formatCounts(total), "4 passed, 1 failed, 2 skipped");
});
