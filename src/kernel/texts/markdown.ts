import type { Token, Tokens } from "marked";

/** What a network puts around a text to emphasise it. A network without marks shows such characters as they are. */
export type TextMarks = { bold: string; italic: string; strike: string; code: string; block: string };

/**
 * A text beyond one of these limits is left as it is: reading it might take seconds. An answer has at most half of each.
 */
const MOST = { length: 10_000, signs: 1000, lines: 300 };
const SIGNS = /[*_~[\]`<>|\\&!()]/g;

const isTooMuch = (text: string): boolean =>
  text.length > MOST.length ||
  (text.match(SIGNS)?.length ?? 0) > MOST.signs ||
  (text.match(/\n/g)?.length ?? 0) > MOST.lines;

type Context = { marks: TextMarks | undefined; isBold: boolean };

const startsInWord = (text: string): boolean => /^[\p{L}\p{N}]/u.test(text);
const endsInWord = (text: string): boolean => /[\p{L}\p{N}]$/u.test(text.slice(-2));

/** Puts marks around each line of a text: networks do not carry them over the end of a line. */
const around = (mark: string, text: string): string =>
  text
    .split("\n")
    .map((line) => (line.trim() === "" ? line : `${mark}${line.trim()}${mark}`))
    .join("\n");

/** The blank lines at the end of a block. */
const tailOf = (raw: string): string => raw.slice(raw.trimEnd().length).replaceAll(/[^\n]/g, "");

const isLink = (text: string): boolean => /^<?[a-z][\w+.-]{0,20}:/i.test(text) || !text.startsWith("[");

const linkOf = ({ raw, href, text, tokens }: Tokens.Link, context: Context): string => {
  if (isLink(raw)) return raw.startsWith("<") ? text : raw;
  const said = inlineOf(tokens, context);
  if (said.trim() === "" || said === href) return href;
  return href === `mailto:${said}` || href === `tel:${said}` ? said : `${said} (${href})`;
};

const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
const isLetters = (text: string): boolean => /^[\p{L}\p{M}]+$/u.test(text);

/**
 * Whether marks emphasise. Stars around signs alone, or within words around more than letters, hide something instead:
 * an address `j**o@a.test`, or digits of a CPF.
 */
const isEmphasis = (said: string, isFree: boolean): boolean => hasWords(said) && (isFree || isLetters(said));

/**
 * Emphasis. A single mark is often the network's own, which a prompt asked for: `*so*` is bold there. It becomes italic
 * where the model's own bold stands within or around.
 */
const emphasisOf = ({ raw, tokens }: Tokens.Em, context: Context, isFree: boolean): string => {
  const { marks, isBold } = context;
  const said = inlineOf(tokens, context);
  if (!isFree || !hasWords(said)) return raw;
  if (!marks) return said;
  const holdsBold = tokens.some(({ type }) => type === "strong");
  return around(isBold || holdsBold ? marks.italic : (raw[0] ?? marks.italic), said);
};

const strongOf = ({ raw, tokens }: Tokens.Strong, context: Context, isFree: boolean): string => {
  const said = inlineOf(tokens, { ...context, isBold: true });
  if (!isEmphasis(said, isFree)) return raw;
  return context.marks && isFree && !context.isBold ? around(context.marks.bold, said) : said;
};

/** A single tilde is a range, `2~3 dias`, or the network's own mark. */
const strikeOf = ({ raw, tokens }: Tokens.Del, context: Context, isFree: boolean): string => {
  const said = inlineOf(tokens, context);
  if (!raw.startsWith("~~") || !isEmphasis(said, isFree)) return raw;
  return context.marks && isFree ? around(context.marks.strike, said) : said;
};

const isBreak = (html: string): boolean => /^<br ?\/?>$/i.test(html.trim());

/** The signs that models escape. A backslash before another one belongs to the text: to JSON, or to a path. */
const ESCAPED = "*_~`#[]()>+-.!|$";

/** `isFree`: no letter or digit touches the token, so that a network sees marks around it. */
const inlineToken = (token: Token, context: Context, isFree: boolean): string => {
  const { marks } = context;
  switch (token.type) {
    case "strong":
      return strongOf(token as Tokens.Strong, context, isFree);
    case "em":
      return emphasisOf(token as Tokens.Em, context, isFree);
    case "del":
      return strikeOf(token as Tokens.Del, context, isFree);
    case "codespan":
      return marks ? `${marks.code}${(token as Tokens.Codespan).text}${marks.code}` : (token as Tokens.Codespan).text;
    case "link":
      return linkOf(token as Tokens.Link, context);
    case "image": {
      const { text, href } = token as Tokens.Image;
      return text.trim() === "" ? href : `${text} (${href})`;
    }
    case "escape":
      return ESCAPED.includes((token as Tokens.Escape).text) ? (token as Tokens.Escape).text : token.raw;
    case "checkbox":
      return "";
    case "br":
      return "\n";
    case "html":
      return isBreak(token.raw) ? "\n" : token.raw;
    default:
      return "tokens" in token && token.tokens ? inlineOf(token.tokens, context) : token.raw;
  }
};

/** Two numbers that would become another one without the marks between them. */
const areDigits = (left: string, right: string): boolean => /\d/.test(left.slice(-1)) && /^\d/.test(right);

/** A name of a program that has two lines on both sides: `__init__.py`, `__main__()`. */
const isName = ({ raw }: Token, next: string): boolean => raw.startsWith("__") && /^(?:\.[\p{L}\p{N}]|\()/u.test(next);
/** A sign behind a backslash of a path, as in `C:\_backup`. */
const isInPath = ({ type }: Token, said: string): boolean =>
  type === "escape" && /^["'(]?[a-z]:|\\/i.test(said.slice(-LONGEST_PATH).split(/\s/).at(-1) ?? "");
const LONGEST_PATH = 260;

const inlineOf = (tokens: readonly Token[], context: Context): string => {
  let said = "";
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1]?.raw ?? "";
    const isFree = !endsInWord(said) && !startsInWord(next);
    const part = inlineToken(token, context, isFree);
    const stays = isName(token, next) || isInPath(token, said);
    said += stays || areDigits(said, part) || areDigits(part, next) ? token.raw : part;
  }
  return said;
};

const blanksOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? "";

/** The blanks that the parser took from the start of a line. It reads a tab as four blanks. */
const takenFrom = (line: string, left: string): string => {
  const [blanks, kept] = [blanksOf(line), blanksOf(left).length];
  return kept === 0 ? blanks : " ".repeat(Math.max(0, blanks.replaceAll("\t", "    ").length - kept));
};

/** The lines of a block within an item. Where they are no longer those of the text, two blanks are before each. */
const indented = (said: string, taken: readonly string[], isWithinFirst: boolean): string => {
  const lines = said.split("\n");
  const blanksAt = (at: number): string => (lines.length === taken.length ? (taken[at] ?? "") : "  ");
  return lines
    .map((line, at) => (line === "" || (isWithinFirst && at === 0) ? line : `${blanksAt(at)}${line}`))
    .join("\n");
};

const MARK = /^([ \t]*)([-+*]|\d{1,9}[.)])/;

