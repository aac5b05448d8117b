/**
 * Parameters of a control sequence, with the limits of xterm.js: 32 of them, 32 sub-parameters in all, values up to
 * 2^31 - 1. A parameter that is left out is 0, a sub-parameter that is left out is -1.
 */
const MAX_PARAMS = 32;
const MAX_SUB_PARAMS = 32;
const MAX_VALUE = 0x7fffffff;

export interface CsiParams {
  readonly count: number;
  /** The parameter, 0 when it is not there. */
  at(index: number): number;
  /** Its sub-parameters (after ":"), empty when it has none. */
  subParams(index: number): readonly number[];
  clear(): void;
  /** Takes a digit, ";" or ":". */
  push(code: number): void;
  /** What leads to these, and to the same with whatever is pushed next. */
  format(): string;
}

export function createCsiParams(): CsiParams {
  const values = new Int32Array(MAX_PARAMS);
  const subs: number[][] = [];
  let count = 1;
  let subCount = 0;
  let full = false;
  let subFull = false;
  let inSub = false;

  function digit(list: { [index: number]: number }, index: number, value: number): void {
    const old = list[index] ?? 0;
    list[index] = old < 0 ? value : Math.min(old * 10 + value, MAX_VALUE);
  }

  return {
    get count() {
      return count;
    },
    at: (index) => index < count ? values[index] ?? 0 : 0,
    subParams: (index) => index < count ? subs[index] ?? [] : [],
    clear() {
      values[0] = 0;
      if (subCount > 0) subs.length = 0;
      count = 1;
      subCount = 0;
      full = false;
      subFull = false;
      inSub = false;
    },
    push(code) {
      if (code === 0x3b) {
        inSub = false;
        if (count === MAX_PARAMS) full = true;
        else values[count++] = 0;
      } else if (code === 0x3a) {
        inSub = true;
        if (full || subCount === MAX_SUB_PARAMS) {
          subFull = true;
        } else {
          const own = subs[count - 1] ?? [];
          own.push(-1);
          subs[count - 1] = own;
          subCount++;
        }
      } else if (!full && !(inSub && subFull)) {
        if (!inSub) digit(values, count - 1, code - 0x30);
        else {
          const own = subs[count - 1];
          if (own) digit(own, own.length - 1, code - 0x30);
        }
      }
    },
    format() {
      const all = Array.from({ length: count }, (_, index) => {
        const own = (subs[index] ?? []).map((sub) => `:${sub < 0 ? "" : sub}`).join("");
        return `${values[index] ?? 0}${own}`;
      });
      // More than fit were pushed, and what follows would not be taken.
      return all.join(";") + (full ? ";" : inSub && subFull ? ":" : "");
    },
  };
}
