import assert from "node:assert/strict";
import { parseResetTime } from "../../core/limits/reset_time.ts";
import { instantsOf, parseZone, wallClockAt, type Zone } from "../../core/limits/zones.ts";
import { createRandom } from "../helpers/random.ts";

/** A Monday, noon in London. */
const NOW = "2026-11-30T12:00:00Z";

function parse(text: string, now = NOW, localZone = "Europe/Paris"): string | undefined {
  const at = parseResetTime(text, { nowMs: Date.parse(now), localZone });
  return at === undefined ? undefined : new Date(at).toISOString().replace(".000Z", "Z");
}

function check(cases: Readonly<Record<string, string | undefined>>, now = NOW, localZone = "Europe/Paris"): void {
  for (const [text, expected] of Object.entries(cases)) assert.equal(parse(text, now, localZone), expected, text);
}

Deno.test("limits: epoch in seconds and in milliseconds", () => {
  check({
    "1796126400": "2026-12-01T12:00:00Z",
    "1796126400000": "2026-12-01T12:00:00Z",
    '{"resetsAt":1796126400}': "2026-12-01T12:00:00Z",
    "1796126400.5": "2026-12-01T12:00:00.500Z",
    "request 1234567890": undefined,
    "9999999999999": undefined,
  });
});

Deno.test("limits: RFC 3339, with any offset or none", () => {
  check({
    "2026-12-01T15:40:00Z": "2026-12-01T15:40:00Z",
    "2026-12-01T15:40:00.250+02:00": "2026-12-01T13:40:00.250Z",
    "resets at 2026-12-01 15:40:00 -0800": "2026-12-01T23:40:00Z",
    "2026-12-01 15:40": "2026-12-01T14:40:00Z",
    "resets 2026-12-02 3pm": "2026-12-02T14:00:00Z",
    "2026-02-30T15:40:00Z": undefined,
    "2126-12-01T15:40:00Z": undefined,
  });
});

Deno.test("limits: wall clocks, as the CLIs write them", () => {
  check({
    "resets 3:40am (Europe/Paris)": "2026-12-01T02:40:00Z",
    "resets 1:40pm (UTC)": "2026-11-30T13:40:00Z",
    "You've hit your session limit · resets 3pm (America/New_York)": "2026-11-30T20:00:00Z",
    "try again at 2:05 PM.": "2026-11-30T13:05:00Z",
    "at Dec 2nd, 2026 8:09 PM.": "2026-12-02T19:09:00Z",
    "Dec 2, 4:02pm (UTC)": "2026-12-02T16:02:00Z",
    "2 Dec 2026 20:09 UTC": "2026-12-02T20:09:00Z",
    "15:40": "2026-11-30T14:40:00Z",
    "15h40": "2026-11-30T14:40:00Z",
    "15:40:30 UTC": "2026-11-30T15:40:30Z",
    "3:40 p.m. PST": "2026-11-30T23:40:00Z",
    "9am GMT+2": "2026-12-01T07:00:00Z",
    "midnight Pacific": "2026-12-01T08:00:00Z",
    "noon (UTC)": "2026-11-30T12:00:00Z",
    "12am (UTC)": "2026-12-01T00:00:00Z",
    "12:30pm (UTC)": "2026-11-30T12:30:00Z",
    "tomorrow at 9am (UTC)": "2026-12-01T09:00:00Z",
    "Monday 9am (UTC)": "2026-12-07T09:00:00Z",
    "on Wednesday at 9am (UTC)": "2026-12-02T09:00:00Z",
  });
});

Deno.test("limits: a clock already past means tomorrow, the running minute does not", () => {
  check({ "11:59am (UTC)": "2026-12-01T11:59:00Z", "12:00pm (UTC)": "2026-11-30T12:00:00Z" });
  assert.equal(parse("12:00pm (UTC)", "2026-11-30T12:00:59Z"), "2026-11-30T12:00:00Z");
  assert.equal(parse("12:00pm (UTC)", "2026-11-30T12:01:00Z"), "2026-12-01T12:00:00Z");
  // Today is already tomorrow in Auckland.
  assert.equal(parse("3am (Pacific/Auckland)", "2026-11-30T12:00:00Z"), "2026-11-30T14:00:00Z");
});

Deno.test("limits: a date without a year is the nearest, over the turn of the year and in the past", () => {
  assert.equal(parse("Jan 2, 9am (UTC)", "2026-12-30T12:00:00Z"), "2027-01-02T09:00:00Z");
  assert.equal(parse("Nov 29, 9am (UTC)"), "2026-11-29T09:00:00Z");
  assert.equal(parse("Feb 29, 9am (UTC)", "2028-02-20T00:00:00Z"), "2028-02-29T09:00:00Z");
});