/** An item with its mark. Its further lines are as far to the right as they were; a star becomes a dash. */
const itemOf = ({ raw, text, tokens, task, checked }: Tokens.ListItem, context: Context): string => {
  const [whole = "", before = "", sign = ""] = MARK.exec(raw) ?? [];
  const left = text.split("\n");
  const taken = raw
    .slice(whole.length)
    .split("\n")
    .map((line, at) => takenFrom(line, left[at] ?? ""));
  const box = task ? `${checked ? "☑" : "☐"} ` : "";
  let said = "";
  let at = 0;
  for (const token of tokens) {
    const lines = token.raw.trimEnd().split("\n").length;
    if (token.type === "space") said += token.raw;
    else said += indented(blockToken(token, context), taken.slice(at, at + lines), at === 0) + tailOf(token.raw);
    at += token.raw.split("\n").length - 1;
  }
  const mark = sign === "*" ? "- " : `${sign}${taken[0] ?? ""}`;
  return `${before}${mark}${box}${said}`.trimEnd();
};

const listOf = ({ items }: Tokens.List, context: Context): string =>
  items.map((item, at) => itemOf(item, context) + (at === items.length - 1 ? "" : tailOf(item.raw) || "\n")).join("");

const cellsIn = (line: string): number =>
  line
    .trim()
    .replace(/^\|/, "")
    .replace(/\|$/, "")
    .split(/(?<!\\)\|/).length;

