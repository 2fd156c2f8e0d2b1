import { ELEMENT, type Node } from "./document-markdown.ts";

// The numbers of lists in office documents. Their readers know that a list has numbers, and not which.

/** A level of a numbering: whether it has numbers, and its first one. */
type Level = { isOrdered: boolean; start: number };
type Levels = Map<number, Level>;

const attributeOf = (tag: string, name: string): string => {
  const at = tag.indexOf(` ${name}="`);
  if (at < 0) return "";
  const from = at + name.length + 3;
  return tag.slice(from, tag.indexOf('"', from));
};
const WHOLE = /^\d{1,9}$/;
const wholeOf = (text: string | null | undefined): number | undefined =>
  text && WHOLE.test(text) ? Number(text) : undefined;

/** TABLE: the tags of numberings that are read. https://ecma-international.org/publications-and-standards/standards/ecma-376/ */
const NUMBERING = /<w:(abstractNum|num|abstractNumId|lvlOverride|lvl|start|startOverride|numFmt)(?=[\s/>])[^<>]*>/g;

/** A numbering: the levels that it shares with others, and the levels that begin anew with its first paragraph. */
type Numbering = { shared: string; restarts: Map<number, number> };
type Numberings = { levels: ReadonlyMap<string, Levels>; byId: ReadonlyMap<string, Numbering> };

const numberingsIn = (xml: string): Numberings => {
  const levels = new Map<string, Levels>();
  const byId = new Map<string, Numbering>();
  let own: Levels = new Map();
  let numbering: Numbering = { shared: "", restarts: new Map() };
  let at = 0;
  const openings: Readonly<Record<string, (tag: string) => void>> = {
    abstractNum: (tag) => void levels.set(attributeOf(tag, "w:abstractNumId"), (own = new Map())),
    num: (tag) => void byId.set(attributeOf(tag, "w:numId"), (numbering = { shared: "", restarts: new Map() })),
    abstractNumId: (tag) => void (numbering.shared = attributeOf(tag, "w:val")),
    lvlOverride: (tag) => void (at = wholeOf(attributeOf(tag, "w:ilvl")) ?? 0),
    startOverride: (tag) => void numbering.restarts.set(at, wholeOf(attributeOf(tag, "w:val")) ?? 1),
    lvl(tag) {
      at = wholeOf(attributeOf(tag, "w:ilvl")) ?? 0;
      if (!own.has(at)) own.set(at, { isOrdered: true, start: 1 });
    },
    start: (tag) => changeLevel({ start: wholeOf(attributeOf(tag, "w:val")) ?? 1 }),
    numFmt: (tag) => changeLevel({ isOrdered: attributeOf(tag, "w:val") !== "bullet" }),
  };
  const changeLevel = (change: Partial<Level>): void => void Object.assign(own.get(at) ?? {}, change);
  for (const [tag, name = ""] of xml.matchAll(NUMBERING)) openings[name]?.(tag);
  return { levels, byId };
};

/** Counts the paragraphs of each numbering, as a program shows them. */
const counting = ({ levels, byId }: Numberings) => {
  const counts = new Map<string, number[]>();
  const restarted = new Set<string>();
  /** The number of the next paragraph; undefined for one without a number. */
  return (id: string, at: number): number | undefined => {
    const numbering = byId.get(id);
    const level = levels.get(numbering?.shared ?? "")?.get(at);
    if (!numbering || !level?.isOrdered) return undefined;
    const known = counts.get(numbering.shared) ?? [];
    const restart = restarted.has(`${id}/${at}`) ? undefined : numbering.restarts.get(at);
    restarted.add(`${id}/${at}`);
    const before = known[at];
    const number = restart ?? (before === undefined ? level.start : before + 1);
    const next = known.slice(0, at); // deeper levels begin anew
    next[at] = number;
    counts.set(numbering.shared, next);
    return number;
  };
};

/** Signs of no language around a number, which pass through the library with the text of a paragraph. */
const [BEFORE, BEHIND] = ["\u{E000}", "\u{E001}"];
const MARKED_ITEM = /<li>((?:<[a-z][^<>]{0,200}>){0,8})\u{E000}(\d{1,10})\u{E001}/gu;
const MARK = /\u{E000}\d{1,10}\u{E001}/gu;

const STYLES = /<w:style(?=[\s>])[^<>]*>|<w:(?:numId|ilvl)(?=[\s/>])[^<>]*>/g;

/** The numbering that a style of paragraphs has. */
const styledIn = (xml: string): ReadonlyMap<string, { id: string; at: number }> => {
  const styled = new Map<string, { id: string; at: number }>();
  let style = "";
  let at = 0;
  for (const [tag] of xml.matchAll(STYLES)) {
    if (tag.startsWith("<w:style")) [style, at] = [attributeOf(tag, "w:styleId"), 0];
    else if (tag.startsWith("<w:ilvl")) at = wholeOf(attributeOf(tag, "w:val")) ?? 0;
    else styled.set(style, { id: attributeOf(tag, "w:val"), at });
  }
  return styled;
};

const PARAGRAPH = /<w:pPr>|<\/w:pPr>|<w:(?:numId|ilvl|pStyle)(?=[\s/>])[^<>]*>/g;
const DEEPEST = 8;

/** A paragraph's numbering, its level and its style, each only if the paragraph names it. `end`: where its text begins. */
type Paragraph = { id?: string; at?: number; style?: string; end: number };

