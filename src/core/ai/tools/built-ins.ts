import type { ToolDefinition } from "../../../contract/ports/llm.ts";
import { iso } from "../../../kernel/clock.ts";
import { type Json, recordOf } from "../../../kernel/texts/json.ts";
import { essenceOf, familyOf } from "../../../kernel/texts/media-types.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { type DocumentItem, listSendable } from "../../../store/tables/ai/knowledge.ts";
import { listTemplates, type TemplateRow } from "../../../store/tables/messaging/templates.ts";
import { listContactsOfPerson, MAX_TAGS, tagPerson } from "../../conversations/contacts.ts";
import { contactOfKey } from "../../domain-event.ts";
import { keepFile } from "../../media/kept.ts";
import { readOpenness } from "../../messaging/openness.ts";
import { acceptWithin } from "../../messaging/sending/accept.ts";
import { preparedFor } from "../conversations/outgoing.ts";
import type { AiEnv } from "../env.ts";
import { openKnowledgeFile } from "../knowledge/knowledge-files.ts";
import { fitted } from "../words.ts";
import type { BuiltInTool } from "./built-in-names.ts";
import type { CalledFor } from "./calling.ts";

/** A change that a call asked for. It is made in the write that sends the answer, or never. */
export type Act = { kind: "send" | "tag" | "hand over"; reason?: string; run(tx: Tx): Promise<unknown> };

/** What a built-in tool tells the model, and what it asks for. `isRefused`: nothing is done. */
export type Answered = { answer: string; act?: Act; isRefused?: boolean };

/** A built-in tool as an agent may call it now. `acts`: the kind of change that its calls ask for, if any. */
export type OfferedTool = ToolDefinition & { acts?: Act["kind"]; run(given: Json): Promise<Answered> };

/** Undefined if there is nothing that the tool could do. */
type MakeTool = (env: AiEnv, about: CalledFor) => Promise<OfferedTool | undefined> | OfferedTool;

const MOST_TEMPLATES = 20;
const MOST_FILES = 20;
/** The part of a template's text that a model gets, in code points. */
const MAX_BODY = 300;
const MAX_TAG = 50;
const MAX_REASON = 200;
/** The longest metadata of a contact that a model gets, as JSON. */
const MAX_METADATA = 2000;

const objectOf = (properties: Json, required = Object.keys(properties)): object => ({
  type: "object",
  properties,
  required,
});
const refused = (answer: string): Answered => ({ answer, isRefused: true });
const viewerOf = ({ tenantId }: CalledFor) => ({ tenantId, environment: "live" as const });

const handOver: MakeTool = () => ({
  name: "hand_over",
  acts: "hand over",
  description:
    "Lets a person of the team go on with this chat. You still write one last answer, and none after it. " +
    "Use it if you cannot help, or if the person asks for a human.",
  parameters: objectOf({
    reason: { type: "string", minLength: 1, maxLength: MAX_REASON, description: "Why, in a few words for the team" },
  }),
  run: ({ reason }) =>
    Promise.resolve({
      answer: "A person of the team goes on after your answer.",
      act: { kind: "hand over", reason: String(reason), run: () => Promise.resolve() },
    }),
});

const shownContact = (contact: { name: string | null; email: string | null; tags: string[]; metadata: unknown }) => {
  const metadata = JSON.stringify(contact.metadata);
  const { name, email, tags } = contact;
  return JSON.stringify({
    name,
    email,
    tags,
    ...(metadata.length > MAX_METADATA ? {} : { metadata: recordOf(contact.metadata) }),
  });
};

const lookUpContact: MakeTool = ({ db }, about) => ({
  name: "look_up_contact",
  description: "Says what the business knows of this person: name, e-mail, tags and further fields.",
  parameters: objectOf({}),
  async run() {
    const who = contactOfKey(about.contactKey);
    const [contact] = await db.read((reader) => listContactsOfPerson(reader, viewerOf(about), who));
    return { answer: contact ? shownContact(contact) : "Nothing is known of this person." };
  },
});

const setTag: MakeTool = (env, about) => ({
  name: "set_tag",
  acts: "tag",
  description: "Sets a tag of this person, or removes it.",
  parameters: objectOf(
    {
      tag: { type: "string", minLength: 1, maxLength: MAX_TAG, description: "The tag" },
      remove: { type: "boolean", description: "True removes the tag" },
    },
    ["tag"],
  ),
  async run({ tag: written, remove = false }) {
    const tag = String(written)
      .replaceAll(/\p{Cc}/gu, "")
      .toWellFormed()
      .trim();
    if (tag === "") return refused("A tag must not be blank.");
    const who = contactOfKey(about.contactKey);
    const [contact] = await env.db.read((reader) => listContactsOfPerson(reader, viewerOf(about), who));
    if (!contact) return refused("Nothing is known of this person, so no tag can be set.");
    if (remove === false && contact.tags.length >= MAX_TAGS && !contact.tags.includes(tag))
      return refused(`This person has ${MAX_TAGS} tags already.`);
    const wanted = { who, tag, isRemoved: remove === true };
    return {
      answer: remove === true ? "The tag is removed with your answer." : "The tag is set with your answer.",
      act: { kind: "tag", run: (tx) => tagPerson(env, tx, viewerOf(about), wanted) },
    };
  },
});

