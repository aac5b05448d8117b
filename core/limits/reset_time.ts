/**
 * When a session limit is over, read out of what a CLI wrote: an epoch, RFC 3339, a duration, a wall clock with or
 * without date and zone. The text may be the bare time or a sentence around it; the first that can be read counts.
 *
 * In doubt there is no answer, and the person is asked: a wrong hour would hold an agent for a day.
 */
import {
  addDays,
  instantsOf,
  isRealWallClock,
  parseZone,
  type WallClock,
  wallClockAt,
  weekdayOf,
  type Zone,
  zoneOrUtc,
} from "./zones.ts";

export interface Moment {
  readonly nowMs: number;
  /** IANA name of this machine's zone: for wall clocks that name none. */
  readonly localZone: string;
}

const DAY_MS = 86_400_000;
/** No limit lasts longer: what is read as more was no time. */
const MAX_AHEAD_MS = 366 * DAY_MS;
const MAX_TEXT = 500;

/** Epoch milliseconds, possibly in the past when the text has a date; undefined: no time that can be read. */
export function parseResetTime(text: string, moment: Moment): number | undefined {
  const line = text.slice(0, MAX_TEXT).replaceAll(/[\s\u00a0\u202f]+/g, " ").trim();
  const found = parseRfc3339(line, moment) ?? parseEpoch(line, moment) ?? parseRelativeOrClock(line, moment);
  if (found === undefined || !Number.isFinite(found)) return undefined;
  return found > moment.nowMs + MAX_AHEAD_MS || found < 0 ? undefined : found;
}

function parseRfc3339(line: string, moment: Moment): number | undefined {
  const match =
    /\b(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)? ?(Z|z|UTC|[+-]\d{2}:?\d{2})?(?![\d:])/
      .exec(line);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const clock = { year, month, day, hour, minute, second: Number.isNaN(second) ? 0 : second };
  if (!isRealWallClock(clock)) return undefined;
  const zone = match[8] === undefined ? zoneOrUtc(moment.localZone) : parseZone(match[8]);
  const fractionMs = match[7] === undefined ? 0 : Math.floor(Number(`0.${match[7]}`) * 1_000);
  const at = zone === undefined ? undefined : instantsOf(clock, zone)[0];
  return at === undefined ? undefined : at + fractionMs;
}

/** Ten digits are seconds (until 2286), thirteen milliseconds; a number far from now is some other number. */
function parseEpoch(line: string, { nowMs }: Moment): number | undefined {
  const match = /(?<![\w.-])(\d{10}|\d{13})(?:\.\d+)?(?![\w:-])/.exec(line);
  if (match?.[1] === undefined) return undefined;
  const epochMs = match[1].length === 13 ? Number(match[1]) : Math.round(Number(match[0]) * 1_000);
  return epochMs < nowMs - 7 * DAY_MS || epochMs > nowMs + MAX_AHEAD_MS ? undefined : epochMs;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS };
const UNIT = "(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)";
const AMOUNT = `(\\d+(?:\\.\\d+)?) ?${UNIT}(?![a-z])`;
const DURATION = `${AMOUNT}(?:(?:,? and |, ?| )?${AMOUNT})*`;
const BARE_DURATION = new RegExp(`^~?${DURATION}\\.?$`, "i");
const SAID_DURATION = new RegExp(`\\b(?:in|after)(?: about| another)? ~?(${DURATION})`, "i");

/** Of a duration and a clock in one text the first counts: "3:40am (in 2 hours)" is exact at its beginning. */
function parseRelativeOrClock(line: string, moment: Moment): number | undefined {
  if (BARE_DURATION.test(line)) return moment.nowMs + durationMs(line);
  const said = SAID_DURATION.exec(line.replace(/\b(in|after) (\d+)h(\d{2})(?![\d ]?m|\d)/i, "$1 $2h $3m"));
  const time = parseTimeOfDay(line);
  if (said?.[1] !== undefined && (time === undefined || said.index < time.from)) {
    return moment.nowMs + durationMs(said[1]);
  }
  return time === undefined ? undefined : parseWallClock(line, time, moment);
}

function durationMs(text: string): number {
  let totalMs = 0;
  for (const [, amount = "", unit = ""] of text.matchAll(new RegExp(AMOUNT, "gi"))) {
    totalMs += Number(amount) * unitMs(unit.toLowerCase());
  }
  return Math.round(totalMs);
}

function unitMs(unit: string): number {
  const short = unit === "ms" || unit.startsWith("milli") ? "ms" : unit.slice(0, 1);
  return UNITS[short] ?? 0;
}

interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Where it stands in the line. */
  readonly from: number;
  readonly to: number;
}

type Day =
  | { readonly kind: "none" }
  | { readonly kind: "date"; readonly month: number; readonly day: number; readonly year: number | undefined }
  | { readonly kind: "weekday"; readonly weekday: number }
  | { readonly kind: "tomorrow" };

function parseWallClock(line: string, time: TimeOfDay, moment: Moment): number | undefined {
  const zone = parseZoneAfter(line.slice(time.to), moment);
  if (zone === undefined) return undefined;
  const day = parseDay(line);
  return day === undefined ? undefined : resolve({ time, day, zone, nowMs: moment.nowMs });
}

