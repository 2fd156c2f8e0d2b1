import type { SourceFile } from "./architecture.ts";

/** A name that more than one file uses, and its line. */
export type CrossingName = { line: number; name: string };

const DECLARED = /^export (?:default )?(?:declare )?(?:async )?(?:const|let|function\*?|class|type|interface) (\w+)/;
const LISTED = /^export (?:type )?\{([^}]*)\}/;
/** A type, or a table such as a schema or a list of codes; a function's body is local. */
const TYPE = /^export (?:declare )?(?:type|interface) /;
const TABLE = /^export const (?!.*=>).*[{[(]$/;
const MEMBER = /^\s+(?:readonly |async |get |set )*["'`]?([A-Za-z_][\w.:-]*)["'`]?\??\s*[:(,]/;
const LITERAL = /"([A-Za-z][\w.:-]*)"/g;
/** A code or a dotted name, such as PHONE_NOT_FOUND or message.sent: a single word of a table may be a text. */
const IS_CODE = /^(?:[A-Z]+(?:_[A-Z]+)*|\w+(?:[._:-]\w+)+)$/;

/**
 * The names in a file that other files can use: its own name, its exports, the members of exported types and tables,
 * and the codes in them. Comments, texts and local names are not among them.
 */
export const crossingNames = ({ path, text }: SourceFile): CrossingName[] => {
  const found = [{ line: 1, name: path.replace(/\.\w+$/, "") }];
  let inside: "type" | "table" | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const add = (name: string | undefined): void => void (name && found.push({ line: index + 1, name }));
    if (/^\S/.test(line)) inside = TYPE.test(line) ? "type" : TABLE.test(line) ? "table" : undefined;
    add(DECLARED.exec(line)?.[1]);
    for (const name of LISTED.exec(line)?.[1]?.split(/\bas\b|,/) ?? []) add(name.replace("type ", "").trim());
    if (!inside || /^\s*(?:\*|\/\/|\/\*)/.test(line)) continue;
    const codes = [...line.matchAll(LITERAL)].map(([, word = ""]) => word);
    const names = [MEMBER.exec(line)?.[1], ...codes.filter((word) => inside === "type" || IS_CODE.test(word))];
    for (const name of new Set(names)) add(name);
  }
  return found;
};

/** The words of a name, such as "findMessageByKey", "message_keys" or "MESSAGE_KEYS". */
export const wordsOfName = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/[_./:-]/g, " ")
    .toLowerCase();
