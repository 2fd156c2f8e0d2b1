import type { DeliveryOutcome } from "../../contract/ports/delivery-target.ts";
import type { Http, HttpAnswer, HttpNoAnswer, HttpRequest } from "../../contract/ports/http.ts";
import { MINUTE_MS } from "../../kernel/clock.ts";
import { retryAfterMs } from "../../kernel/network/retry-after.ts";
import { type Json, listOf, parsedJson, recordOf } from "../../kernel/texts/json.ts";
import type { ChatwootEnv } from "./env.ts";
import { type Inbox, TOKEN_HEADER } from "./inbox.ts";

// The calls of Chatwoot's application API that the bridge makes: docs/decisions/0047-chatwoot.md has the contract, and its
// date. Each answer is a value.

const TIMEOUT_MS = 10_000;
const UPLOAD_TIMEOUT_MS = 60_000;
/** A list of inboxes and the newest messages of a conversation are the longest answers. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const KEPT_RESPONSE_CHARACTERS = 4096;
/** Chatwoot counts the messages of a conversation by the minute, and says no other way that one is too many. */
const FLOOD = /too many messages/i;
const FLOOD_WAIT_MS = MINUTE_MS;

/** `status`: 0 without an answer. `outcome`: the same, as the attempt of a delivery. */
export type Answer = { isOk: boolean; status: number; body: unknown; outcome: DeliveryOutcome };

/** A message to be made in a conversation. `repliedId`: Chatwoot's id of the message that it answers. */
export type NewChatwootMessage = {
  sourceId: string;
  isIncoming: boolean;
  text: string;
  repliedId: number | null;
  /** When it was written, if that was long ago. */
  writtenAt: number | null;
  file: File | null;
};

/** A person or group to be made in Chatwoot. */
export type NewContact = { inboxId: number; key: string; name: string; phone: string | null };

/** The parts of a message that the bridge reads. */
export type FoundMessage = { id: number; sourceId: string | null; isToPerson: boolean; status: string | null };
export type FoundContact = { id: number; phone: string | null; identifier: string | null };
export type FoundInbox = {
  id: number;
  name: string;
  isApi: boolean;
  webhookUrl: string | null;
  identifier: string | null;
};

const numberIn = (value: unknown): number => (typeof value === "number" && Number.isSafeInteger(value) ? value : 0);
const textOrNull = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** Chatwoot puts lists into `payload`, or answers with them alone. */
const itemsIn = (body: unknown): Json[] => listOf(Array.isArray(body) ? body : recordOf(body)["payload"]).map(recordOf);

const inboxIn = (one: Json): FoundInbox => ({
  id: numberIn(one["id"]),
  name: textOrNull(one["name"]) ?? "",
  isApi: one["channel_type"] === "Channel::Api",
  webhookUrl: textOrNull(one["webhook_url"]),
  identifier: textOrNull(one["inbox_identifier"]),
});

type Place = Pick<Inbox, "base" | "accountId"> & { token: string };
/** `contact`: the call is one of the public API, in the name of a contact of an inbox; it has no token. */
type Call = {
  method: HttpRequest["method"];
  path: string;
  body?: object;
  form?: FormData;
  contact?: { identifier: string; sourceId: string };
};
type Ask = (call: Call) => Promise<Answer>;
type Ports = { http: Pick<Http, "guarded">; clock: Pick<ChatwootEnv["clock"], "now"> };

/** The body of a call and its type; nothing for a call without one. */
const encoded = async ({
  body,
  form,
}: Call): Promise<{ type: string | null; bytes: string | Uint8Array } | undefined> => {
  if (!form) return body && { type: "application/json", bytes: JSON.stringify(body) };
  const made = new Response(form);
  return { type: made.headers.get("content-type"), bytes: new Uint8Array(await made.arrayBuffer()) };
};

const withoutAnswer = ({ failure, message, durationMs }: HttpNoAnswer): Answer => {
  const error = `${failure}: ${message}`;
  const outcome = { failure, error, statusCode: 0, response: null, retryAfterMs: 0, isGone: false, durationMs };
  return { isOk: false, status: 0, body: null, outcome };
};

/** What was asked, without the words that were looked for. */
const nameOfCall = ({ method, path }: Call): string => `${method} ${path.replace(/\?.*/, "")}`;

