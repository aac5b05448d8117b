/**
 * What a browser is told to forbid in our pages. Styles may be inline because xterm.js writes style elements and style
 * attributes (theme, cell colours) and takes no nonce; scripts may not, and nothing comes from elsewhere.
 */
const contentSecurityPolicy = (hosts: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    // 'self' does not stand for ws: in every browser.
    `connect-src 'self' ${hosts.map((host) => `ws://${host}`).join(" ")}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

export function securityHeaders(hosts: readonly string[]): Readonly<Record<string, string>> {
  return {
    "content-security-policy": contentSecurityPolicy(hosts),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
  };
}
