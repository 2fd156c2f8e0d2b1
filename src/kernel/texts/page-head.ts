import { othersServed } from "../clock.ts";

/** What a page says of itself for previews. `imageUrl` as the page has it: perhaps relative to its address. */
export type PageHead = { title?: string; description?: string; imageUrl?: string };

/** Further tags are not read: a preview needs those at the beginning, and the parser's work grows with open tags. */
const MOST_TAGS = 600;
const LONGEST_WORDS = 2000;
/** Of the page, in characters: what is read before others are served. */
const PIECE = 32 * 1024;

/** TABLE: the names of the meta tags that a page says it with, the best first. */
const NAMES = {
  title: ["og:title", "twitter:title"],
  description: ["og:description", "twitter:description", "description"],
  imageUrl: ["og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src"],
} as const satisfies Record<keyof PageHead, readonly string[]>;

/**
 * The title, description and picture that a page names for previews (Open Graph, Twitter's cards, HTML). Between its
 * pieces others are served: pages of strangers are read in this process.
 */
export const pageHeadOf = async (html: string): Promise<PageHead> => {
  const { title, meta } = await headIn(html);
  const said = (names: readonly string[]): string | undefined =>
    names.map((name) => meta.get(name)).find((text) => text !== undefined && text !== "");
  const [named, description, imageUrl] = [said(NAMES.title) ?? title, said(NAMES.description), said(NAMES.imageUrl)];
  return {
    ...(named ? { title: named } : {}),
    ...(description ? { description } : {}),
    ...(imageUrl ? { imageUrl } : {}),
  };
};

type Head = { title: string; meta: Map<string, string> };

const headIn = async (html: string): Promise<Head> => {
  const { Parser } = await import("htmlparser2"); // a start does not need it
  const meta = new Map<string, string>();
  let title = "";
  let within: "before the title" | "the title" | "after the title" = "before the title";
  let tags = 0;
  let isRead = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      tags++;
      if (name === "body" || tags >= MOST_TAGS) {
        isRead = true;
        parser.pause();
      } else if (name === "meta") note(meta, attributes);
      else if (name === "title" && within === "before the title") within = "the title";
    },
    ontext(text) {
      if (within === "the title" && title.length < LONGEST_WORDS) title += text.slice(0, LONGEST_WORDS);
    },
    onclosetag(name) {
      if (name === "title" && within === "the title") within = "after the title";
    },
  });
  for (let at = 0; at < html.length && !isRead; at += PIECE) {
    parser.write(html.slice(at, at + PIECE));
    await othersServed();
  }
  return { title: words(title), meta };
};

/** Notes the content of a meta tag under its name. The first of each name counts. */
const note = (meta: Map<string, string>, { property, name = "", content }: Record<string, string>): void => {
  const key = (property ?? name).toLowerCase();
  if (key !== "" && content !== undefined && !meta.has(key)) meta.set(key, words(content.slice(0, LONGEST_WORDS)));
};

/** The signs that change the direction of a text stay out: the preview stands in a text of somebody else. */
const INVISIBLE = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Words in one line, without control characters. */
const words = (text: string): string =>
  text
    .replaceAll(INVISIBLE, "")
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();