/**
 * A line for each row, as no network has tables: each cell behind the name of its column. The text stays without rows,
 * without a line between columns, and with more cells than names: the parser leaves them out.
 */
const tableOf = ({ raw, header, rows }: Tokens.Table, context: Context): string => {
  const hasNamelessCells = raw.split("\n").some((line) => cellsIn(line) > header.length);
  if (rows.length === 0 || !raw.includes("|") || hasNamelessCells) return raw.trimEnd();
  const textOf = (cell: Tokens.TableCell | undefined): string => inlineOf(cell?.tokens ?? [], context).trim();
  const names = header.map((cell) => inlineOf(cell.tokens, { ...context, marks: undefined }).trim());
  const lines = raw.trimEnd().split("\n").slice(2);
  return rows
    .map((row, line) => {
      // the parser takes the line right below a table for one of its rows
      if (lines[line]?.includes("|") === false) return textOf(row[0]);
      const cells = row.map((cell, at) => [names[at] ?? "", textOf(cell)] as const).filter(([, text]) => text !== "");
      return `- ${cells.map(([name, text]) => (name === "" ? text : `${name}: ${text}`)).join("; ")}`;
    })
    .join("\n");
};

/** The name of a language. Anything else behind a fence is of the text, such as a Pix code. */
const LANGUAGE = /^[a-z][a-z+#.-]{0,15}$/i;
const CLOSED = /\n {0,3}(?:`{3,}|~{3,})\s*$/;

/** A block of code. Words behind its first fence, or a fence that nothing closes, are the text's own: the block stays. */
const codeOf = ({ raw, text, lang = "", codeBlockStyle }: Tokens.Code, { marks }: Context): string => {
  const isRead = lang === "" || (LANGUAGE.test(lang) && CLOSED.test(raw));
  if (codeBlockStyle === "indented" || !isRead) return raw.trimEnd();
  return marks ? `${marks.block}\n${text}\n${marks.block}` : text;
};

/** A heading is bold. Several lines above a line of dashes are none: the dashes end a paragraph. */
const headingOf = ({ raw, text, tokens }: Tokens.Heading, context: Context): string => {
  if (text.includes("\n")) return `${inlineOf(tokens, context)}\n${raw.trimEnd().split("\n").at(-1)}`;
  const said = inlineOf(tokens, { ...context, isBold: true });
  return context.marks ? around(context.marks.bold, said) : said;
};

const blockToken = (token: Token, context: Context): string => {
  switch (token.type) {
    case "space":
    case "checkbox":
      return token.type === "space" ? token.raw : "";
    case "heading":
      return headingOf(token as Tokens.Heading, context);
    case "list":
      return listOf(token as Tokens.List, context);
    case "table":
      return tableOf(token as Tokens.Table, context);
    case "code":
      return codeOf(token as Tokens.Code, context);
    case "blockquote":
      return blocksOf((token as Tokens.Blockquote).tokens, context)
        .trim()
        .split("\n")
        .map((line) => `> ${line}`)
        .join("\n");
    case "html":
      return isBreak(token.raw) ? "" : token.raw.trimEnd();
    default:
      return "tokens" in token && token.tokens ? inlineOf(token.tokens, context).trimEnd() : token.raw.trimEnd();
  }
};

const blocksOf = (tokens: readonly Token[], context: Context): string =>
  tokens.map((token) => blockToken(token, context) + (token.type === "space" ? "" : tailOf(token.raw))).join("");

/**
 * A model's Markdown in the marks of a network, or plain without marks. What is no Markdown stays as it is, so a text
 * without any is unchanged.
 */
export const inMarks = async (text: string, marks: TextMarks | undefined): Promise<string> => {
  if (isTooMuch(text)) return text;
  const { lexer } = await import("marked");
  try {
    return blocksOf(lexer(text), { marks, isBold: false });
  } catch {
    return text; // nested too deeply to be anybody's answer
  }
};
