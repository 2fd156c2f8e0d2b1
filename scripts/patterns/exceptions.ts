/** An expression that is allowed although it is not shown to be linear, and why its cost is bounded. */
export type Exception = { written: string; in: string; because: string };

const OF_A_SCHEMA = "the pattern of a schema: each is looked at where it stands, or in the descriptions";

/** TABLE: each line has the expression in its file's spelling. The check refuses a line that no file needs any more. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    written: String.raw`/(^|[\s(,{])\/\*[\s\S]*?\*\//gm`,
    in: "src/conformance/own-time.ts",
    because: "reads the author's own sources, on the author's machine",
  },
  {
    written: String.raw`/<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]{1,40})/i`,
    in: "src/adapters/documents/document-charsets.ts",
    because: "reads 4 KB, in the child that reads documents, whose time is limited",
  },
  {
    written: String.raw`/(?<=(\bSELECT|\bALL|\bDISTINCT|\bRETURNING|,)\s*)(?:(\w+|"[^"]*")\s*\.\s*)?\*|'[^']*'|"[^"]*"|[()]|\.\s*\*/g`,
    in: "src/store/engine/statement.ts",
    because: "reads statements that this program writes, once for each text",
  },
  {
    written: String.raw`/'[^']*'|"[^"]*"|--[^\n]*|\/\*[^]*?\*\//g`,
    in: "src/store/engine/statement.ts",
    because: "reads statements that this program writes, once for each text",
  },
  {
    written: 'new RegExp(sentences.join("|"), "i")',
    in: "src/adapters/models/llm-lasting.ts",
    because: "sentences that are constants of the file; a provider's reason has at most 300 characters",
  },
  {
    written: 'new RegExp(`^${one.pattern.replace("{id}", "([0-9a-fA-F-]{36})")}$`)',
    in: "src/apis/mcp/resources.ts",
    because: "a constant of the table above it, with an id of exactly 36 characters",
  },
  {
    written: "new RegExp(`\\\\b${name}\\\\b(?!\\\\s*;\\\\s*q=0(?:\\\\.0*)?(?:,|$))`)",
    in: "src/console/server/assets.ts",
    because: "`name` is br or gzip, and what follows it is looked at up to the next word alone",
  },
  ...["src/core/channels/identity.ts", "src/core/people/person.ts"].map((path) => ({
    written: 'new RegExp(`^(${NAMES.join("|")}):(.+)$`, "s")',
    in: path,
    because: "anchored, and a choice of constants",
  })),
  ...[
    "new RegExp(`^(?:${whole})$`)",
    'new RegExp(`"(?:${whole})"|"username":"@?(?:${username})"`)',
    "new RegExp(within)",
    'new RegExp(within, "g")',
  ].map((written) => ({
    written,
    in: "src/core/people/person.ts",
    because: "a choice of escaped names; what repeats begins with a separator, and ends before the next",
  })),
  {
    written:
      'new RegExp(\n  `(^|[,/]\\\\s*CN\\\\s*=\\\\s*|^CN\\\\s*=\\\\s*)${WEBHOOK_CLIENT.replaceAll(".", "\\\\.")}\\\\s*($|[,/])`,\n  "i",\n)',
    in: "plugins/meta/receiver.ts",
    because: "each try begins at a comma, a slash or the beginning, and passes blanks alone",
  },
  { written: "new RegExp(pattern)", in: "src/kernel/schema.ts", because: OF_A_SCHEMA },
  {
    written: "new RegExp(`^(?:${pattern})$`)",
    in: "src/kernel/settings/adapter-settings.ts",
    because: "an adapter's pattern for a setting of the operator, read at the start",
  },
  {
    written: "new RegExp(pattern)",
    in: "src/loading/settings.ts",
    because: "only asks whether an adapter's pattern can be compiled",
  },
];
