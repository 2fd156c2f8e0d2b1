/** What a page says of itself for previews. `imageUrl` as the page has it: perhaps relative to its address. */
export type PageHead = { title?: string; description?: string; imageUrl?: string };

/** Further tags are not read: a preview needs those at the beginning. */
const MOST_TAGS = 600;
/** A longer tag is skipped, in characters. */
const LONGEST_TAG = 2048;
const LONGEST_WORDS = 2000;

/** TABLE: the names of the meta tags that a page says it with, the best first. */
const NAMES = {
  title: ["og:title", "twitter:title"],
  description: ["og:description", "twitter:description", "description"],
  imageUrl: ["og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src"],
} as const satisfies Record<keyof PageHead, readonly string[]>;

/** TABLE: the elements whose content is no markup, and ends with their own end alone. */
const RAW: ReadonlySet<string> = new Set(["script", "style", "noscript", "template", "svg", "textarea"]);

/**
 * The title, description and picture that a page names for previews (Open Graph, Twitter's cards, HTML). It looks at
 * each character a fixed number of times, whatever the page has: pages of strangers are read in this process.
 */
export const pageHeadOf = (html: string): PageHead => {
  const { title, meta } = headIn(html);
  const said = (names: readonly string[]): string | undefined =>
    names.map((name) => meta.get(name)).find((text) => text !== undefined && text !== "");
  const [named, description, imageUrl] = [said(NAMES.title) ?? title, said(NAMES.description), said(NAMES.imageUrl)];
  return {
    ...(named ? { title: named } : {}),
    ...(description ? { description } : {}),
    ...(imageUrl ? { imageUrl } : {}),
  };
};

type Head = { title: string | undefined; meta: Map<string, string> };

const headIn = (html: string): Head => {
  const lower = html.replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase()); // of the same length
  const meta = new Map<string, string>();
  let title: string | undefined;
  let at = 0;
  for (let tags = 0; tags < MOST_TAGS; tags++) {
    const start = html.indexOf("<", at);
    if (start === -1) break;
    if (html.startsWith("<!--", start)) {
      const end = html.indexOf("-->", start + 4);
      if (end === -1) break;
      at = end + 3;
      continue;
    }
    const name = nameAt(lower, start + 1);
    if (name === "body") break;
    const end = endOfTag(html, start);
    at = (end ?? start) + 1;
    if (end === undefined) continue;
    if (name === "title" && title === undefined) title = words(textUntilTag(html, end + 1));
    if (name === "meta") note(meta, html.slice(start + 1 + name.length, end));
    if (RAW.has(name)) {
      at = lower.indexOf(`</${name}`, at);
      if (at === -1) break;
    }
  }
  return { title, meta };
};

const LONGEST_NAME = 10;

const nameAt = (html: string, from: number): string => /^[a-z]+/.exec(html.slice(from, from + LONGEST_NAME))?.[0] ?? "";

/** The place of the `>` that ends a tag: not the one in a quoted value. Undefined for a tag that is too long. */
const endOfTag = (html: string, start: number): number | undefined => {
  let quote: string | undefined;
  for (let at = start + 1; at < Math.min(html.length, start + LONGEST_TAG); at++) {
    const sign = html.charAt(at);
    if (quote !== undefined) {
      if (sign === quote) quote = undefined;
    } else if (sign === ">") return at;
    else if (sign === '"' || sign === "'") quote = sign;
  }
  return undefined;
};

const textUntilTag = (html: string, from: number): string => {
  const part = html.slice(from, from + LONGEST_WORDS);
  const end = part.indexOf("<");
  return end === -1 ? part : part.slice(0, end);
};

/** Notes the content of a meta tag under its name. The first of each name counts. */
const note = (meta: Map<string, string>, attributes: string): void => {
  const values = attributesIn(attributes);
  const name = (values.get("property") ?? values.get("name") ?? "").toLowerCase();
  const content = values.get("content");
  if (name === "" || content === undefined || meta.has(name)) return;
  meta.set(name, words(content.slice(0, LONGEST_WORDS)));
};

const SPACE = /\s/;

const attributesIn = (text: string): Map<string, string> => {
  const found = new Map<string, string>();
  let at = 0;
  while (at < text.length) {
    const equals = text.indexOf("=", at);
    if (equals === -1) break;
    const name = text.slice(at, equals).trim().split(SPACE).at(-1)?.toLowerCase() ?? "";
    let from = equals + 1;
    while (from < text.length && SPACE.test(text.charAt(from))) from++;
    const quote = text.charAt(from);
    const isQuoted = quote === '"' || quote === "'";
    let end = isQuoted ? text.indexOf(quote, from + 1) : from;
    if (end === -1) break;
    if (!isQuoted) while (end < text.length && !SPACE.test(text.charAt(end))) end++;
    if (!found.has(name)) found.set(name, text.slice(isQuoted ? from + 1 : from, end));
    at = end + 1;
  }
  return found;
};

/** TABLE: the signs that pages write by name. */
const SIGNS: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  middot: "·",
  bull: "•",
  laquo: "«",
  raquo: "»",
  ldquo: "“",
  rdquo: "”",
  lsquo: "‘",
  rsquo: "’",
};

const decoded = (text: string): string =>
  text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi,
    (whole, decimal: string | undefined, hex: string, name: string | undefined) => {
      if (name !== undefined) return Object.hasOwn(SIGNS, name) ? (SIGNS[name] ?? whole) : whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10_ffff && !(code >= 0xd8_00 && code <= 0xdf_ff) ? String.fromCodePoint(code) : "";
    },
  );

/** The signs that change the direction of a text stay out: the preview stands in a text of somebody else. */
const INVISIBLE = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Words in one line, without control characters. */
const words = (text: string): string =>
  decoded(text)
    .replaceAll(INVISIBLE, "")
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();
