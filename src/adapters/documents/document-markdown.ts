import { collector } from "./document-text.ts";
import { type Cell, gridOf, markdownTable } from "./markdown-table.ts";

/** The part of linkedom's document model that is used here. */
export type Node = {
  nodeType: number;
  nodeName: string;
  data?: string;
  firstChild: Node | null;
  nextSibling: Node | null;
  parentNode: Node | null;
  getAttribute?(name: string): string | null;
  setAttribute?(name: string, value: string): void;
};

export const ELEMENT = 1;
const TEXTS = new Set([3, 4]); // text, and CDATA of XML

/** What an element is called in HTML; `UNSEEN` for what nobody reads. */
export type Vocabulary = (element: Node) => string;
export const UNSEEN = "script";

const UNSEEN_NAMES = new Set(
  [UNSEEN, "style noscript template head svg iframe object canvas select button"].flatMap((names) => names.split(" ")),
);
const PARAGRAPHS = new Set(
  [
    "address article aside blockquote body caption dd details div dl dt fieldset figcaption figure footer form",
    "header hr main nav ol p pre section summary table ul",
  ].flatMap((names) => names.split(" ")),
);
const LINES = new Set(["li", "tr", "option"]);
const CELLS = new Set(["td", "th"]);
const HEADING = /^h[1-6]$/;

const spanOf = (node: Node, names: readonly string[]): number =>
  Math.max(1, ...names.map((name) => Number(node.getAttribute?.(name) ?? 1) || 1));
const COLUMNS = ["colspan", "gridSpan", "table:number-columns-spanned"];
const ROWS = ["rowspan", "rowSpan", "table:number-rows-spanned"];
const REPEATED = { td: "table:number-columns-repeated", tr: "table:number-rows-repeated" };
/** What is believed of a cell or row that claims to be there more often. */
const MOST_REPEATED = 100;
const timesOf = (node: Node, name: string): number => Math.min(spanOf(node, [name]), MOST_REPEATED);

/** Collects texts with the gaps between them. A gap or a mark, such as that of a list, appears with the next text. */
const writer = () => {
  const { add, text } = collector();
  let gap = 0;
  let mark = "";
  let isEmpty = true;
  return {
    gap: (lines: number) => void (gap = Math.max(gap, lines)),
    /** A line ends; a second end in a row is that of a paragraph. */
    break: () => void (gap = Math.min(gap + 1, 2)),
    mark: (next: string) => void (mark = next),
    hasMark: () => mark !== "",
    add(part: string) {
      if (part.trim() === "") return gap === 0 && !isEmpty ? add(part) : undefined;
      add(`${isEmpty ? "" : "\n".repeat(gap)}${mark}${part}`);
      gap = 0;
      mark = "";
      isEmpty = false;
    },
    text,
  };
};
type Writer = ReturnType<typeof writer>;
type Table = { rows: Cell[][]; hasTables: boolean };
type List = { isOrdered: boolean; items: number };

/** What a table says. One that arranges other things, or has one column, is no table for a reader. */
const tableText = ({ rows, hasTables }: Table): string =>
  hasTables || rows.every((cells) => cells.length < 2)
    ? rows.flatMap((cells) => cells.map(({ text }) => text.trim())).join("\n\n")
    : markdownTable(gridOf(rows));

/** A number that a list or an item has, such as that of the first item; undefined without one. */
const numberIn = (node: Node, name: "start" | "value"): number | undefined => {
  const text = node.getAttribute?.(name)?.trim() ?? "";
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined;
};

/** A whole number that a spreadsheet shortens: 5.512E+12 stands for a telephone number. */
const SHORTENED = /^[+-]?\d(?:[.,]\d+)?E[+-]?\d+$/i;
const unshortened = (node: Node, text: string): string => {
  const value = Number(node.getAttribute?.("office:value") ?? Number.NaN);
  return Number.isSafeInteger(value) && SHORTENED.test(text.trim()) ? String(value) : text;
};

const cellOf = (node: Node, text: string): Cell => ({
  text: unshortened(node, text),
  columns: spanOf(node, COLUMNS),
  rows: spanOf(node, ROWS),
});

const repeatRow = (rows: Cell[][] | undefined, node: Node): void => {
  const row = rows?.at(-1);
  if (row?.some(({ text }) => text.trim() !== ""))
    rows?.push(...Array.from({ length: timesOf(node, REPEATED.tr) - 1 }, () => row));
};

