import { markdownOf, type Node } from "./document-markdown.ts";

type Page = Node & { title: string };
type Article = { title?: string | null; content?: Node | null } | null;

/** Pages with more tags are read whole: finding the article in nested tags takes quadratic time. */
const MAX_TAGS = 10_000;
/** A shorter text is not taken for the article, in characters. */
const SHORTEST_ARTICLE = 200;

/** A page without declarations: a walk by siblings ends at one, because in linkedom it has no next one. */
const withoutDoctypes = (html: string): string => {
  const parts: string[] = [];
  let from = 0;
  for (const { index } of html.matchAll(/<!doctype/gi)) {
    if (index < from) continue;
    const end = html.indexOf(">", index);
    if (end === -1) break;
    parts.push(html.slice(from, index));
    from = end + 1;
  }
  return parts.join("") + html.slice(from);
};

/**
 * The article of a page if Readability finds one, else all visible text, as Markdown.
 *
 * @throws TooLong
 */
export const readHtml = async (source: string): Promise<{ title: string | null; text: string }> => {
  const { parseHTML } = await import("linkedom");
  const html = withoutDoctypes(source);
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
  const text = article?.content ? markdownOf(article.content) : "";
  return text.trim().length < SHORTEST_ARTICLE
    ? { title, text: markdownOf(page) }
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
