import { collector } from "./document-text.ts";

/** The part of linkedom's document model that is used here. */
type Node = {
  nodeType: number;
  localName?: string;
  data?: string;
  firstChild: Node | null;
  nextSibling: Node | null;
  parentNode: Node | null;
};
type Page = Node & { title: string };
type Article = { title?: string | null; content?: Node | null } | null;

const ELEMENT = 1;
const TEXT = 3;
/** Pages with more tags are read whole: finding the article in nested tags takes quadratic time. */
const MAX_TAGS = 10_000;
/** A shorter text is not taken for the article, in characters. */
const SHORTEST_ARTICLE = 200;

const UNSEEN = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "head",
  "svg",
  "iframe",
  "object",
  "canvas",
  "select",
  "button",
]);
const PARAGRAPHS = new Set(
  [
    "address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form",
    "h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section summary table ul",
  ].flatMap((names) => names.split(" ")),
);
const LINES = new Set(["br", "li", "tr", "option"]);
const CELLS = new Set(["td", "th"]);

const nameOf = (node: Node): string => (node.nodeType === ELEMENT ? (node.localName ?? "") : "");

/** The text that is added after an element. */
const endOf = (name: string): string => {
  if (PARAGRAPHS.has(name)) return "\n\n";
  if (LINES.has(name)) return "\n";
  return CELLS.has(name) ? " " : "";
};

/**
 * The visible text of a part of a page, with paragraphs separated. Not recursive, because the depth of pages has no
 * limit.
 */
const shownBy = (root: Node): string => {
  const { add, text } = collector();
  for (let node = root; ; ) {
    const name = nameOf(node);
    if (node.nodeType === TEXT) add((node.data ?? "").replaceAll(/\s+/g, " "));
    if (PARAGRAPHS.has(name)) add("\n\n");
    if (node.firstChild && !UNSEEN.has(name)) {
      node = node.firstChild;
      continue;
    }
    add(endOf(name));
    while (node !== root && !node.nextSibling) {
      node = node.parentNode ?? root;
      add(endOf(nameOf(node)));
    }
    if (node === root || !node.nextSibling) return text();
    node = node.nextSibling;
  }
};

/**
 * The article of a page if Readability finds one, else all visible text.
 *
 * @throws TooLong
 */
export const readHtml = async (html: string): Promise<{ title: string | null; text: string }> => {
  const { parseHTML } = await import("linkedom");
  const newPage = () =>
    (
      parseHTML(/<(html|body)\b/i.test(html) ? html : `<html><body>${html}</body></html>`) as unknown as {
        document: Page;
      }
    ).document;
  const page = newPage();
  const title = page.title || null;
  const isSmall = html.split("<", MAX_TAGS).length < MAX_TAGS;
  const article = isSmall ? await articleOf(newPage()) : null; // Readability changes its page
  const text = article?.content ? shownBy(article.content) : "";
  return text.trim().length < SHORTEST_ARTICLE
    ? { title, text: shownBy(page) }
    : { title: article?.title || title, text };
};

const articleOf = async (page: Page): Promise<Article> => {
  const { Readability } = await import("@mozilla/readability");
  type Reader = new (page: Page, options: object) => { parse(): Article };
  try {
    return new (Readability as unknown as Reader)(page, { serializer: (node: Node) => node }).parse();
  } catch {
    return null; // nested too deep, or without a body
  }
};