function parseTimeOfDay(line: string): TimeOfDay | undefined {
  const twelve = /(?<![\d:.])(\d{1,2})(?::(\d{2}))?(?::(\d{2}))? ?([ap])\.?m\b\.?/i.exec(line);
  if (twelve !== null) {
    const [whole, hours = "", minute = "0", second = "0", half = ""] = twelve;
    const hour = Number(hours);
    if (hour < 1 || hour > 12) return undefined;
    const onDay = hour % 12 + (half.toLowerCase() === "p" ? 12 : 0);
    return timeOfDay({ hour: onDay, minute: Number(minute), second: Number(second) }, twelve.index, whole);
  }
  const full = /(?<![\d:./])(\d{1,2})[:h](\d{2})(?::(\d{2}))?(?![\d:])/.exec(line);
  if (full !== null) {
    const [whole, hour, minute, second = "0"] = full;
    return timeOfDay({ hour: Number(hour), minute: Number(minute), second: Number(second) }, full.index, whole);
  }
  const word = /\b(midnight|noon)\b/i.exec(line);
  if (word === null) return undefined;
  const hour = word[0].toLowerCase() === "noon" ? 12 : 0;
  return timeOfDay({ hour, minute: 0, second: 0 }, word.index, word[0]);
}

function timeOfDay(
  clock: { readonly hour: number; readonly minute: number; readonly second: number },
  from: number,
  whole: string,
): TimeOfDay | undefined {
  if (clock.hour > 23 || clock.minute > 59 || clock.second > 59) return undefined;
  return { ...clock, from, to: from + whole.length };
}

/** The zone right after the time; the local one when none is named, undefined when one is named that nobody knows. */
function parseZoneAfter(rest: string, moment: Moment): Zone | undefined {
  const bracketed = /^[,.]? ?\(([^()]{1,40})\)/.exec(rest)?.[1];
  if (bracketed !== undefined) {
    const zone = parseZone(bracketed);
    // "(in 2 hours)", "(local time)": words, and not a zone that we fail to know.
    const looksLikeZone = bracketed.includes("/") || /^[A-Z]{2,5}$/.test(bracketed);
    return zone ?? (looksLikeZone ? undefined : zoneOrUtc(moment.localZone));
  }
  const bare = /^ ?([A-Z]{2,4}(?:[+-]\d{1,2}(?::?\d{2})?)?|[A-Z][a-z]+\/[A-Za-z_/]+|Pacific|Eastern)\b/.exec(rest)?.[1];
  const zone = bare === undefined ? undefined : parseZone(bare);
  return zone ?? zoneOrUtc(moment.localZone);
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const MONTH = "(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?";
const MONTH_FIRST = new RegExp(`\\b${MONTH} (\\d{1,2})(?:st|nd|rd|th)?(?:,? (\\d{4}))?(?!\\d|:)`, "i");
const DAY_FIRST = new RegExp(`(?<![\\d:])(\\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH}(?:,? (\\d{4}))?(?!\\d)`, "i");

/** undefined: a date that does not exist. */
function parseDay(line: string): Day | undefined {
  const iso = /\b(\d{4})-(\d{2})-(\d{2})(?!\d)/.exec(line);
  if (iso !== null) return dateOf(Number(iso[2]), iso[3], iso[1]);
  const monthFirst = MONTH_FIRST.exec(line);
  if (monthFirst !== null) return dateOf(monthOf(monthFirst[1]), monthFirst[2], monthFirst[3]);
  const dayFirst = DAY_FIRST.exec(line);
  if (dayFirst !== null) return dateOf(monthOf(dayFirst[2]), dayFirst[1], dayFirst[3]);
  if (/\btomorrow\b/i.test(line)) return { kind: "tomorrow" };
  const weekday = /\b(sun|mon|tue|wed|thu|fri|sat)(?:s|nes|rs|ur)?(?:day)?\b/i.exec(line)?.[1];
  if (weekday !== undefined) return { kind: "weekday", weekday: WEEKDAYS.indexOf(weekday.toLowerCase()) };
  return { kind: "none" };
}

function monthOf(name = ""): number {
  return MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

function dateOf(month: number, day = "", year: string | undefined): Day | undefined {
  const date = { month, day: Number(day), year: year === undefined ? undefined : Number(year) };
  // 29 February of a year that is not named: there is one.
  const exists = isRealWallClock({ year: date.year ?? 2024, month, day: date.day, hour: 0, minute: 0, second: 0 });
  return exists ? { kind: "date", ...date } : undefined;
}

function resolve(
  { time, day, zone, nowMs }: {
    readonly time: TimeOfDay;
    readonly day: Day;
    readonly zone: Zone;
    readonly nowMs: number;
  },
): number | undefined {
  const { hour, minute, second } = time;
  const today: WallClock = { ...wallClockAt(nowMs, zone), hour, minute, second };
  switch (day.kind) {
    case "none":
      // The notice gives no date: a time already past today means tomorrow.
      return next(today, zone, nowMs) ?? instantsOf(addDays(today, 1), zone)[0];
    case "tomorrow":
      return instantsOf(addDays(today, 1), zone)[0];
    case "weekday": {
      const ahead = (day.weekday - weekdayOf(today) + 7) % 7;
      return next(addDays(today, ahead), zone, nowMs) ?? instantsOf(addDays(today, 7), zone)[0];
    }
    case "date": {
      const years = day.year === undefined ? [today.year - 1, today.year, today.year + 1] : [day.year];
      const instants = years.map((year) => ({ ...today, year, month: day.month, day: day.day }))
        .filter(isRealWallClock).flatMap((clock) => instantsOf(clock, zone)[0] ?? []);
      // Without a year the nearest is meant: a notice of yesterday that still stands there is over, not due in a year.
      return instants.sort((a, b) => Math.abs(a - nowMs) - Math.abs(b - nowMs))[0];
    }
  }
}

/** The first instant of that clock that is not past; the running minute is not, since notices tell no seconds. */
function next(clock: WallClock, zone: Zone, nowMs: number): number | undefined {
  return instantsOf(clock, zone).find((instant) => instant > nowMs - 60_000);
}
