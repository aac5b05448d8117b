/** From which points a screen, or all of it, can be rebuilt, and when a point is none any more. */
import assert from "node:assert/strict";
import type { KnownState } from "../../core/terminals/known_state.ts";
import { createSyncPoints, isLost, type Progress, type SyncPoint } from "../../core/terminals/sync_points.ts";
import { trackOutput } from "../helpers/tracked_output.ts";

const SIZE = { cols: 10, rows: 4 };
const SCROLLBACK = 20;
const state: KnownState = trackOutput("").facts.tracker.known();

/** A point with as many line feeds as scrolls; its offset is ten for each. */
function pointAt(scrolls: number, changes: Partial<SyncPoint> = {}): SyncPoint {
  return {
    kind: "lineStart",
    offset: scrolls * 10,
    scrolls,
    lineFeeds: scrolls,
    size: SIZE,
    cursor: { col: 0, row: 3 },
    state,
    saturated: true,
    ...changes,
  };
}

function progressAt(scrolls: number, changes: Partial<Progress> = {}): Progress {
  return { scrolls, lineFeeds: scrolls, size: SIZE, scrollback: SCROLLBACK, ...changes };
}

function pointsAt(...points: readonly (number | SyncPoint)[]) {
  const all = createSyncPoints();
  for (const point of points) all.add(typeof point === "number" ? pointAt(point) : point);
  return all;
}

const blank = (scrolls: number) => pointAt(scrolls, { kind: "blank", saturated: false });

Deno.test("sync points: all is known from a point once scrollback and screen have gone by", () => {
  const points = pointsAt(0, 5, 10);
  const from = (scrolls: number, upTo = Infinity) => points.complete(progressAt(scrolls), upTo)?.scrolls;
  assert.equal(from(23), undefined);
  assert.equal(from(24), 0);
  assert.equal(from(28), 0);
  assert.equal(from(29), 5);
  assert.equal(from(100), 10);
  assert.equal(from(100, 99), 5, "not after the offset");
  assert.equal(from(100, 100), 10, "at the offset");
  assert.equal(from(100, -1), undefined);
});

Deno.test("sync points: where the scrollback was not full, its length is unknown", () => {
  const points = pointsAt(0, pointAt(5, { saturated: false }));
  assert.equal(points.complete(progressAt(100), Infinity)?.scrolls, 0);
});

Deno.test("sync points: all is known from a blank point at once, whatever the size was", () => {
  const points = pointsAt(0, blank(5));
  assert.equal(points.complete(progressAt(5), Infinity)?.scrolls, 5);
  points.resized(progressAt(5), { cols: 20, rows: 2 });
  assert.equal(points.complete(progressAt(5), Infinity)?.scrolls, 5);
});

Deno.test("sync points: a change of size leaves no point from which all is known but blank ones", () => {
  const points = pointsAt(0);
  points.resized(progressAt(50), { cols: 20, rows: 2 });
  assert.equal(points.complete(progressAt(100), Infinity), undefined);
  points.add(pointAt(60));
  assert.equal(points.complete(progressAt(100), Infinity)?.scrolls, 60);
});

Deno.test("sync points: a screen is known where the lines of one have gone by since the start", () => {
  const points = pointsAt(0, 2, 4, 8);
  const screen = (lines: number, scrolls: number) => {
    const found = points.forScreen(lines, progressAt(scrolls));
    return found && [found.start.scrolls, found.known.scrolls];
  };
  assert.deepEqual(screen(0, 8), [4, 8]);
  assert.deepEqual(screen(1, 8), [0, 4], "with a line above");
  assert.deepEqual(screen(4, 8), [0, 4]);
  assert.deepEqual(screen(5, 8), undefined);
  assert.deepEqual(screen(5, 13), [4, 8]);
});

Deno.test("sync points: from a blank one, the screen is known from where it is wanted, or at once", () => {
  const points = pointsAt(blank(0), 2);
  const screen = (lines: number, scrolls: number) => {
    const found = points.forScreen(lines, progressAt(scrolls));
    return found && [found.start.scrolls, found.known.scrolls];
  };
  assert.deepEqual(screen(0, 2), [0, 2]);
  assert.deepEqual(screen(1, 2), [0, 0]);
  assert.deepEqual(screen(1000, 2), [0, 0], "there are no lines above");
});

