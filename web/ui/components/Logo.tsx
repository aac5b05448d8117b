import type { JSX } from "preact";

export function Logo({ size = 22 }: { readonly size?: number }): JSX.Element {
  return (
    <svg class="logo" width={size} height={size} viewBox="0 0 32 32" role="img" aria-label="IdeA">
      <rect width="32" height="32" rx="8" class="logo-ground" />
      <rect x="7" y="7" width="8" height="18" rx="2.5" fill="#fff" />
      <rect x="18" y="7" width="7" height="7.5" rx="2.5" fill="#fff" opacity=".85" />
      <circle cx="21.5" cy="21.5" r="3.6" fill="#fff" />
    </svg>
  );
}
