import type { Zippable } from "fflate";
import { numberOdfLists, withItemNumbers, withMarkedNumbers } from "./document-lists.ts";
import { ELEMENT, markdownOf, type Node, UNSEEN, type Vocabulary } from "./document-markdown.ts";
import { isXml, partsOf } from "./document-parts.ts";
import { collector } from "./document-text.ts";

type Xml = Node & { documentElement: Node | null; getElementsByTagName(name: string): ArrayLike<Node> };

const parsed = async (xml: string): Promise<Xml> => {
  const { DOMParser } = await import("linkedom");
  return new DOMParser().parseFromString(xml, "text/xml") as Xml;
};

/** The title that a document's properties have. */
const titleIn = async (xml: string | undefined): Promise<string | null> => {
  if (xml === undefined) return null;
  const title = (await parsed(xml)).getElementsByTagName("dc:title")[0]?.firstChild?.data?.trim() ?? "";
  return title === "" ? null : title;
};

/**
 * The text of a DOCX document as Markdown. mammoth makes HTML of it, without comments, headers, and what was deleted.
 *
 * @throws TooLong, TooLarge, and for a file that is no DOCX document.
 */
export const readDocx = async (bytes: Uint8Array): Promise<{ title: string | null; text: string }> => {
  const properties = (await partsOf(bytes, (name) => name === "docProps/core.xml")).get("docProps/core.xml");
  const [{ default: mammoth }, { parseHTML }] = await Promise.all([import("mammoth"), import("linkedom")]);
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(await withNumbers(bytes)) },
    {
      styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => h2:fresh"],
      convertImage: mammoth.images.imgElement(async () => ({ src: "" })), // else as base64, in memory
    },
  );
  const page = parseHTML(`<html><body>${withItemNumbers(value)}</body></html>`) as unknown as { document: Node };
  return { title: await titleIn(properties), text: markdownOf(page.document) };
};

const NUMBERING = "word/numbering.xml";
const MAIN = /^word\/document\d?\.xml$/;

/** The texts of a document, in which each numbered paragraph says its number; the same bytes without numbered ones. */
const withNumbers = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const numbering = (await partsOf(bytes, (name) => name === NUMBERING)).get(NUMBERING);
  if (numbering === undefined) return bytes;
  const [{ strToU8, zipSync }, parts] = await Promise.all([import("fflate"), partsOf(bytes, isXml)]);
  const styles = parts.get("word/styles.xml") ?? "";
  const marked = [...parts].map(([name, xml]) => [
    name,
    strToU8(MAIN.test(name) ? withMarkedNumbers(xml, { numbering, styles }) : xml),
  ]);
  return zipSync(Object.fromEntries(marked) as Zippable, { level: 0 });
};

/** TABLE: what elements of OpenDocument are called in HTML. */
const ODF_NAMES: ReadonlyMap<string, string> = new Map([
  ["text:p", "p"],
  ["text:list-item", "li"],
  ["text:list-header", "li"],
  ["text:line-break", "br"],
  ["table:table", "table"],
  ["table:table-row", "tr"],
  ["table:table-cell", "td"],
  ["draw:page", "section"],
  ["draw:frame", "div"],
  // what is not seen on the page, or is said twice
  ...[
    "office:annotation office:forms office:scripts presentation:notes svg:desc svg:title",
    "table:covered-table-cell table:shapes text:alphabetical-index text:table-of-content text:tracked-changes",
  ]
    .flatMap((names) => names.split(" "))
    .map((name) => [name, UNSEEN] as const),
]);
const DEEPEST_HEADING = 6;

const inOdf: Vocabulary = (node) => {
  if (node.nodeName === "text:h")
    return `h${Math.min(Math.max(1, Number(node.getAttribute?.("text:outline-level")) || 1), DEEPEST_HEADING)}`;
  if (node.nodeName === "text:list") return (node.getAttribute?.("start") ?? "") === "" ? "ul" : "ol";
  if (node.nodeName === "draw:frame" && node.getAttribute?.("presentation:class") === "title") return "h2";
  return ODF_NAMES.get(node.nodeName) ?? "";
};

/**
 * The text of an OpenDocument text, presentation or spreadsheet as Markdown. A spreadsheet shows each sheet under its
 * name; hidden sheets are left out.
 *
 * @throws TooLong, TooLarge, Encrypted, and for a file that is no such document.
 */