Deno.test("sync points: lines that move down break the points whose screen is unknown", () => {
  for (const [scrolls, left] of [[11, 5], [12, 8], [20, 8]] as const) {
    const points = pointsAt(5, 8);
    points.breakUnknown(progressAt(scrolls));
    assert.equal(points.complete(progressAt(100), Infinity)?.scrolls, left, `at ${scrolls}`);
  }
  const points = pointsAt(blank(5));
  points.breakUnknown(progressAt(5));
  assert.equal(points.complete(progressAt(5), Infinity)?.scrolls, 5, "nothing is unknown at a blank one");
});

Deno.test("sync points: a change of size breaks them too, and keeps those whose screen was known", () => {
  const points = pointsAt(0, 4, 8);
  points.resized(progressAt(11), { cols: 5, rows: 4 });
  // Known again with enough lines since: twice the rows and two.
  points.add(pointAt(40));
  points.add(pointAt(44));
  points.breakUnknown(progressAt(41));
  const found = points.forScreen(0, progressAt(60));
  assert.deepEqual(found && [found.start.scrolls, found.known.scrolls], undefined, "one of each size is not enough");
  points.add(pointAt(48));
  const later = points.forScreen(0, progressAt(60));
  assert.equal(later, undefined, "40 was broken: its screen was unknown");
  points.add(pointAt(52));
  assert.deepEqual(points.forScreen(0, progressAt(60))?.known.scrolls, 52);
});

Deno.test("sync points: one whose screen was unknown at a change of size is none after it", () => {
  const points = pointsAt(0, 4, 8);
  points.resized(progressAt(9, { lineFeeds: 100 }), { cols: 5, rows: 4 });
  const found = points.forScreen(0, progressAt(200));
  assert.deepEqual(found && [found.start.scrolls, found.known.scrolls], [0, 4]);
});

Deno.test("sync points: a screen known before a change of size needs lines with a row of their own above it", () => {
  for (const [lineFeeds, rows, isKnown] of [[17, 4, false], [18, 4, true], [18, 5, false], [20, 5, true]] as const) {
    const points = pointsAt(0, 4, 8);
    points.resized(progressAt(100, { lineFeeds }), { cols: 5, rows });
    const found = points.forScreen(0, progressAt(200, { lineFeeds: 100 }));
    assert.equal(found?.known.scrolls === 8, isKnown, `${lineFeeds} line feeds, ${rows} rows`);
  }
});

Deno.test("sync points: more lines above need more of them", () => {
  const points = pointsAt(0, 4, 8);
  points.resized(progressAt(100, { lineFeeds: 20 }), { cols: 5, rows: 4 });
  assert.equal(points.forScreen(2, progressAt(200))?.known.scrolls, 8);
  assert.equal(points.forScreen(3, progressAt(200))?.known.scrolls, 4);
});

Deno.test("sync points: a restored cursor is lost to points after it was saved", () => {
  assert.equal(isLost(pointAt(5), 50, false), false, "at the same place");
  assert.equal(isLost(pointAt(5), 49, false), true);
  assert.equal(isLost(pointAt(5), 51, true), true, "it may have scrolled");
  assert.equal(isLost(blank(5), 51, true), false);
  assert.equal(isLost(blank(5), 49, true), true);
  const points = pointsAt(0, 4, 8, 12);
  points.restored(80, false);
  const found = points.forScreen(0, progressAt(12));
  assert.deepEqual(found && [found.start.scrolls, found.known.scrolls], [4, 8]);
  assert.equal(points.complete(progressAt(100), Infinity)?.scrolls, 12, "all that is kept includes what was saved");
});

Deno.test("sync points: those before an offset are forgotten", () => {
  const points = pointsAt(0, 4, 8);
  points.forgetBefore(40);
  assert.deepEqual(points.complete(progressAt(28), Infinity)?.scrolls, 4);
  points.forgetBefore(41);
  assert.equal(points.complete(progressAt(28), Infinity), undefined);
});

Deno.test("sync points: there is a bound to them, and the recent ones stay dense", () => {
  const points = pointsAt(0, blank(1));
  for (let scrolls = 2; scrolls <= 2000; scrolls++) points.add(pointAt(scrolls));
  const known = (upTo: number) => points.complete(progressAt(10_000), upTo)?.scrolls;
  for (let scrolls = 1950; scrolls <= 2000; scrolls++) assert.equal(known(scrolls * 10), scrolls);
  const kept = new Set(Array.from({ length: 2000 }, (_, index) => known((index + 1) * 10)));
  assert.ok(kept.size <= 193 && kept.size > 90, `${kept.size}`);
  assert.equal(known(10), 1, "a blank point is worth keeping");
});
