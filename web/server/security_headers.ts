/**
 * What a browser is told to forbid in our pages. Scripts come from us only, and nothing comes from elsewhere. Styles may
 * be inline: xterm.js 6 writes style elements (theme) and style attributes (24-bit colours, without WebGL) and takes no
 * nonce; Chromium reports 55 violations for one screen without it. WebAssembly may be compiled, for the decoder of pictures
 * in terminals; JavaScript from a string may not.
 */
const contentSecurityPolicy = (hosts: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self' ${socketSources(hosts).join(" ")}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** 'self' does not stand for ws: in every browser, and an IPv6 address in brackets is no source that CSP knows. */
function socketSources(hosts: readonly string[]): readonly string[] {
  return hosts.filter((host) => !host.startsWith("[")).map((host) => `ws://${host}`);
}

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
