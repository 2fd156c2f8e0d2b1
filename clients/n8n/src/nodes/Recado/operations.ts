import type { Json } from "n8n-workflow";
import { type Call, given, isJson } from "../../values.ts";
import { contentOf, type Field } from "./content.ts";

type Operation = {
  call(field: Field): Call;
  /** Its answer is a list: one item for each. */
  isList?: boolean;
};

const idIn = (field: Field, name: string): string => {
  const id = field(name);
  if (typeof id !== "string" || id === "") throw new TypeError(`The field ${name} is empty`);
  return encodeURIComponent(id);
};

const collectionIn = (field: Field, name: string): Json => {
  const values = field(name);
  return isJson(values) ? given(values) : {};
};

/** The body and the query of a send, whose options belong to the one or the other. */
const sendOf = (field: Field, recipient: Json): Pick<Call, "body" | "query"> => {
  const { dryRun, ...options } = collectionIn(field, "sendOptions");
  return { body: { ...recipient, ...contentOf(field), ...options }, query: dryRun === true ? { dryRun } : {} };
};

const filtered =
  (path: string) =>
  (field: Field): Call => ({
    method: "GET",
    path,
    query: collectionIn(field, "filters"),
  });

/** TABLE: what the node does, by resource and operation. */
export const OPERATIONS: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  message: {
    send: {
      call: (field) => ({
        method: "POST",
        path: "/v1/messages",
        ...sendOf(field, { phoneId: field("phoneId"), to: String(field("to")) }),
      }),
    },
    reply: {
      call: (field) => ({
        method: "POST",
        path: `/v1/chats/${idIn(field, "chatId")}/messages`,
        ...sendOf(field, {}),
      }),
    },
    react: {
      call: (field) => ({
        method: "POST",
        path: `/v1/messages/${idIn(field, "messageId")}/react`,
        body: { phoneId: field("phoneId"), emoji: field("emoji") },
      }),
    },
    markRead: {
      call: (field) => ({
        method: "POST",
        path: `/v1/messages/${idIn(field, "messageId")}/read`,
        body: { phoneId: field("phoneId") },
      }),
    },
    get: { call: (field) => ({ method: "GET", path: `/v1/messages/${idIn(field, "messageId")}` }) },
    getMany: { call: filtered("/v1/messages"), isList: true },
  },
  chat: {
    get: { call: (field) => ({ method: "GET", path: `/v1/chats/${idIn(field, "chatId")}` }) },
    getMany: { call: filtered("/v1/chats"), isList: true },
    getMessages: { call: (field) => filtered(`/v1/chats/${idIn(field, "chatId")}/messages`)(field), isList: true },
    handOver: {
      call: (field) => ({
        method: "POST",
        path: `/v1/chats/${idIn(field, "chatId")}/handover`,
        body: { to: field("handTo"), ...collectionIn(field, "handOverOptions") },
      }),
    },
  },
  phone: {
    get: { call: (field) => ({ method: "GET", path: `/v1/phones/${idIn(field, "phoneId")}` }) },
    getMany: { call: () => ({ method: "GET", path: "/v1/phones" }), isList: true },
    getQuota: { call: (field) => ({ method: "GET", path: `/v1/phones/${idIn(field, "phoneId")}/quota` }) },
  },
  contact: {
    get: { call: (field) => ({ method: "GET", path: `/v1/contacts/${idIn(field, "contactId")}` }) },
    getMany: { call: filtered("/v1/contacts"), isList: true },
  },
  template: {
    get: { call: (field) => ({ method: "GET", path: `/v1/templates/${idIn(field, "templateId")}` }) },
    getMany: { call: filtered("/v1/templates"), isList: true },
  },
  event: {
    get: { call: (field) => ({ method: "GET", path: `/v1/events/${idIn(field, "eventId")}` }) },
    getMany: { call: filtered("/v1/events"), isList: true },
    replay: { call: (field) => ({ method: "POST", path: `/v1/events/${idIn(field, "eventId")}/replay` }) },
  },
};
