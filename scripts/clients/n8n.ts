import type { Document, Schema } from "./document.ts";

type Described = Document & { webhooks?: Record<string, { post?: { summary?: string } }> };

/** TABLE: the lists of the n8n nodes, and the schemas whose values they offer. */
const LISTS: Readonly<Record<string, string>> = {
  CHAT_LEADERS: "ChatLeader",
  CHAT_STATES: "ChatState",
  EVENT_FILTERS: "EventType",
  EVENT_STATUSES: "EventStatus",
  MESSAGE_STATUSES: "ListMessagesStatus",
  MESSAGE_TYPES: "MessageType",
  TEMPLATE_STATUSES: "TemplateStatus",
};

/** Words that are not written as others. */
const WORDS: Readonly<Record<string, string>> = { cta: "CTA", url: "URL", qrcode: "QR Code" };

/** A value as n8n shows options: `message:poll-vote` is `Message Poll Vote`. */
const titleOf = (value: string): string =>
  value
    .replace(/\*$/, "any")
    .toLowerCase()
    .split(/[^a-z]+/)
    .map((word) => WORDS[word] ?? word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");

/** The values of a schema. @throws when the description has no such list. */
const valuesOf = ({ components }: Document, name: string): string[] => {
  const { enum: values = [] } = (components?.["schemas"]?.[name] ?? {}) as Schema;
  if (values.length === 0) throw new Error(`the nodes for n8n need a list that is called ${name}`);
  return values.map(String);
};

/** The generated file of the n8n nodes. */
export const n8nOptionsOf = (document: Described): string => {
  const optionOf = (value: string): string => {
    const summary = document.webhooks?.[value]?.post?.summary;
    return JSON.stringify({ name: titleOf(value), value, ...(summary ? { description: summary } : {}) });
  };
  const listOf = (name: string, values: readonly string[]): string =>
    `export const ${name}: INodePropertyOption[] = [\n${values.map((value) => `  ${optionOf(value)},\n`).join("")}];\n`;
  const types = valuesOf(document, "EventType").filter((value) => !value.endsWith("*"));
  return [
    "// Written by npm run clients from the description of the gateway API. Do not edit.",
    'import type { INodePropertyOption } from "n8n-workflow";',
    "",
    ...Object.entries(LISTS).map(([name, schema]) => listOf(name, valuesOf(document, schema))),
    listOf("EVENT_TYPES", types),
  ].join("\n");
};
