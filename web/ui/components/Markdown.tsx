/**
 * Text of agents and people as Markdown. Only what is listed here becomes an element: HTML in it is shown as the text
 * that it is, links lead to web and mail addresses only, and pictures are links, so that reading fetches nothing.
 */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { MarkedToken, Token, Tokens } from "marked";

/** Longer texts are shown as they are: nobody reads them here, and parsing them would hold the page up. */
const MAX_CHARS = 200_000;

type Lexer = (text: string) => readonly Token[];

let loaded: Lexer | undefined;

/** The parser is fetched with the first text. */
async function loadLexer(): Promise<Lexer> {
  const { marked } = await import("marked");
  loaded = (text) => marked.lexer(text, { gfm: true, breaks: true });
  return loaded;
}

export function Markdown({ text }: { readonly text: string }): JSX.Element {
  const [lexer, setLexer] = useState<Lexer | undefined>(() => loaded);
  useEffect(() => {
    if (lexer === undefined) void loadLexer().then((ready) => setLexer(() => ready));
  }, [lexer]);
  const tokens = useMemo(
    () => lexer === undefined || text.length > MAX_CHARS ? undefined : lexer(text),
    [lexer, text],
  );
  return tokens === undefined ? <p class="text">{text}</p> : <div class="markdown">{renderAll(tokens)}</div>;
}

function renderAll(tokens: readonly Token[] | undefined): ComponentChildren {
  return tokens?.map((token) => isKnown(token) ? render(token) : token.raw);
}

const known: Readonly<Record<MarkedToken["type"], true>> = {
  blockquote: true,
  br: true,
  checkbox: true,
  code: true,
  codespan: true,
  def: true,
  del: true,
  em: true,
  escape: true,
  heading: true,
  hr: true,
  html: true,
  image: true,
  link: true,
  list: true,
  list_item: true,
  paragraph: true,
  space: true,
  strong: true,
  table: true,
  text: true,
};

function isKnown(token: Token): token is MarkedToken {
  return Object.hasOwn(known, token.type);
}

function render(token: MarkedToken): ComponentChildren {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "br":
      return <br />;
    case "hr":
      return <hr />;
    case "heading":
      // The page has its own headings: those of a text are only strong lines of it.
      return <p class={`heading heading-${Math.min(token.depth, 4)}`}>{renderAll(token.tokens)}</p>;
    case "paragraph":
      return <p>{renderAll(token.tokens)}</p>;
    case "blockquote":
      return <blockquote>{renderAll(token.tokens)}</blockquote>;
    case "code":
      return (
        <pre>
          <code>{token.text}</code>
        </pre>
      );
    case "codespan":
      return <code>{token.text}</code>;
    case "strong":
      return <strong>{renderAll(token.tokens)}</strong>;
    case "em":
      return <em>{renderAll(token.tokens)}</em>;
    case "del":
      return <del>{renderAll(token.tokens)}</del>;
    case "list":
      return renderList(token);
    case "list_item":
      return <li>{renderAll(token.tokens)}</li>;
    case "checkbox":
      return token.checked ? "☑ " : "☐ ";
    case "table":
      return renderTable(token);
    case "link":
      return renderLink(token.href, renderAll(token.tokens));
    case "image":
      return renderLink(token.href, token.text || token.href);
    case "text":
      return "tokens" in token && token.tokens !== undefined ? renderAll(token.tokens) : decode(token.text);
    case "escape":
      return decode(token.text);
    case "html":
      return token.raw;
  }
}

function renderList({ ordered, start, items }: Tokens.List): JSX.Element {
  const children = items.map((item, at) => <li key={at}>{renderAll(item.tokens)}</li>);
  return ordered ? <ol start={start === "" ? 1 : start}>{children}</ol> : <ul>{children}</ul>;
}

function renderTable({ header, rows }: Tokens.Table): JSX.Element {
  return (
    <div class="table">
      <table>
        <thead>
          <tr>{header.map((cell, at) => <th key={at}>{renderAll(cell.tokens)}</th>)}</tr>
        </thead>
        <tbody>
          {rows.map((row, at) => <tr key={at}>{row.map((cell, col) => <td key={col}>{renderAll(cell.tokens)}</td>)}
          </tr>)}
        </tbody>
      </table>
    </div>
  );
}

function renderLink(href: string, children: ComponentChildren): ComponentChildren {
  if (!/^(https?:\/\/|mailto:)/i.test(href)) return children;
  return <a href={href} target="_blank" rel="noopener noreferrer">{children}</a>;
}

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** Markdown has HTML's entities; these are the ones that people and models write. */
function decode(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);
}
