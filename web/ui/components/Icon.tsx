/** The page's drawings: 16 by 16, stroked in the colour of the text around them. */
import type { JSX } from "preact";

const paths = {
  agent: "M8 8.2a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM2.8 13.6c.6-2.4 2.6-3.6 5.2-3.6s4.6 1.2 5.2 3.6",
  alert: "M8 2.4 14.2 13H1.8L8 2.4ZM8 6.4v3.2M8 11.3v.1",
  arrowDown: "M8 3v10M4 9l4 4 4-4",
  arrowUp: "M8 13V3M4 7l4-4 4 4",
  back: "M10 3.5 5.5 8l4.5 4.5",
  bell: "M4.2 10.8V7a3.8 3.8 0 0 1 7.6 0v3.8l1.2 1.4H3l1.2-1.4ZM6.6 14h2.8",
  check: "m3.2 8.4 3.1 3.1 6.5-7",
  chevronDown: "m4 6 4 4 4-4",
  chevronRight: "m6 4 4 4-4 4",
  clock: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.8V8l2.2 1.6",
  close: "m4 4 8 8M12 4l-8 8",
  command:
    "M5.6 5.6h4.8v4.8H5.6V5.6Zm0 0H4a1.6 1.6 0 1 1 1.6-1.6v1.6Zm4.8 0V4A1.6 1.6 0 1 1 12 5.6h-1.6Zm0 4.8H12a1.6 1.6 0 1 1-1.6 1.6v-1.6Zm-4.8 0V12A1.6 1.6 0 1 1 4 10.4h1.6Z",
  conversations: "M2.4 3.2h8v5.6H6L3.6 11V8.8H2.4V3.2ZM8 11h2.4l2 1.8V11h1.2V5.8h-1.2",
  copy: "M5.6 5.6h7v7h-7v-7ZM3.4 10.4V3.4h7",
  dots: "M3.4 8h.1M8 8h.1M12.6 8h.1",
  edit: "m3 13 .6-2.6L10.8 3.2l2 2-7.2 7.2L3 13Z",
  flow: "M3 4.2h4.5a2.5 2.5 0 0 1 2.5 2.5v1M10 5.2V8m-2 0 2 2.4L12.2 8M3 11.8h3",
  folder: "M2 12.6V3.8h4.2l1.4 1.6H14v7.2H2Z",
  folderIdea: "M2 12.6V3.8h4.2l1.4 1.6H14v7.2H2ZM8 7.4l1 1.4-1 1.4-1-1.4 1-1.4Z",
  gear:
    "M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4ZM8 1.8v1.9M8 12.3v1.9M14.2 8h-1.9M3.7 8H1.8M12.4 3.6 11 5M5 11l-1.4 1.4M12.4 12.4 11 11M5 5 3.6 3.6",
  help: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM6.3 6.3c.1-1 .8-1.6 1.8-1.6s1.7.6 1.7 1.5c0 1.3-1.7 1.4-1.7 2.6M8 11.2v.1",
  maximise: "M3 6V3h3M13 6V3h-3M3 10v3h3M13 10v3h-3",
  minimise: "M6 3v3H3M10 3v3h3M6 13v-3H3M10 13v-3h3",
  minus: "M3.5 8h9",
  play: "M5 3.2v9.6L12.6 8 5 3.2Z",
  plus: "M8 3v10M3 8h10",
  queue: "M3 4h10M3 8h10M3 12h6",
  redo: "M12.8 6.2h-6a3.4 3.4 0 1 0 0 6.8H10M10.2 3.4 13 6.2l-2.8 2.8",
  refresh: "M12.8 6.4A5.2 5.2 0 1 0 13.2 9M13 3v3.4H9.6",
  search: "M7 11.6a4.6 4.6 0 1 0 0-9.2 4.6 4.6 0 0 0 0 9.2ZM10.4 10.4 13.6 13.6",
  send: "M2.4 8h10.4M8.6 3.8 12.8 8l-4.2 4.2",
  sidebar: "M2.4 3h11.2v10H2.4V3ZM6.2 3v10",
  splitDown: "M2.4 3h11.2v10H2.4V3ZM2.4 8h11.2",
  splitRight: "M2.4 3h11.2v10H2.4V3ZM8 3v10",
  stop: "M4.2 4.2h7.6v7.6H4.2V4.2Z",
  stopHand: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM6.3 6.3h3.4v3.4H6.3V6.3Z",
  swap: "M3 5.6h9M9.6 3 12.4 5.6 9.6 8.2M13 10.4H4M6.4 7.8 3.6 10.4 6.4 13",
  terminal: "M2.4 3h11.2v10H2.4V3ZM4.8 6l2 2-2 2M8.4 10.4h2.8",
  trash: "M3.2 4.6h9.6M6.4 4.4V3h3.2v1.4M4.4 4.8l.5 8.2h6.2l.5-8.2M6.8 7v3.6M9.2 7v3.6",
  undo: "M3.2 6.2h6a3.4 3.4 0 1 1 0 6.8H6M5.8 3.4 3 6.2 5.8 9",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }): JSX.Element {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width={name === "dots" ? 2 : 1.4}
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}