const answered = (call: Call, { status: said, headers, body, durationMs }: HttpAnswer, nowMs: number): Answer => {
  const text = new TextDecoder().decode(body);
  const isFlood = said === 422 && FLOOD.test(text);
  const status = isFlood ? 429 : said;
  const common = { statusCode: status, retryAfterMs: 0, isGone: false, durationMs };
  if (status >= 200 && status < 300) {
    const outcome = { ...common, failure: null, error: null, response: null };
    return { isOk: true, status, body: parsedJson(text), outcome };
  }
  const isLimited = status === 429 || status === 503;
  return {
    isOk: false,
    status,
    body: parsedJson(text),
    outcome: {
      ...common,
      failure: `http_${status >= 500 ? 5 : Math.floor(status / 100)}xx`,
      error: `${nameOfCall(call)}: HTTP ${said}${isFlood ? ", too many messages in a minute" : ""}`,
      response: text.slice(0, KEPT_RESPONSE_CHARACTERS) || null,
      retryAfterMs: isLimited ? (retryAfterMs(headers["retry-after"], nowMs) ?? (isFlood ? FLOOD_WAIT_MS : 0)) : 0,
    },
  };
};

const pathOfContact = ({ identifier, sourceId }: { identifier: string; sourceId: string }): string =>
  `/public/api/v1/inboxes/${encodeURIComponent(identifier)}/contacts/${encodeURIComponent(sourceId)}`;

const askedBy =
  ({ http, clock }: Ports, { base, accountId, token }: Place): Ask =>
  async (call) => {
    const sent = await encoded(call);
    const { contact } = call;
    const result = await http.guarded({
      url: `${base}${contact ? pathOfContact(contact) : `/api/v1/accounts/${accountId}`}${call.path}`,
      method: call.method,
      headers: {
        accept: "application/json",
        "user-agent": "Recado",
        ...(contact ? {} : { [TOKEN_HEADER]: token }),
        ...(sent?.type ? { "content-type": sent.type } : {}),
      },
      ...(sent ? { body: sent.bytes } : {}),
      timeoutMs: call.form ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS,
      maxResponseBytes: MAX_ANSWER_BYTES,
    });
    return result.ok ? answered(call, result, clock.now()) : withoutAnswer(result);
  };

const inboxCalls = (ask: Ask) => ({
  async inboxes() {
    const answer = await ask({ method: "GET", path: "/inboxes" });
    return { answer, inboxes: itemsIn(answer.body).map(inboxIn) };
  },
  async readInbox(id: number) {
    const answer = await ask({ method: "GET", path: `/inboxes/${id}` });
    return { answer, inbox: inboxIn(recordOf(answer.body)) };
  },
  async makeInbox(name: string, webhookUrl: string) {
    const body = { name, channel: { type: "api", webhook_url: webhookUrl } };
    const answer = await ask({ method: "POST", path: "/inboxes", body });
    return { answer, inbox: inboxIn(recordOf(answer.body)) };
  },
  changeInbox: (id: number, webhookUrl: string) =>
    ask({ method: "PATCH", path: `/inboxes/${id}`, body: { channel: { webhook_url: webhookUrl } } }),
});

const contactCalls = (ask: Ask) => ({
  async findContacts(words: string) {
    const answer = await ask({ method: "GET", path: `/contacts/search?q=${encodeURIComponent(words)}` });
    const contacts = itemsIn(answer.body).map(
      (one): FoundContact => ({
        id: numberIn(one["id"]),
        phone: textOrNull(one["phone_number"]),
        identifier: textOrNull(one["identifier"]),
      }),
    );
    return { answer, contacts };
  },
  async makeContact({ inboxId, key, name, phone }: NewContact) {
    const body = {
      inbox_id: inboxId,
      source_id: key,
      identifier: key,
      name,
      ...(phone === null ? {} : { phone_number: phone }),
    };
    const answer = await ask({ method: "POST", path: "/contacts", body });
    const { payload, ...bare } = recordOf(answer.body);
    const found = recordOf(recordOf(payload)["contact"] ?? bare);
    return { answer, contactId: numberIn(found["id"]) };
  },
  renameContact: (id: number, name: string) => ask({ method: "PUT", path: `/contacts/${id}`, body: { name } }),
  /** The conversations of a contact in one inbox, oldest first. */
  async conversationsOf(contactId: number, inboxId: number) {
    const answer = await ask({ method: "GET", path: `/contacts/${contactId}/conversations` });
    const ids = itemsIn(answer.body)
      .filter((one) => one["inbox_id"] === inboxId)
      .map((one) => numberIn(one["id"]));
    return { answer, ids: ids.toSorted((a, b) => a - b) };
  },
  async makeConversation({ contactId, inboxId, key }: { contactId: number; inboxId: number; key: string }) {
    const body = { source_id: key, inbox_id: inboxId, contact_id: contactId, status: "open" };
    const answer = await ask({ method: "POST", path: "/conversations", body });
    return { answer, conversationId: numberIn(recordOf(answer.body)["id"]) };
  },
});

