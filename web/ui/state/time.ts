/** Times as people read them. Pure: now is given. */
import type { Words } from "../words/en.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function formatAgo(atMs: number, nowMs: number, words: Words): string {
  const passed = Math.max(0, nowMs - atMs);
  if (passed < 5 * SECOND) return words.ago.now;
  if (passed < MINUTE) return words.ago.seconds(Math.floor(passed / SECOND));
  if (passed < HOUR) return words.ago.minutes(Math.floor(passed / MINUTE));
  if (passed < DAY) return words.ago.hours(Math.floor(passed / HOUR));
  return words.ago.days(Math.floor(passed / DAY));
}

/** "4 s", "12 min", "1 h 05", "2 d 3 h": the two largest units that matter. */
export function formatDuration(ms: number): string {
  const left = Math.max(0, ms);
  if (left < MINUTE) return `${Math.floor(left / SECOND)} s`;
  if (left < HOUR) return `${Math.floor(left / MINUTE)} min`;
  if (left < DAY) {
    return `${Math.floor(left / HOUR)} h ${String(Math.floor((left % HOUR) / MINUTE)).padStart(2, "0")}`;
  }
  return `${Math.floor(left / DAY)} d ${Math.floor((left % DAY) / HOUR)} h`;
}

/** "14:05:09" for a countdown: seconds show that it is alive. */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / SECOND));
  const hours = Math.floor(seconds / 3_600);
  const rest = [Math.floor((seconds % 3_600) / 60), seconds % 60].map((part) => String(part).padStart(2, "0"));
  return hours === 0 ? rest.join(":") : [String(hours), ...rest].join(":");
}

export interface ClockTimeOptions {
  readonly nowMs: number;
  readonly language: string;
}

/** The time alone today, with the day otherwise. */
export function formatClock(atMs: number, { nowMs, language }: ClockTimeOptions): string {
  const sameDay = new Date(atMs).toDateString() === new Date(nowMs).toDateString();
  const time: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" };
  return new Intl.DateTimeFormat(language, sameDay ? time : { ...time, day: "numeric", month: "short" }).format(atMs);
}

/** A time as a field of the type datetime-local has it: of this machine's clock, to the minute. */
export function formatLocalInput(atMs: number): string {
  const date = new Date(atMs);
  const two = (part: number) => String(part).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Undefined while it is not a whole time. */
export function parseLocalInput(text: string): number | undefined {
  const atMs = /^\d{4,}-\d\d-\d\dT\d\d:\d\d/.test(text) ? new Date(text).getTime() : Number.NaN;
  return Number.isNaN(atMs) ? undefined : atMs;
}
