import type * as ESTree from "oxc-parser";
import { parseSync, Visitor } from "oxc-parser";

/** A regular expression of the sources. `source` is undefined if it cannot be computed from constants. */
export type Pattern = { source: string | undefined; flags: string; at: string; written: string };

type Constants = ReadonlyMap<string, ESTree.Expression>;
type Argument = ESTree.Expression | ESTree.PrivateIdentifier | ESTree.SpreadElement;

/** The `const`s of a file by their names. */
const constantsIn = (program: ESTree.Program): Constants => {
  const constants = new Map<string, ESTree.Expression>();
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === "Identifier" && init) constants.set(id.name, init);
    },
  }).visit(program);
  return constants;
};

/** The text of an expression that is made of constants of its file; undefined for any other. */
const textOf = (node: Argument, constants: Constants): string | undefined => {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node.type === "Identifier") {
    const known = constants.get(node.name);
    return known && textOf(known, constants);
  }
  if (node.type === "BinaryExpression" && node.operator === "+")
    return joined([textOf(node.left, constants), textOf(node.right, constants)]);
  if (node.type === "MemberExpression") return sourceOf(node, constants);
  if (node.type !== "TemplateLiteral") return undefined;
  return joined(
    node.quasis.flatMap(({ value }, at) => {
      const inner = node.expressions[at];
      return [value.cooked ?? undefined, ...(inner ? [textOf(inner, constants)] : [])];
    }),
  );
};

const joined = (parts: readonly (string | undefined)[]): string | undefined =>
  parts.includes(undefined) ? undefined : parts.join("");

/** The pattern behind `NAME.source`. */
const sourceOf = (node: ESTree.MemberExpression, constants: Constants): string | undefined => {
  if (node.property.type !== "Identifier" || node.property.name !== "source") return undefined;
  const known = node.object.type === "Identifier" ? constants.get(node.object.name) : node.object;
  return known?.type === "Literal" && "regex" in known ? known.regex.pattern : undefined;
};

/** The times of cron and the URLs of resources are called patterns too. */
const isPattern = (source: string): boolean => {
  try {
    return new RegExp(source, "u") instanceof RegExp;
  } catch {
    return false;
  }
};

/**
 * The regular expressions of a file: the literals, what RegExp makes, and the patterns of schemas. Those that a schema
 * computes stand in the committed descriptions (`patternsOfDescription`).
 */
export const patternsIn = (path: string, text: string): Pattern[] => {
  const { program, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path} cannot be parsed: ${errors[0].message}`);
  const constants = constantsIn(program);
  const found: Pattern[] = [];
  const add = (node: ESTree.Node, source: string | undefined, flags: string) =>
    found.push({
      source,
      flags,
      at: `${path}:${text.slice(0, node.start).split("\n").length}`,
      written: text.slice(node.start, node.end),
    });
  const made = (node: ESTree.NewExpression | ESTree.CallExpression) => {
    if (node.callee.type !== "Identifier" || node.callee.name !== "RegExp") return;
    const [pattern, flags] = node.arguments;
    add(node, pattern && textOf(pattern, constants), (flags && textOf(flags, constants)) ?? "");
  };
  new Visitor({
    Literal(node) {
      if ("regex" in node) add(node, node.regex.pattern, node.regex.flags);
    },
    NewExpression: made,
    CallExpression: made,
    Property(node) {
      if (node.key.type !== "Identifier" || node.key.name !== "pattern") return;
      const source = textOf(node.value as ESTree.Expression, constants); // of an object, not of a destructuring
      if (source !== undefined && isPattern(source)) add(node, source, "u");
    },
  }).visit(program);
  return found;
};

/** The patterns that an OpenAPI description names anywhere. */
export const patternsOfDescription = (path: string, text: string): Pattern[] => {
  const found: Pattern[] = [];
  JSON.parse(text, (name, value: unknown) => {
    if (name === "pattern" && typeof value === "string")
      found.push({ source: value, flags: "u", at: path, written: value });
    return value;
  });
  return found;
};
