/**
 * Compares two secrets in a time that depends on the length of the given one only, so that an attacker who measures
 * answers learns nothing of the kept one.
 */
export function isSameSecret(given: string, kept: string): boolean {
  let difference = given.length ^ kept.length;
  for (let i = 0; i < given.length; i++) {
    // charCodeAt past the end is NaN, which | 0 makes 0: the length above has already decided.
    difference |= given.charCodeAt(i) ^ (kept.charCodeAt(i) | 0);
  }
  return difference === 0 && kept.length > 0;
}