function* paragraphsIn(xml: string): Generator<Paragraph> {
  let depth = 0;
  let paragraph: Paragraph = { end: 0 };
  for (const { 0: tag, index } of xml.matchAll(PARAGRAPH)) {
    if (tag === "<w:pPr>") depth += 1;
    else if (tag === "</w:pPr>") {
      depth -= 1;
      if (depth === 0) yield { ...paragraph, end: index + tag.length };
      if (depth === 0) paragraph = { end: 0 };
    } else if (depth === 1) {
      // deeper is what the paragraph was before a tracked change
      const value = attributeOf(tag, "w:val");
      if (tag.startsWith("<w:numId")) paragraph.id = value;
      else if (tag.startsWith("<w:ilvl")) paragraph.at = wholeOf(value) ?? 0;
      else paragraph.style = value;
    }
  }
}

/**
 * The main part of a DOCX document with the number of each numbered paragraph at its beginning, between two signs.
 * `withItemNumbers` makes numbers of list items of them.
 */
export const withMarkedNumbers = (
  xml: string,
  { numbering, styles }: { numbering: string; styles: string },
): string => {
  const numberOf = counting(numberingsIn(numbering));
  const styled = styledIn(styles);
  const parts: string[] = [];
  let from = 0;
  for (const { id, at, style = "", end } of paragraphsIn(xml)) {
    const own = id === undefined ? styled.get(style) : { id, at: 0 };
    const level = at ?? own?.at ?? 0;
    const number = own && level <= DEEPEST ? numberOf(own.id, level) : undefined;
    if (number === undefined) continue;
    parts.push(xml.slice(from, end), `<w:r><w:t>${BEFORE}${number}${BEHIND}</w:t></w:r>`);
    from = end;
  }
  return parts.join("") + xml.slice(from);
};

/** HTML whose list items have the numbers that their paragraphs were marked with. */
export const withItemNumbers = (html: string): string =>
  html.replaceAll(MARKED_ITEM, '<li value="$2">$1').replaceAll(MARK, "");

type Styles = ReadonlyMap<string, Levels>;
type Parsed = { getElementsByTagName(name: string): ArrayLike<Node> };

const listStylesIn = (parts: readonly Parsed[]): Styles => {
  const styles = new Map<string, Levels>();
  for (const style of parts.flatMap((part) => Array.from(part.getElementsByTagName("text:list-style")))) {
    const levels: Levels = new Map();
    for (let level = style.firstChild; level; level = level.nextSibling) {
      if (level.nodeType !== ELEMENT) continue;
      const read = (name: string): string | null | undefined => level?.getAttribute?.(name);
      levels.set(wholeOf(read("text:level")) ?? 1, {
        isOrdered: level.nodeName === "text:list-level-style-number" && (read("style:num-format") ?? "") !== "",
        start: wholeOf(read("text:start-value")) ?? 1,
      });
    }
    styles.set(style.getAttribute?.("style:name") ?? "", levels);
  }
  return styles;
};

const UNNUMBERED: Level = { isOrdered: false, start: 1 };

/** A list while it is open. `next`: the number of its next item. */
type OpenList = { style: string; id: string; isOrdered: boolean; next: number };

/**
 * Gives each numbered list of an OpenDocument text the number of its first item as lists of HTML have it, `start`, and
 * items with a number of their own `value`. https://docs.oasis-open.org/office/OpenDocument/v1.3/os/part3-schema/
 */
export const numberOdfLists = (root: Node, parts: readonly Parsed[]): void => {
  const styles = listStylesIn(parts);
  const open: OpenList[] = [];
  /** The next numbers of the lists that have ended, by their ids and by their styles at a level. */
  const ended = new Map<string, number>();

  const openList = (node: Node): void => {
    const read = (name: string): string => node.getAttribute?.(name) ?? "";
    const style = read("text:style-name") || (open.at(-1)?.style ?? "");
    const { isOrdered, start } = styles.get(style)?.get(open.length + 1) ?? UNNUMBERED;
    const next = continuedBy(read, style) ?? start;
    open.push({ style, id: read("xml:id"), isOrdered, next });
    if (isOrdered) node.setAttribute?.("start", String(next));
  };
  /** The number at which a list goes on that continues another; undefined for a list of its own. */
  const continuedBy = (read: (name: string) => string, style: string): number | undefined => {
    const id = read("text:continue-list");
    const isContinued = id !== "" || read("text:continue-numbering") === "true";
    return isContinued ? (ended.get(`id ${id}`) ?? ended.get(`${open.length} ${style}`)) : undefined;
  };
  const openItem = (node: Node): void => {
    const list = open.at(-1);
    const own = wholeOf(node.getAttribute?.("text:start-value"));
    if (!list?.isOrdered) return;
    if (own !== undefined) node.setAttribute?.("value", String(own));
    list.next = (own ?? list.next) + 1;
  };
  const closeList = (): void => {
    const list = open.pop();
    if (!list) return;
    ended.set(`${open.length} ${list.style}`, list.next);
    if (list.id !== "") ended.set(`id ${list.id}`, list.next);
  };
  everyElement(root, {
    enter: (node) => {
      if (node.nodeName === "text:list") openList(node);
      if (node.nodeName === "text:list-item") openItem(node);
    },
    leave: (node) => {
      if (node.nodeName === "text:list") closeList();
    },
  });
};

/** Walks through the elements below a node. Not recursive, because the depth of documents has no limit. */
const everyElement = (root: Node, { enter, leave }: { enter(node: Node): void; leave(node: Node): void }): void => {
  for (let node = root; ; ) {
    if (node.nodeType === ELEMENT) enter(node);
    if (node.firstChild) {
      node = node.firstChild;
      continue;
    }
    if (node.nodeType === ELEMENT) leave(node);
    while (node !== root && !node.nextSibling) {
      node = node.parentNode ?? root;
      leave(node);
    }
    if (node === root || !node.nextSibling) return;
    node = node.nextSibling;
  }
};
