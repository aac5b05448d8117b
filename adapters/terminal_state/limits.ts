/** What is kept and when it is looked at: measured defaults; tests take small ones to get around every corner. */
export interface Limits {
  /** Output between two sync points: a screen is then rebuilt from a few of these. */
  readonly pointDistanceBytes: number;
  /** How often it is looked whether something can be forgotten. */
  readonly trimDistanceBytes: number;
  /** Raw output that is kept for viewers that are a little behind, even when the state could do without. */
  readonly keepRawBytes: number;
  /** A snapshot shorter than this is not worth a shortcut. */
  readonly smallSnapshotBytes: number;
  /** Raw output that may gather before the state is written down; more when the state itself is large. */
  readonly gatherBytes: number;
  /**
   * The same while the alternate screen is in use: it is small, soon written down, and without this a window that
   * attaches would have to draw all of what a full-screen program has drawn.
   */
  readonly gatherAlternateBytes: number;
  /** The same where a sync point is to be expected, since lines leave the screen all the time. */
  readonly gatherLimitBytes: number;
  /** Emulators that are kept: one of a screen alone takes under 1 MB, one with 10,000 lines up to 23 MB. */
  readonly screens: number;
}

export const DEFAULT_LIMITS: Limits = {
  pointDistanceBytes: 8 * 1024,
  trimDistanceBytes: 256 * 1024,
  keepRawBytes: 512 * 1024,
  smallSnapshotBytes: 64 * 1024,
  gatherBytes: 2 * 1024 * 1024,
  gatherAlternateBytes: 256 * 1024,
  gatherLimitBytes: 12 * 1024 * 1024,
  screens: 8,
};