const businessHours: MakeTool = ({ db, clock }, about) => ({
  name: "business_hours",
  description: "Says whether the business is open now, when it opens next, and its opening hours.",
  parameters: objectOf({}),
  async run() {
    const now = clock.now();
    const { isOpen, opensAt, hours } = await db.read((reader) => readOpenness(reader, about, now));
    if (!hours) return { answer: "The business has told nobody its hours." };
    const { timeZone, weekly, holidays } = hours;
    const next = opensAt === null ? {} : { opensAt: iso(opensAt) };
    return { answer: JSON.stringify({ isOpen, ...next, now: iso(now), timeZone, weekly, holidays }) };
  },
});

const bodyOf = ({ components }: TemplateRow): string => {
  const { text } = recordOf(components.find(({ type }) => type === "BODY"));
  return typeof text === "string" ? fitted(text, { points: MAX_BODY }) : "";
};

/** An approved template is named with its language, because one name may have several. */
const labelOf = ({ name, language }: TemplateRow): string => `${name}/${language}`;

/** Providers limit the description of a tool, to 1,024 characters at OpenAI; those of its parameters they do not. */
const sendTemplate: MakeTool = async (env, about) => {
  const { tenantId, channelId } = about;
  const approved = (
    await env.db.read((reader) => listTemplates(reader, { tenantId }, { channelId, status: "APPROVED" }))
  ).slice(0, MOST_TEMPLATES);
  if (approved.length === 0) return undefined;
  const listed = approved.map((template) => `${labelOf(template)}: ${bodyOf(template)}`).join("\n");
  return {
    name: "send_template",
    acts: "send",
    description: "Sends this person a prepared message, after your answer.",
    parameters: objectOf(
      {
        template: { type: "string", enum: approved.map(labelOf), description: `The message:\n${listed}` },
        variables: {
          type: "array",
          items: { type: "string", minLength: 1, maxLength: 1024 },
          maxItems: 20,
          description: "The values of {{1}}, {{2}} …, in order",
        },
      },
      ["template"],
    ),
    async run({ template: label, variables = [] }) {
      const template = approved.find((one) => labelOf(one) === label);
      if (!template) return refused("There is no such message.");
      const { name, language } = template;
      const message = await preparedFor(env, about, { type: "template", content: { name, language, variables } });
      return {
        answer: "The message is sent after your answer.",
        act: { kind: "send", run: (tx) => acceptWithin(env, tx, message) },
      };
    },
  };
};

const endingOf = (key: string): string => /\.[a-z0-9]{1,8}$/.exec(key)?.[0] ?? "";

/** The names of files as a model chooses them, and as the contact gets them: each once. */
const filesByName = (documents: readonly DocumentItem[]): Map<string, DocumentItem> => {
  const byName = new Map<string, DocumentItem>();
  for (const document of documents) {
    const ending = endingOf(document.sourceRef ?? "");
    const title = document.title?.trim() || "file";
    const base = title.toLowerCase().endsWith(ending) ? title.slice(0, title.length - ending.length) : title;
    const names = [base, ...documents.map((_, at) => `${base} (${at + 2})`)].map((name) => name + ending);
    const free = names.find((name) => !byName.has(name));
    if (free !== undefined) byName.set(free, document);
  }
  return byName;
};

const sendFile: MakeTool = async (env, about) => {
  const { tenantId, channelId } = about;
  const files = filesByName(await env.db.read((reader) => listSendable(reader, channelId, MOST_FILES)));
  if (files.size === 0) return undefined;
  return {
    name: "send_file",
    acts: "send",
    description: "Sends this person a file of the business, after your answer.",
    parameters: objectOf({ file: { type: "string", enum: [...files.keys()], description: "The file" } }),
    async run({ file }) {
      const name = String(file);
      const key = files.get(name)?.sourceRef ?? "";
      const body = await openKnowledgeFile(env, tenantId, key);
      if (!body) return refused("The file is gone.");
      const kept = await keepFile(env, { tenantId }, { body, contentType: "", filename: name });
      const family = familyOf(essenceOf(kept.contentType));
      const type = family === "image" || family === "video" || family === "audio" ? family : "document";
      const content = {
        mediaHandle: kept.mediaHandle,
        ...(type === "document" ? { filename: kept.filename ?? name } : {}),
      };
      const message = await preparedFor(env, about, { type, content });
      return {
        answer: "The file is sent after your answer.",
        act: { kind: "send", run: (tx) => acceptWithin(env, tx, message) },
      };
    },
  };
};

/** TABLE: the built-in tools by their names. */
export const BUILT_INS: Readonly<Record<BuiltInTool, MakeTool>> = {
  hand_over: handOver,
  send_template: sendTemplate,
  send_file: sendFile,
  look_up_contact: lookUpContact,
  set_tag: setTag,
  business_hours: businessHours,
};
