import type * as ESTree from "oxc-parser";
import { parseSync, Visitor } from "oxc-parser";

/** A declaration of a file: its text, with the comment before it. */
type Declaration = { name: string; text: string; comment: string; start: number; end: number };

/** A read of many rows. `at`: the declaration that runs it. */
export type Read = { at: string; isLimited: boolean; isBounded: boolean };

const namesIn = (id: ESTree.Node): string[] => (id.type === "Identifier" ? [id.name] : []);

/** Every `const` and function of a file, also those within functions. */
const declarationsIn = (text: string, { program, comments }: ESTree.ParseResult): Declaration[] => {
  const found: Declaration[] = [];
  const commentBefore = (start: number): string => {
    const last = comments.findLast(({ end }) => end <= start && text.slice(end, start).trim() === "");
    return last?.value ?? "";
  };
  const add = (names: string[], { start, end }: ESTree.Node, from = start) => {
    for (const name of names)
      found.push({ name, text: text.slice(start, end), comment: commentBefore(from), start, end });
  };
  new Visitor({
    VariableDeclaration({ declarations, start }) {
      const exported = text.slice(0, start).endsWith("export ") ? start - "export ".length : start;
      for (const one of declarations) add(namesIn(one.id), one, exported);
    },
    FunctionDeclaration(node) {
      add(node.id ? [node.id.name] : [], node);
    },
  }).visit(program);
  return found;
};

type Part = { start: number; end: number };
type Name = { name: string; at: number };

/** The names of values in a file. A key of an object, a property and the text of a statement are no such names. */
const usedIn = (text: string, program: ESTree.Program): Name[] => {
  const used: Name[] = [];
  new Visitor({
    Identifier({ name, start, end }) {
      if (text[start - 1] !== "." && text[end] !== ":") used.push({ name, at: start });
    },
  }).visit(program);
  return used;
};

/** A part of a file, the declarations that it names, and those that they name. */
const withNamed = (part: Part, used: readonly Name[], all: readonly Declaration[], known: Part[] = []): Part[] => {
  const names = new Set(used.flatMap(({ name, at }) => (at >= part.start && at < part.end ? [name] : [])));
  const named = all.filter((one) => names.has(one.name) && !known.includes(one));
  known.push(part, ...named);
  for (const one of named) withNamed(one, used, all, known);
  return known;
};

/** The first word of the first statement in a text. */
const verbOf = (text: string): string | undefined =>
  /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|PRAGMA)\b/.exec(text)?.[1];

/**
 * The reads of many rows in a file of the store: every `.all` of a statement that begins with SELECT. `isLimited`: the
 * statement has a LIMIT that is fixed, or is the parameter `limit`, whose values the engine bounds.
 * `isBounded`: the comment of the statement, or of the function that runs it, says `Bound: …`.
 */
export const readsIn = (path: string, text: string): Read[] => {
  const parsed = parseSync(path, text);
  const all = declarationsIn(text, parsed);
  const top = all.filter((one) => !all.some((other) => other.start < one.start && other.end > one.end));
  const used = usedIn(text, parsed.program);
  const reads: Read[] = [];
  new Visitor({
    CallExpression({ callee, start }) {
      if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier" || callee.property.name !== "all")
        return;
      const within = all.filter((one) => one.start < start && one.end > start);
      const receiver = text.slice(callee.object.start, callee.object.end);
      const [root] = /^\w+/.exec(receiver) ?? [];
      const own = all.findLast(({ name, end }) => end < start && name === root);
      const named = [...top.filter((one) => !within.includes(one)), ...(own ? [own] : [])];
      const parts = withNamed(callee.object, used, named);
      const sql = parts.map((part) => text.slice(part.start, part.end)).join("\n");
      if (verbOf(sql.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, "")) !== "SELECT") return;
      const comments = [...within, ...(own ? [own] : [])].map(({ comment }) => comment);
      reads.push({
        at: `${path} ${within[0]?.name ?? ""}`,
        isLimited: /\bLIMIT (?:\d|\$\{|:limit\b)/.test(sql),
        isBounded: comments.some((comment) => /\bBound: \S/.test(comment.replaceAll(/\s*\n \* /g, " "))),
      });
    },
  }).visit(parsed.program);
  return reads;
};
