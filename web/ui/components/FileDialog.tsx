/** A file to look at, with the line that was named in sight. */
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { sliceAround } from "../state/file_lines.ts";
import { useWords } from "./context.ts";
import { Modal } from "./Modal.tsx";

export interface FileDialogProps {
  readonly path: string;
  readonly text: string;
  readonly line: number | undefined;
  readonly onClose: () => void;
}

export function FileDialog({ path, text, line, onClose }: FileDialogProps): JSX.Element {
  const words = useWords();
  const [copied, setCopied] = useState(false);
  const meant = useRef<HTMLLIElement>(null);
  const { lines, first, all } = sliceAround(text, line);
  useLayoutEffect(() => meant.current?.scrollIntoView({ block: "center" }), [path, line]);
  const copy = () => void navigator.clipboard.writeText(path).then(() => setCopied(true), () => {});
  return (
    <Modal
      title={path}
      {...lines.length < all && { lead: words.file.linesOf(first, first + lines.length - 1, all) }}
      size="large"
      onClose={onClose}
      footer={
        <>
          <span class="grow" />
          <button type="button" onClick={copy}>{copied ? words.file.copied : words.file.copyPath}</button>
        </>
      }
    >
      <ol class="file-lines mono" start={first} tabIndex={0} aria-label={words.file.contents}>
        {lines.map((content, index) => {
          const isMeant = first + index === line;
          return (
            <li key={index} ref={isMeant ? meant : null} {...isMeant && { class: "meant", "aria-current": "true" }}>
              {content}
            </li>
          );
        })}
      </ol>
    </Modal>
  );
}