export const readOdf = async (bytes: Uint8Array): Promise<{ title: string | null; text: string }> => {
  const parts = await partsOf(bytes, (name) => ["content.xml", "meta.xml", "styles.xml"].includes(name));
  const content = await parsed(parts.get("content.xml") ?? "");
  const title = await titleIn(parts.get("meta.xml"));
  const [body] = Array.from(content.getElementsByTagName("office:body"));
  if (!body) throw new Error("no body");
  const [sheets] = Array.from(content.getElementsByTagName("office:spreadsheet"));
  if (!sheets) {
    numberOdfLists(body, [await parsed(parts.get("styles.xml") ?? "<none/>"), content]);
    return { title, text: markdownOf(body, inOdf) };
  }
  const hidden = hiddenStyles(content);
  const { add, text } = collector();
  for (let sheet = sheets.firstChild; sheet; sheet = sheet.nextSibling) {
    if (sheet.nodeName !== "table:table" || hidden.has(sheet.getAttribute?.("table:style-name") ?? "")) continue;
    const table = markdownOf(sheet, inOdf);
    if (table.trim() !== "") add(`## ${sheet.getAttribute?.("table:name") ?? ""}\n\n${table}\n\n`);
  }
  return { title, text: text() };
};

/** The styles of sheets that are not shown. */
const hiddenStyles = (content: Xml): ReadonlySet<string> =>
  new Set(
    Array.from(content.getElementsByTagName("style:table-properties"))
      .filter((style) => style.getAttribute?.("table:display") === "false")
      .map((style) => style.parentNode?.getAttribute?.("style:name") ?? ""),
  );

/** TABLE: what elements of slides are called in HTML. */
const SLIDE_NAMES: ReadonlyMap<string, string> = new Map([
  ["a:p", "p"],
  ["a:br", "br"],
  ["a:tbl", "table"],
  ["a:tr", "tr"],
  ["a:tc", "td"],
  ["a:tableStyleId", UNSEEN],
  ["mc:Fallback", UNSEEN], // the same again, for older programs
]);
const TITLES = new Set(["title", "ctrTitle"]);
/** Placeholders of the date, the footer and the slide's number. */
const FRAMES = new Set(["dt", "ftr", "sldNum"]);

const childOf = (node: Node | undefined, name: string): Node | undefined => {
  for (let child = node?.firstChild; child; child = child.nextSibling) if (child.nodeName === name) return child;
  return undefined;
};

/** What a shape is for, such as `title`. */
const placeholderOf = (shape: Node): string =>
  childOf(childOf(childOf(shape, "p:nvSpPr"), "p:nvPr"), "p:ph")?.getAttribute?.("type") ?? "";

const inSlides: Vocabulary = (node) => {
  if (node.nodeName === "p:sp") {
    const placeholder = placeholderOf(node);
    if (FRAMES.has(placeholder)) return UNSEEN;
    return TITLES.has(placeholder) ? "h2" : "div";
  }
  // a cell that another stands over has an element of its own
  if (node.nodeName === "a:tc" && ["hMerge", "vMerge"].some((name) => node.getAttribute?.(name) === "1")) return UNSEEN;
  return SLIDE_NAMES.get(node.nodeName) ?? "";
};

const SLIDE = /^ppt\/slides\/[\w.-]{1,100}\.xml$/;
const RELATIONS = "ppt/_rels/presentation.xml.rels";
const PRESENTATION = "ppt/presentation.xml";
const PROPERTIES = "docProps/core.xml";

/**
 * The text of a PPTX presentation as Markdown, slide by slide in their order, without notes and hidden slides.
 *
 * @throws TooLong, TooLarge, and for a file that is no PPTX presentation.
 */
export const readPptx = async (bytes: Uint8Array): Promise<{ title: string | null; text: string }> => {
  const parts = await partsOf(
    bytes,
    (name) => SLIDE.test(name) || [RELATIONS, PRESENTATION, PROPERTIES].includes(name),
  );
  const { add, text } = collector();
  for (const name of await slidesOf(parts)) {
    const slide = await parsed(parts.get(name) ?? "");
    const root = slide.documentElement;
    if (root?.nodeType === ELEMENT && root.getAttribute?.("show") !== "0") add(`${markdownOf(root, inSlides)}\n\n`);
  }
  return { title: await titleIn(parts.get(PROPERTIES)), text: text() };
};

/** The parts with the slides, in the order of the presentation. */
const slidesOf = async (parts: ReadonlyMap<string, string>): Promise<string[]> => {
  const targets = new Map(
    Array.from((await parsed(parts.get(RELATIONS) ?? "")).getElementsByTagName("Relationship"), (relation) => [
      relation.getAttribute?.("Id") ?? "",
      (relation.getAttribute?.("Target") ?? "").replace(/^\/?(ppt\/)?/, "ppt/"),
    ]),
  );
  const order = (await parsed(parts.get(PRESENTATION) ?? "")).getElementsByTagName("p:sldId");
  const names = Array.from(order, (slide) => targets.get(slide.getAttribute?.("r:id") ?? "") ?? "");
  return [...new Set(names)].filter((name) => parts.has(name));
};
