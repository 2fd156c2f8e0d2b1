import { collector } from "./document-text.ts";

/** What is used of the document model that linkedom makes: types of browsers are not ours. */
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
/** Of a page of more tags all is taken: finding the article takes time in their square when they are nested. */
const MAX_TAGS = 10_000;
/** What is shorter is a remark beside the article. */
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
  "address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section summary table ul".split(
    " ",
  ),
);
const LINES = new Set(["br", "li", "tr", "option"]);
const CELLS = new Set(["td", "th"]);

const nameOf = (node: Node): string => (node.nodeType === ELEMENT ? (node.localName ?? "") : "");

/** What stands after an element. */
const endOf = (name: string): string => {
  if (PARAGRAPHS.has(name)) return "\n\n";
  if (LINES.has(name)) return "\n";
  return CELLS.has(name) ? " " : "";
};

/**
 * What a part of a page shows, paragraphs apart from each other. Walks without recursion: pages nest as deep as they
 * like.
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

/** The article of a page where it has one that can be told from the rest, else all that it shows. Throws TooLong. */
export const readHtml = async (html: string): Promise<{ title: string | null; text: string }> => {
  const { parseHTML } = await import("linkedom");
  const pageAnew = () =>
    (
      parseHTML(/<(html|body)\b/i.test(html) ? html : `<html><body>${html}</body></html>`) as unknown as {
        document: Page;
      }
    ).document;
  const page = pageAnew();
  const title = page.title || null;
  const isSmall = html.split("<", MAX_TAGS).length < MAX_TAGS;
  const article = isSmall ? await articleOf(pageAnew()) : null; // of a page of its own, for it is taken apart
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
    return null; // it is too deep for it, or has no body
  }
};
