// Names in Python's form.

const KEYWORDS = new Set(
  "and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield None True False".split(
    " ",
  ),
);
/** The names that pydantic's models have themselves. */
const OF_MODELS = new Set("json copy dict schema fields construct validate parse_obj parse_raw from_orm".split(" "));

/** `phoneId` → `phone_id`, `X-Phone-Id` → `x_phone_id`, `from` → `from_`. */
export const snake = (wire: string): string => {
  const name = wire
    .replaceAll("OAuth", "Oauth")
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase();
  return KEYWORDS.has(name) || /^\d/.test(name) ? `${name}_` : name;
};

/** The name of a model's field. */
export const fieldName = (wire: string): string => {
  const name = snake(wire);
  return OF_MODELS.has(name) || name.startsWith("model_") ? `${name}_` : name;
};

/** The client's form of a name without an alias. */
export const camel = (name: string): string =>
  name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** A literal of Python. */
export const literal = (value: unknown): string => {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  return JSON.stringify(value);
};

const LONGEST_LINE = 118;

/** Lines of at most 118 characters, indented. */
const wrapped = (text: string, indent: string): string[] => {
  const lines: string[] = [];
  for (const word of text.trim().split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && indent.length + last.length + word.length < LONGEST_LINE)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => `${indent}${line}\n`);
};

/** A docstring on its own lines; nothing without a text. */
export const docstring = (text: string | undefined, indent: string): string => {
  if (!text?.trim()) return "";
  const escaped = text.replaceAll("\\", "\\\\").replaceAll('"""', "'''").replace(/"\s*$/, '" ');
  const lines = wrapped(`"""${escaped}`, indent);
  const last = (lines.pop() ?? "").replace(/\n$/, "");
  const closed = last.length + 3 > LONGEST_LINE + 2 ? `${last}\n${indent}"""\n` : `${last}"""\n`;
  return [...lines, closed].join("");
};

/** A head and its parts in one line, or in a line each if one line would be too long. */
export const laidOut = (head: string, parts: string[], tail: string, indent: string): string => {
  const line = `${indent}${head}${parts.join(", ")}${tail}`;
  if (line.length <= LONGEST_LINE + 2) return `${line}\n`;
  return `${indent}${head}\n${parts.map((part) => `${indent}    ${part},\n`).join("")}${indent}${tail}\n`;
};