Deno.test("limits: durations", () => {
  check({
    "in 2h 15m": "2026-11-30T14:15:00Z",
    "2h15m": "2026-11-30T14:15:00Z",
    "3s": "2026-11-30T12:00:03Z",
    "retrying in 3s · attempt 4/10": "2026-11-30T12:00:03Z",
    "[retrying in 20s attempt #1]": "2026-11-30T12:00:20Z",
    "try again in 1 day, 3 hours and 20 minutes.": "2026-12-01T15:20:00Z",
    "in 1.5 hours": "2026-11-30T13:30:00Z",
    "in 1h30": "2026-11-30T13:30:00Z",
    "retry after 250ms": "2026-11-30T12:00:00.250Z",
    "in 2 weeks": "2026-12-14T12:00:00Z",
    "3pm (UTC) (in 3 hours)": "2026-11-30T15:00:00Z",
    "in 400 days": undefined,
  });
});

Deno.test("limits: what is no time gives none", () => {
  check({
    "": undefined,
    "soon": undefined,
    "5-hour limit": undefined,
    "13pm": undefined,
    "25:00": undefined,
    "3:77": undefined,
    "3pm (Mars/Phobos)": undefined,
    "3pm (XYZT)": undefined,
    "Feb 30, 3pm": undefined,
    "version 2.1.332": undefined,
    "10.0.0.1:8080": undefined,
  });
  // Words in brackets are no zone.
  assert.equal(parse("3pm (local time)"), "2026-11-30T14:00:00Z");
});

Deno.test("limits: daylight saving: a skipped time is right after the skip, a repeated one the next to come", () => {
  // Paris, 2026-03-29: 02:00 becomes 03:00. 2026-10-25: 03:00 becomes 02:00.
  assert.equal(parse("2:30am", "2026-03-28T23:00:00Z"), "2026-03-29T01:30:00Z");
  assert.equal(parse("2:30am", "2026-10-24T22:00:00Z"), "2026-10-25T00:30:00Z");
  assert.equal(parse("2:30am", "2026-10-25T00:45:00Z"), "2026-10-25T01:30:00Z");
  assert.equal(parse("2:30am", "2026-10-25T01:45:00Z"), "2026-10-26T01:30:00Z");
  const newYork = "1:30am (America/New_York)";
  assert.equal(parse(newYork, "2026-11-01T04:00:00Z"), "2026-11-01T05:30:00Z");
  assert.equal(parse(newYork, "2026-11-01T05:45:00Z"), "2026-11-01T06:30:00Z");
  // Tomorrow is 25 hours away.
  assert.equal(parse("1:59pm", "2026-10-24T12:00:00Z"), "2026-10-25T12:59:00Z");
});

Deno.test("limits: a clock in any zone is read to an instant at which that zone's clocks show it, within a day", () => {
  const zones = ["Europe/Paris", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia", "UTC"];
  for (let seed = 0; seed < 1_000; seed++) {
    const random = createRandom(seed);
    const name = random.pick(zones);
    const zone = parseZone(name);
    assert.ok(zone !== undefined);
    const nowMs = Date.UTC(2026, 0, 1) + random.int(3 * 365 * 24 * 60) * 60_000;
    const [hour, minute] = [random.int(24), random.int(60)];
    const twelve = `${hour % 12 === 0 ? 12 : hour % 12}:${String(minute).padStart(2, "0")}${hour < 12 ? "am" : "pm"}`;
    const at = parseResetTime(`resets ${twelve} (${name})`, { nowMs, localZone: "Asia/Tokyo" });
    assert.ok(at !== undefined, `seed ${seed}`);
    assert.ok(at > nowMs - 60_000 && at <= nowMs + 25.5 * 3_600_000, `seed ${seed}`);
    const shown = wallClockAt(at, zone);
    if (exists({ nowMs: at, zone, hour, minute })) {
      assert.deepEqual([shown.hour, shown.minute], [hour, minute], `seed ${seed}`);
    }
  }
});

/** The day of that instant has such a clock: it was not skipped. */
function exists(of: { nowMs: number; zone: Zone; hour: number; minute: number }): boolean {
  const { nowMs, zone, hour, minute } = of;
  const clock = { ...wallClockAt(nowMs, zone), hour, minute, second: 0 };
  return instantsOf(clock, zone).some((each) => wallClockAt(each, zone).hour === hour);
}

Deno.test("limits: no text makes it throw, hang or answer nonsense", () => {
  const bits = [
    "3",
    "40",
    ":",
    "am",
    " PM",
    "(",
    ")",
    "UTC",
    "Dec ",
    "in ",
    "h",
    "2026-",
    "T",
    "Z",
    "+02:00",
    "/",
    ",",
    " ",
    "é",
    "\u0000",
  ];
  for (let seed = 0; seed < 6_000; seed++) {
    const random = createRandom(seed);
    const text = Array.from({ length: random.int(14) }, () => random.pick(bits)).join("");
    const nowMs = Date.parse(NOW);
    const at = parseResetTime(text, { nowMs, localZone: "Europe/Paris" });
    assert.ok(at === undefined || (Number.isFinite(at) && at <= nowMs + 366 * 86_400_000), text);
  }
  const longest = "1h".repeat(100_000) + "9 ".repeat(100_000);
  parseResetTime(longest, { nowMs: 0, localZone: "nowhere" });
});
