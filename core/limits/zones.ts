/**
 * Wall clocks of time zones, by the zone data of the runtime (Intl). A wall clock is what a person reads off: it may not
 * exist (the hour that daylight saving skips) or be there twice (the hour that it repeats).
 */
export interface WallClock {
  readonly year: number;
  /** 1..12 */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** An IANA name, or a fixed offset. */
export type Zone =
  | { readonly kind: "named"; readonly name: string }
  | { readonly kind: "offset"; readonly minutes: number };

export const UTC: Zone = { kind: "offset", minutes: 0 };

const DAY_MS = 86_400_000;

// What CLIs write in place of a zone's name. The half of the year that an abbreviation belongs to is in its offset.
const ABBREVIATIONS: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  Z: 0,
  PST: -480,
  PDT: -420,
  MST: -420,
  MDT: -360,
  CST: -360,
  CDT: -300,
  EST: -300,
  EDT: -240,
  WEST: 60,
  BST: 60,
  CET: 60,
  CEST: 120,
  EET: 120,
  EEST: 180,
  JST: 540,
};

const NICKNAMES: Readonly<Record<string, string>> = {
  PT: "America/Los_Angeles",
  PACIFIC: "America/Los_Angeles",
  MT: "America/Denver",
  CT: "America/Chicago",
  ET: "America/New_York",
  EASTERN: "America/New_York",
};

/** undefined: no zone that is known here. */
export function parseZone(text: string): Zone | undefined {
  const name = text.trim();
  const upper = name.toUpperCase().replace(/ TIME$/, "");
  const minutes = ABBREVIATIONS[upper];
  if (minutes !== undefined) return { kind: "offset", minutes };
  const nickname = NICKNAMES[upper];
  if (nickname !== undefined) return { kind: "named", name: nickname };
  const offset = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/.exec(upper);
  if (offset !== null) {
    const [, sign, hours = "0", rest = "0"] = offset;
    const size = Number(hours) * 60 + Number(rest);
    return size <= 14 * 60 ? { kind: "offset", minutes: sign === "-" ? -size : size } : undefined;
  }
  return /^[A-Za-z]+(?:[_+-][A-Za-z0-9]+)*(?:\/[A-Za-z0-9_+-]+)+$/.test(name) && isKnownZone(name)
    ? { kind: "named", name }
    : undefined;
}

/** The zone of this name, or UTC when the runtime does not know it. */
export function zoneOrUtc(name: string): Zone {
  return parseZone(name) ?? UTC;
}

function isKnownZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export function wallClockAt(epochMs: number, zone: Zone): WallClock {
  const date = new Date(epochMs + offsetMs(epochMs, zone));
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

/**
 * The instants at which the zone's clocks show this, in order: usually one, two in a repeated hour. A skipped time gives
 * the one at which a clock that was not set forward would show it, which is right after the skip.
 */
export function instantsOf(clock: WallClock, zone: Zone): readonly number[] {
  const asUtc = utcOf(clock);
  const before = offsetMs(asUtc - DAY_MS, zone);
  const after = offsetMs(asUtc + DAY_MS, zone);
  const candidates = [...new Set([asUtc - before, asUtc - after])].sort((a, b) => a - b);
  const exact = candidates.filter((each) => each + offsetMs(each, zone) === asUtc);
  return exact.length > 0 ? exact : [asUtc - before];
}

/** false for the 31st of April, or 25 o'clock. */
export function isRealWallClock(clock: WallClock): boolean {
  const date = new Date(utcOf(clock));
  return clock.hour < 24 && clock.minute < 60 && clock.second < 60 && date.getUTCMonth() + 1 === clock.month &&
    date.getUTCDate() === clock.day;
}

/** The clock's date, some days on. */
export function addDays(clock: WallClock, days: number): WallClock {
  const date = new Date(utcOf(clock) + days * DAY_MS);
  return { ...clock, year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** 0 = Sunday. */
export function weekdayOf(clock: WallClock): number {
  return new Date(utcOf(clock)).getUTCDay();
}

function utcOf({ year, month, day, hour, minute, second }: WallClock): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function offsetMs(epochMs: number, zone: Zone): number {
  if (zone.kind === "offset") return zone.minutes * 60_000;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone.name,
    calendar: "gregory",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const parts: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(epochMs)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return utcOf({ year, month, day, hour, minute, second }) - Math.floor(epochMs / 1000) * 1000;
}
