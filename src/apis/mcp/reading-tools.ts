import { Type } from "@sinclair/typebox";
import { DateTime, OneOf, Text, Uuid } from "../../kernel/schema.ts";
import { at, type Tool, tool } from "./tool.ts";
import { explainMessage } from "./why.ts";

const Limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: "How many at most" }));
const Cursor = Type.Optional(Text(1, 200, "nextCursor of the page before"));
const Page = { limit: Limit, cursor: Cursor };
const DEFAULT_LIMIT = 20;
const paged = <Input extends { limit?: number; cursor?: string }>(input: Input) => ({ limit: DEFAULT_LIMIT, ...input });

const reading = { isSend: false } as const;

/** TABLE: the tools that only read. */
export const READING_TOOLS: readonly Tool[] = [
  tool({
    ...reading,
    name: "get_account",
    title: "Who am I",
    about: "The account and its plan, the key in use with its rights, and which limits are left.",
    input: Type.Object({}),
    run: (call) => call("GET", "/v1/account"),
  }),
  tool({
    ...reading,
    name: "list_phones",
    title: "List phones",
    about: "All phones of the account with their state. A phone sends and receives only while it is CONNECTED.",
    input: Type.Object({}),
    run: (call) => call("GET", "/v1/phones"),
  }),
  tool({
    ...reading,
    name: "get_phone",
    title: "State of a phone",
    about: "One phone: its state, its number, and what restricts it now.",
    input: Type.Object({ phoneId: Uuid() }),
    run: (call, { phoneId }) => call("GET", at`/v1/phones/${phoneId}`),
  }),
  tool({
    ...reading,
    name: "get_phone_quota",
    title: "Sending limits of a phone",
    about: "How many people a phone may still write to today, and when that changes.",
    input: Type.Object({ phoneId: Uuid() }),
    run: (call, { phoneId }) => call("GET", at`/v1/phones/${phoneId}/quota`),
  }),
  tool({
    ...reading,
    name: "find_chats",
    title: "Find chats",
    about: "Chats with people, newest first. `q` is a part of a name or of a number.",
    input: Type.Object({ phoneId: Type.Optional(Uuid()), q: Type.Optional(Text(1, 200)), ...Page }),
    run: (call, input) => call("GET", "/v1/chats", { query: paged(input) }),
  }),
  tool({
    ...reading,
    name: "read_chat",
    title: "Read a chat",
    about: "The messages of one chat, newest first.",
    input: Type.Object({ chatId: Uuid(), ...Page }),
    run: (call, { chatId, ...page }) => call("GET", at`/v1/chats/${chatId}/messages`, { query: paged(page) }),
  }),
  tool({
    ...reading,
    name: "search_messages",
    title: "Search messages",
    about: "Messages that were sent or received, by text, person, phone, status or time, newest first.",
    input: Type.Object({
      q: Type.Optional(Text(1, 200, "Words of the text")),
      phoneId: Type.Optional(Uuid()),
      contact: Type.Optional(Text(1, 256, "Number with country code, such as 5511988887777")),
      direction: Type.Optional(OneOf(["inbound", "outbound"])),
      status: Type.Optional(OneOf(["QUEUED", "SENT", "DELIVERED", "READ", "FAILED"])),
      since: Type.Optional(DateTime()),
      until: Type.Optional(DateTime()),
      ...Page,
    }),
    run: (call, input) => call("GET", "/v1/messages", { query: paged(input) }),
  }),
  tool({
    ...reading,
    name: "get_message",
    title: "Get a message",
    about: "One message with its status and times.",
    input: Type.Object({ messageId: Uuid() }),
    run: (call, { messageId }) => call("GET", at`/v1/messages/${messageId}`),
  }),
  tool({
    ...reading,
    name: "why_not_delivered",
    title: "Why was a message not delivered",
    about: "Explains the progress of a sent message: its status, the state of its phone, and what to do.",
    input: Type.Object({ messageId: Uuid(), phoneId: Uuid() }),
    run: (call, { messageId, phoneId }) => explainMessage(call, { messageId, phoneId }),
  }),
  tool({
    ...reading,
    name: "list_templates",
    title: "List templates",
    about: "Message templates of an official phone. Only APPROVED templates can be sent.",
    input: Type.Object({ phoneId: Uuid(), language: Type.Optional(Text(2, 20, "A language code, such as pt_BR")) }),
    run: (call, input) => call("GET", "/v1/templates", { query: input }),
  }),
  tool({
    ...reading,
    name: "list_scheduled",
    title: "List scheduled messages",
    about: "Messages that wait for their time.",
    input: Type.Object(Page),
    run: (call, input) => call("GET", "/v1/messages/scheduled", { query: paged(input) }),
  }),
  tool({
    ...reading,
    name: "list_events",
    title: "List events",
    about:
      "The events, newest first, with the progress of their deliveries to webhooks. DEAD deliveries were given up.",
    input: Type.Object({
      phoneId: Type.Optional(Uuid()),
      type: Type.Optional(Text(1, 100)),
      status: Type.Optional(OneOf(["PENDING", "DELIVERED", "DEAD"])),
      ...Page,
    }),
    run: (call, input) => call("GET", "/v1/events", { query: paged(input) }),
  }),
  tool({
    ...reading,
    name: "list_webhooks",
    title: "List webhooks",
    about: "Where events of the account are sent.",
    input: Type.Object({}),
    run: (call) => call("GET", "/v1/webhooks"),
  }),
  tool({
    ...reading,
    name: "get_usage",
    title: "Usage and costs",
    about: "The usage of the current period, and its cost.",
    input: Type.Object({}),
    run: async (call) => ({ usage: await call("GET", "/v1/usage"), billing: await call("GET", "/v1/billing/current") }),
  }),
];