/** Lines of a program, or of an address, end where they end. */
const addLines = (out: Writer, data: string): void => {
  for (const [at, line] of data.split("\n").entries()) {
    if (at > 0) out.break();
    out.add(line);
  }
};

/** The state of a walk through a document: where its texts go. */
const walking = () => {
  const writers: Writer[] = [writer()];
  const tables: Table[] = [];
  const lists: List[] = [];
  const out = (): Writer => writers.at(-1) as Writer;
  const gap = (): void => out().gap(lists.length > 0 ? 1 : 2);

  const openTable = (): void => {
    gap();
    const outer = tables.at(-1);
    if (outer && writers.length > 1) outer.hasTables = true;
    tables.push({ rows: [], hasTables: false });
  };
  const openList = (isOrdered: boolean) => (node: Node) => {
    gap();
    lists.push({ isOrdered, items: isOrdered ? (numberIn(node, "start") ?? 1) - 1 : 0 });
  };
  const openItem = (node: Node): void => {
    out().gap(1);
    const list = lists.at(-1);
    const own = numberIn(node, "value");
    if (list && own !== undefined) list.items = own - 1;
    if (list) out().mark(list.isOrdered ? `${++list.items}. ` : "- ");
  };
  const openCell = (): void => {
    if (tables.length > 0) writers.push(writer());
  };
  const openHeading = (name: string): void => {
    out().gap(2);
    if (writers.length === 1) out().mark(`${"#".repeat(Number(name.slice(1)))} `);
  };
  const openings = new Map<string, (node: Node) => void>([
    ["br", () => out().break()],
    ["table", openTable],
    ["tr", () => void tables.at(-1)?.rows.push([])],
    ["td", openCell],
    ["th", openCell],
    ["ol", openList(true)],
    ["ul", openList(false)],
    ["li", openItem],
  ]);

  let pres = 0;
  const enter = (name: string, node: Node): void => {
    const open = openings.get(name);
    if (name === "pre") pres += 1;
    if (open) open(node);
    else if (HEADING.test(name)) openHeading(name);
    else if (PARAGRAPHS.has(name) && !out().hasMark()) gap();
  };

  const leaveCell = (node: Node): void => {
    const cell = cellOf(node, (writers.pop() as Writer).text());
    const rows = tables.at(-1)?.rows ?? [];
    if (rows.length === 0) rows.push([]);
    rows.at(-1)?.push(...Array.from({ length: timesOf(node, REPEATED.td) }, () => cell));
  };

  const leave = (name: string, node: Node): void => {
    if (CELLS.has(name)) return tables.length > 0 ? leaveCell(node) : out().add(" ");
    if (name === "tr") repeatRow(tables.at(-1)?.rows, node);
    if (name === "pre") pres -= 1;
    if (name === "ol" || name === "ul") lists.pop();
    if (name === "table") out().add(tableText(tables.pop() as Table));
    if (PARAGRAPHS.has(name)) gap();
    else if (HEADING.test(name)) out().gap(2);
    else if (LINES.has(name)) out().gap(1);
  };
  const addText = (data: string): void =>
    pres === 0 || writers.length > 1 ? out().add(data.replaceAll(/\s+/g, " ")) : addLines(out(), data);
  return { addText, out, enter, leave };
};

const inHtml: Vocabulary = ({ nodeName }) => nodeName.toLowerCase();

/**
 * The visible text of a part of a document as Markdown: headings, lists and tables. Not recursive, because the depth of
 * documents has no limit.
 *
 * @throws TooLong
 */
export const markdownOf = (root: Node, vocabulary: Vocabulary = inHtml): string => {
  const { addText, out, enter, leave } = walking();
  const nameOf = (node: Node): string => (node.nodeType === ELEMENT ? vocabulary(node) : "");
  for (let node = root; ; ) {
    const name = nameOf(node);
    if (TEXTS.has(node.nodeType)) addText(node.data ?? "");
    if (!UNSEEN_NAMES.has(name)) {
      enter(name, node);
      if (node.firstChild) {
        node = node.firstChild;
        continue;
      }
      leave(name, node);
    }
    while (node !== root && !node.nextSibling) {
      node = node.parentNode ?? root;
      leave(nameOf(node), node);
    }
    if (node === root || !node.nextSibling) return out().text();
    node = node.nextSibling;
  }
};