/** The application API writes the types of messages as numbers: outgoing, and templates such as a greeting. */
const TO_PERSON: readonly unknown[] = [1, 3];

const pathOfMessage = (conversationId: number, id: number): string => `/conversations/${conversationId}/messages/${id}`;

const messageCalls = (ask: Ask) => ({
  /** The newest messages of a conversation. */
  async messagesOf(conversationId: number) {
    const answer = await ask({ method: "GET", path: `/conversations/${conversationId}/messages` });
    const messages = itemsIn(answer.body).map(
      (one): FoundMessage => ({
        id: numberIn(one["id"]),
        sourceId: textOrNull(one["source_id"]),
        isToPerson: TO_PERSON.includes(one["message_type"]) && one["private"] !== true,
        status: textOrNull(one["status"]),
      }),
    );
    return { answer, messages };
  },
  async makeMessage(conversationId: number, message: NewChatwootMessage) {
    const path = `/conversations/${conversationId}/messages`;
    const answer = await ask({ method: "POST", path, ...messageBody(message) });
    return { answer, id: numberIn(recordOf(answer.body)["id"]) };
  },
  setStatus: (conversationId: number, id: number, { status, error }: { status: string; error: string | null }) =>
    ask({
      method: "PATCH",
      path: pathOfMessage(conversationId, id),
      body: { status, ...(error === null ? {} : { external_error: error }) },
    }),
  deleteMessage: (conversationId: number, id: number) =>
    ask({ method: "DELETE", path: pathOfMessage(conversationId, id) }),
});

type OfConversation = { identifier: string; sourceId: string; conversationId: number };

/** What a contact does in its conversation. */
const contactActs = (ask: Ask) => ({
  /** Chatwoot's own name of the contact in the inbox of a conversation; null if it does not say. */
  async sourceOf(conversationId: number): Promise<string | null> {
    const { body } = await ask({ method: "GET", path: `/conversations/${conversationId}` });
    const last = recordOf(recordOf(body)["last_non_activity_message"]);
    return textOrNull(recordOf(recordOf(last["conversation"])["contact_inbox"])["source_id"]);
  },
  toggleTyping: ({ conversationId, ...contact }: OfConversation, isTyping: boolean) =>
    ask({
      method: "POST",
      path: `/conversations/${conversationId}/toggle_typing`,
      body: { typing_status: isTyping ? "on" : "off" },
      contact,
    }),
  updateLastSeen: ({ conversationId, ...contact }: OfConversation) =>
    ask({ method: "POST", path: `/conversations/${conversationId}/update_last_seen`, contact }),
});

/** The client of one account. */
export const chatwootClient = (ports: Ports, place: Place) => {
  const ask = askedBy(ports, place);
  return { ...inboxCalls(ask), ...contactCalls(ask), ...messageCalls(ask), ...contactActs(ask) };
};
export type ChatwootClient = ReturnType<typeof chatwootClient>;

/** Chatwoot takes files as a form alone. The names with brackets become objects there. */
const messageBody = ({
  sourceId,
  isIncoming,
  text,
  repliedId,
  writtenAt,
  file,
}: NewChatwootMessage): Pick<Call, "body" | "form"> => {
  const time = writtenAt === null ? {} : { external_created_at: Math.floor(writtenAt / 1000) };
  const attributes = { ...(repliedId === null ? {} : { in_reply_to: repliedId }), ...time };
  const fields = {
    content: text,
    message_type: isIncoming ? "incoming" : "outgoing",
    private: false,
    source_id: sourceId,
    ...time, // many versions read it here alone, and drop the attribute
  };
  if (!file) return { body: { ...fields, content_attributes: attributes } };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  for (const [name, value] of Object.entries(attributes)) form.append(`content_attributes[${name}]`, String(value));
  form.append("attachments[]", file, file.name);
  return { form };
};
