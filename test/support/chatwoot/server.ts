// A Chatwoot on 127.0.0.1, as its application API is recorded in docs/decisions/0047-chatwoot.md. It refuses what the real
// one refuses, and calls the webhooks of its API inboxes.

import { untilTrue } from "../waiting.ts";

type Json = Record<string, any>;

export type ChatwootFile = { name: string; type: string; bytes: Uint8Array };
export type ChatwootMessage = {
  id: number;
  conversationId: number;
  content: string;
  message_type: "incoming" | "outgoing" | "template";
  private: boolean;
  source_id: string | null;
  content_attributes: Json;
  status: "sent" | "delivered" | "read" | "failed";
  files: ChatwootFile[];
  /** Who wrote it, as webhooks say it: contacts have no type, and Chatwoot's own messages no sender. */
  sender: { id: number; type?: "user" | "agent_bot" } | null;
  createdAt: number;
};
type Contact = { id: number; name: string; phone_number: string | null; identifier: string | null };
/** `identifier`: the name of an API inbox in the public API. */
type Inbox = {
  id: number;
  name: string;
  channel_type: string;
  webhook_url: string | null;
  inbox_identifier?: string;
};
/** `agentSeenAt`, `contactSeenAt`: in seconds, 0 before the first time. `isContactTyping`: as agents see it. */
type Conversation = {
  id: number;
  contactId: number;
  inboxId: number;
  sourceId: string;
  status: "open" | "resolved";
  agentSeenAt: number;
  contactSeenAt: number;
  isContactTyping: boolean;
};

const NOBODY_SAW = { agentSeenAt: 0, contactSeenAt: 0, isContactTyping: false };

/** What an agent writes. `conversationId`: an open conversation; else `contact` and `inboxId` begin one. */
export type AgentMessage = {
  conversationId: number;
  content?: string;
  /** What the agent types, in place of `content`: plain text, which the editor writes down as Markdown. */
  typed?: string;
  files?: { type: string; file: ChatwootFile }[];
  isPrivate?: boolean;
  type?: "outgoing" | "template";
  repliedId?: number;
};

/** What Chatwoot writes by itself after the first message of a person: its greeting, or the answer of a bot. */
export type Automatic = { content: string; by: "greeting" | "agent_bot" };

type Typed = { isOn: boolean; user: { id: number; type: "user" | "contact" }; isPrivate: boolean };

/** TABLE: the attributes of a new message that many versions keep; they drop all others. */
const KEPT_ATTRIBUTES = ["in_reply_to", "items"] as const;

/** The answer to one call in place of the usual one. `isDone`: the call has its effect nevertheless. */
type Fault = { path: RegExp; method: string; status: number; isDone: boolean };

export const ADMIN_TOKEN = "token-de-administrador";
export const AGENT_TOKEN = "token-de-agente";
export const ACCOUNT = 3;

/** TABLE: the types of messages in answers of the application API. */
const TYPE_NUMBERS = { incoming: 0, outgoing: 1, template: 3 } as const;

const E164 = /^\+[1-9]\d{1,14}$/;

class Refusal extends Error {
  readonly status: number;
  readonly body: Json;
  constructor(status: number, body: Json) {
    super(JSON.stringify(body));
    this.status = status;
    this.body = body;
  }
}

/** As the editor writes plain text: a backslash before what would be a mark, and at the end of a line within a paragraph. */
const markdownOf = (typed: string): string =>
  typed
    .replaceAll(/[\\`*~[\]_]/g, "\\$&")
    .replaceAll(/^[:#\-*+>]/gm, "\\$&")
    .replaceAll(/^(\s*\d+)\./gm, "$1\\.")
    .replaceAll("\n", "\\\n");

const notFound = (): Refusal => new Refusal(404, { error: "Resource could not be found" });

export type SimulatedChatwoot = ReturnType<typeof startChatwoot>;

/** `messagesPerMinute`: how many messages one conversation takes (`CONVERSATION_MESSAGE_PER_MINUTE_LIMIT`). */
export const startChatwoot = ({ now = Date.now, messagesPerMinute = 200 } = {}) => {
  let lastId = 0;
  const next = (): number => ++lastId;
  const inboxes: Inbox[] = [{ id: next(), name: "Site", channel_type: "Channel::WebWidget", webhook_url: null }];
  const contacts: Contact[] = [];
  const conversations: Conversation[] = [];
  const messages: ChatwootMessage[] = [];
  const calls: string[] = [];
  const publicCalls: string[] = [];
  const leaked: string[] = [];
  const webhooks: { event: string; status: number }[] = [];
  const faults: Fault[] = [];
  const pending = new Set<Promise<void>>();
  const away = new Set<number>();
  const ledAway = new Map<number, string>();
  let automatic: Automatic | null = null;

  const one = <Row extends { id: number }>(rows: Row[], id: unknown): Row => {
    const found = rows.find((row) => row.id === Number(id));
    if (!found) throw notFound();
    return found;
  };

  const conversationBody = (conversation: Conversation): Json => {
    const { id, contactId, inboxId, sourceId, status, agentSeenAt, contactSeenAt } = conversation;
    const isUnread = ({ conversationId, message_type, createdAt }: ChatwootMessage): boolean =>
      conversationId === id && message_type === "incoming" && createdAt >= agentSeenAt * 1000;
    return {
      id,
      inbox_id: inboxId,
      status,
      contact_inbox: { contact_id: contactId, inbox_id: inboxId, source_id: sourceId },
      meta: { sender: { ...one(contacts, contactId), type: "contact" } },
      unread_count: Math.min(messages.filter(isUnread).length, 10),
      agent_last_seen_at: agentSeenAt,
      contact_last_seen_at: contactSeenAt,
    };
  };

  const webhookBody = (event: string, message: ChatwootMessage): Json => {
    const conversation = one(conversations, message.conversationId);
    return {
      event,
      id: message.id,
      content: message.content,
      message_type: message.message_type,
      content_type: "text",
      private: message.private,
      source_id: message.source_id,
      content_attributes: message.content_attributes,
      sender: message.sender,
      ...(message.files.length === 0
        ? {}
        : {
            attachments: message.files.map((file, index) => ({
              id: message.id * 100 + index,
              file_type: file.type.split("/")[0] === "application" ? "file" : file.type.split("/")[0],
              data_url: `${url()}/rails/active_storage/blobs/redirect/${message.id}/${index}/${encodeURIComponent(file.name)}`,
            })),
          }),
      inbox: { id: conversation.inboxId },
      account: { id: ACCOUNT },
      conversation: conversationBody(conversation),
    };
  };

  /** Chatwoot waits five seconds for an answer, calls once, and marks an agent's message as failed after a refusal. */
  const call = (event: string, message: ChatwootMessage): void => {
    callWith(one(conversations, message.conversationId), webhookBody(event, message), (status) => {
      if (status >= 300 && event === "message_created") message.status = "failed";
    });
  };

  const callWith = ({ inboxId }: Conversation, payload: Json, ended: (status: number) => void = () => {}): void => {
    const { webhook_url } = one(inboxes, inboxId);
    if (!webhook_url) return;
    const { event } = payload;
    const body = JSON.stringify(payload);
    const sent = fetch(webhook_url, { method: "POST", headers: { "content-type": "application/json" }, body })
      .then(({ status }) => {
        webhooks.push({ event, status });
        ended(status);
      })
      .catch(() => void webhooks.push({ event, status: 0 }))
      .finally(() => pending.delete(sent));
    pending.add(sent);
  };

  /** Typing of an agent or of the contact itself: the inbox is told of both. */
  const callTyping = (conversation: Conversation, { isOn, user, isPrivate }: Typed): void =>
    callWith(conversation, {
      event: isOn ? "conversation_typing_on" : "conversation_typing_off",
      user,
      conversation: conversationBody(conversation),
      is_private: isPrivate,
    });

  const bodyOf = async (request: Request): Promise<{ fields: Json; files: ChatwootFile[] }> => {
    const type = request.headers.get("content-type") ?? "";
    if (!type.startsWith("multipart/")) {
      const text = await request.text();
      const fields = text === "" ? {} : JSON.parse(text);
      if (fields.attachments !== undefined) throw new Refusal(422, { error: "attachments must be uploaded" });
      return { fields, files: [] };
    }
    const form = await request.formData();
    const fields: Json = {};
    for (const [name, value] of form.entries()) {
      const [, parent, child] = /^(\w+)\[(\w+)\]$/.exec(name) ?? [];
      if (typeof value !== "string") continue;
      if (parent !== undefined && child !== undefined) fields[parent] = { ...fields[parent], [child]: value };
      else fields[name] = value;
    }
    const files: ChatwootFile[] = [];
    for (const file of form.getAll("attachments[]"))
      if (file instanceof File) {
        const bytes = new Uint8Array(await file.arrayBuffer());
        files.push({ name: file.name, type: file.type, bytes });
      }
    return { fields, files };
  };

  const makeContact = ({ name, phone_number = null, identifier = null, inbox_id }: Json): Json => {
    if (phone_number !== null && !E164.test(phone_number))
      throw new Refusal(422, { message: "Phone number should be in e164 format", attributes: ["phone_number"] });
    for (const [attribute, value] of Object.entries({ phone_number, identifier }))
      if (value !== null && contacts.some((known) => (known as Json)[attribute] === value))
        throw new Refusal(422, { message: `${attribute} has already been taken`, attributes: [attribute] });
    if (inbox_id !== undefined) one(inboxes, inbox_id);
    const contact = { id: next(), name: String(name ?? ""), phone_number, identifier };
    contacts.push(contact);
    return { payload: { contact, contact_inbox: { source_id: identifier, inbox: { id: inbox_id } } } };
  };

  const requirePace = (conversationId: number): void => {
    const recent = messages.filter((one) => one.conversationId === conversationId && one.createdAt > now() - 60_000);
    if (recent.length >= messagesPerMinute) throw new Refusal(422, { error: "Validation failed: Too many messages" });
  };

  const keptAttributes = ({ content_attributes = {}, external_created_at }: Json): Json => ({
    ...Object.fromEntries(
      KEPT_ATTRIBUTES.filter((name) => name in content_attributes).map((name) => [name, content_attributes[name]]),
    ),
    ...(external_created_at === undefined ? {} : { external_created_at }),
  });

  /** The greeting of a conversation whose first message comes from a person. */
  const answerFirst = ({ conversationId, message_type }: ChatwootMessage): void => {
    const isFirst = messages.every((one) => one.conversationId !== conversationId || one.message_type === "incoming");
    if (automatic === null || message_type !== "incoming" || !isFirst) return;
    const { content, by } = automatic;
    if (by === "greeting") makeMessage(conversationId, { content, message_type: "template" }, []);
    else makeMessage(conversationId, { content }, [], { id: 1, type: "agent_bot" });
  };

  const senderOf = (type: ChatwootMessage["message_type"], contactId: number): ChatwootMessage["sender"] =>
    type === "incoming" ? { id: contactId } : type === "template" ? null : { id: 1, type: "user" };

  const makeMessage = (
    conversationId: number,
    fields: Json,
    files: ChatwootFile[],
    bot?: ChatwootMessage["sender"],
  ): ChatwootMessage => {
    const conversation = one(conversations, conversationId);
    const isApi = one(inboxes, conversation.inboxId).channel_type === "Channel::Api";
    const type = fields["message_type"] ?? "outgoing";
    if (type === "incoming" && !isApi)
      throw new Refusal(422, { error: "Incoming messages are only allowed in Api inboxes" });
    if (String(fields["content"] ?? "").length > 150_000)
      throw new Refusal(422, { error: "Validation failed: Content is too long (maximum is 150000 characters)" });
    requirePace(conversationId);
    const message: ChatwootMessage = {
      id: next(),
      conversationId,
      content: String(fields["content"] ?? ""),
      message_type: type,
      private: fields["private"] === true || fields["private"] === "true",
      source_id: fields["source_id"] ?? null,
      content_attributes: keptAttributes(fields),
      status: "sent",
      files,
      sender: bot ?? senderOf(type, conversation.contactId),
      createdAt: now(),
    };
    messages.push(message);
    if (type === "incoming" && conversation.status === "resolved") conversation.status = "open";
    call("message_created", message);
    answerFirst(message);
    return message;
  };

  const shown = ({ files: _files, createdAt: _at, conversationId, ...message }: ChatwootMessage): Json => ({
    ...message,
    conversation_id: conversationId,
    message_type: TYPE_NUMBERS[message.message_type],
  });

  const isAdmin = (request: Request): boolean => request.headers.get("api_access_token") === ADMIN_TOKEN;
  const requireAdmin = (request: Request): void => {
    if (!isAdmin(request)) throw new Refusal(401, { error: "You are not authorized to do this action" });
  };

  type Asked = {
    request: Request;
    id: string | undefined;
    subId: string | undefined;
    fields: Json;
    files: ChatwootFile[];
  };

  /** TABLE: what each call does, by its method and the nouns of its path. */
  const ROUTES: Record<string, (asked: Asked) => Json> = {
    "GET inboxes": ({ request, id }) => {
      if (id !== undefined) return one(inboxes, id);
      return { payload: isAdmin(request) ? inboxes : inboxes.map(({ webhook_url: _url, ...rest }) => rest) };
    },
    "POST inboxes": ({ request, fields: { name, channel } }) => {
      requireAdmin(request);
      if (channel?.type !== "api" || !name) throw new Refusal(422, { message: "Name can't be blank" });
      const inbox = {
        id: next(),
        name,
        channel_type: "Channel::Api",
        webhook_url: channel.webhook_url ?? null,
        inbox_identifier: crypto.randomUUID(),
      };
      inboxes.push(inbox);
      return inbox;
    },
    "PATCH inboxes": ({ request, id, fields: { channel } }) => {
      requireAdmin(request);
      const inbox = one(inboxes, id);
      if (channel?.webhook_url !== undefined) inbox.webhook_url = channel.webhook_url;
      return inbox;
    },
    "GET contacts": ({ request, id }) => {
      const q = new URL(request.url).searchParams.get("q")?.trim();
      if (id !== "search" || !q) throw new Refusal(422, { error: "Specify search string with parameter q" });
      const found = contacts.filter((contact) =>
        [contact.name, contact.phone_number, contact.identifier].some((text) => text?.includes(q)),
      );
      return { meta: { count: found.length }, payload: found };
    },
    "POST contacts": ({ fields }) => makeContact(fields),
    "PUT contacts": ({ id, fields: { name } }) => ({ payload: Object.assign(one(contacts, id), { name }) }),
    "GET contacts/conversations": ({ id }) => {
      const { id: contactId } = one(contacts, id);
      const found = conversations.filter((conversation) => conversation.contactId === contactId);
      return { payload: found.map(({ id: known, inboxId, status }) => ({ id: known, inbox_id: inboxId, status })) };
    },
    "POST conversations": ({ fields }) => {
      const contact = one(contacts, fields["contact_id"]);
      const inbox = one(inboxes, fields["inbox_id"]);
      const sourceId = String(fields["source_id"]);
      const conversation: Conversation = {
        id: next(),
        contactId: contact.id,
        inboxId: inbox.id,
        sourceId,
        status: "open",
        ...NOBODY_SAW,
      };
      conversations.push(conversation);
      return { id: conversation.id, inbox_id: inbox.id };
    },
    "GET conversations": ({ id }) => {
      const conversation = one(conversations, id);
      const last = messages.findLast(({ conversationId }) => conversationId === conversation.id);
      const { contact_inbox: _inbox, ...rest } = conversationBody(conversation);
      return {
        ...rest,
        last_non_activity_message: last && {
          ...shown(last),
          conversation: { contact_inbox: { source_id: conversation.sourceId } },
        },
      };
    },
    "GET conversations/messages": ({ id }) => {
      const { id: conversationId } = one(conversations, id);
      const found = messages.filter((message) => message.conversationId === conversationId);
      return { meta: {}, payload: found.slice(-20).map(shown) };
    },
    "POST conversations/messages": ({ id, fields, files }) => shown(makeMessage(Number(id), fields, files)),
    "PATCH conversations/messages": ({ id, subId, fields }) => {
      one(conversations, id);
      const message = one(messages, subId);
      if (!["sent", "delivered", "read", "failed"].includes(fields["status"])) throw new Refusal(422, {});
      // a later receipt of an earlier step changes nothing
      if (!(message.status === "read" && fields["status"] === "delivered")) message.status = fields["status"];
      if (fields["external_error"]) message.content_attributes["external_error"] = fields["external_error"];
      call("message_updated", message);
      return shown(message);
    },
    "DELETE conversations/messages": ({ id, subId }) => {
      one(conversations, id);
      removed(one(messages, subId));
      return {};
    },
  };

  /** TABLE: what a contact does in its conversation by the public API, which asks for no token. */
  const CONTACT_ACTS: Record<string, (conversation: Conversation, fields: Json) => void> = {
    toggle_typing: (conversation, { typing_status: status }) => {
      if (status !== "on" && status !== "off") return;
      conversation.isContactTyping = status === "on";
      const user = { id: conversation.contactId, type: "contact" } as const;
      callTyping(conversation, { isOn: status === "on", user, isPrivate: false });
    },
    update_last_seen: (conversation) => {
      conversation.contactSeenAt = Math.floor(now() / 1000);
      for (const message of messages)
        if (
          message.conversationId === conversation.id &&
          message.message_type !== "incoming" &&
          ["sent", "delivered"].includes(message.status)
        )
          message.status = "read";
    },
  };

  /** The source id must be that of the conversation. A dot ends a segment of a path there, and begins a format. */
  const contactActs = async (request: Request, path: string): Promise<Response> => {
    const [, identifier = "", source = "", id, act = ""] =
      /^\/public\/api\/v1\/inboxes\/([^/.]+)\/contacts\/([^/.]+)\/conversations\/(\d+)\/(\w+)$/.exec(path) ?? [];
    const inbox = inboxes.find((one) => one.inbox_identifier === decodeURIComponent(identifier));
    const conversation = conversations.find(
      (one) => one.id === Number(id) && one.inboxId === inbox?.id && one.sourceId === decodeURIComponent(source),
    );
    const run = CONTACT_ACTS[act];
    if (!conversation || !run || request.method !== "POST") return Response.json(notFound().body, { status: 404 });
    run(conversation, (await bodyOf(request)).fields);
    return new Response("");
  };

  const routed = async (request: Request, path: string): Promise<Json> => {
    const [noun = "", id, sub, subId] = path.split("/").slice(1);
    const route = ROUTES[`${request.method} ${noun}${sub === undefined ? "" : `/${sub}`}`];
    if (!route) throw notFound();
    return route({ request, id, subId, ...(await bodyOf(request)) });
  };

  const removed = (message: ChatwootMessage): void => {
    message.content = "This message was deleted";
    message.content_attributes = { deleted: true };
    message.files = [];
    call("message_updated", message);
  };

  const stored = (path: string): Response => {
    const [, , , , way, id, index] = path.split("/");
    if (away.has(Number(id))) return new Response("", { status: 503 });
    const location = ledAway.get(Number(id));
    if (location !== undefined) return new Response("", { status: 302, headers: { location } });
    const file = messages.find((message) => message.id === Number(id))?.files[Number(index)];
    if (!file) return new Response("", { status: 404 });
    if (way === "redirect")
      return new Response("", { status: 302, headers: { location: path.replace("/redirect/", "/disk/") } });
    return new Response(file.bytes as Uint8Array<ArrayBuffer>, {
      headers: {
        "content-type": file.type,
        "content-disposition": `inline; filename="${file.name}"`,
        "content-length": String(file.bytes.length),
      },
    });
  };

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 120,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith("/rails/active_storage/")) return stored(pathname);
      if (pathname.startsWith("/public/")) {
        publicCalls.push(`${request.method} ${pathname.split("/").at(-1)}`);
        if (request.headers.has("api_access_token")) leaked.push(pathname);
        return contactActs(request, pathname);
      }
      const [, account, path = ""] = /^\/api\/v1\/accounts\/(\d+)(\/.*)$/.exec(pathname) ?? [];
      calls.push(`${request.method} ${path}`);
      const token = request.headers.get("api_access_token");
      if (token !== ADMIN_TOKEN && token !== AGENT_TOKEN)
        return Response.json({ error: "Invalid Access Token" }, { status: 401 });
      if (Number(account) !== ACCOUNT) return Response.json(notFound().body, { status: 404 });
      const at = faults.findIndex((fault) => fault.method === request.method && fault.path.test(path));
      const [fault] = at < 0 ? [] : faults.splice(at, 1);
      if (fault && !fault.isDone) return Response.json({ error: "fault" }, { status: fault.status });
      try {
        const answer = await routed(request, path);
        return fault ? Response.json({ error: "fault" }, { status: fault.status }) : Response.json(answer);
      } catch (error) {
        if (error instanceof Refusal) return Response.json(error.body, { status: error.status });
        throw error;
      }
    },
  });
  const url = (): string => `http://127.0.0.1:${server.port}`;

  return {
    url: url(),
    inboxes,
    contacts,
    conversations,
    messages,
    /** Every call: method and path within the account. */
    calls,
    /** Every call of the public API: method and act. */
    publicCalls,
    /** The calls of the public API that had a token, which nobody but the application API is to see. */
    leaked,
    /** The answers of the webhooks. */
    webhooks,
    /** The next call of this kind is answered with a status. */
    failNext: (method: string, path: RegExp, { status = 502, isDone = false } = {}) =>
      void faults.push({ method, path, status, isDone }),
    /** What Chatwoot writes by itself from now on. */
    answersFirst: (next: Automatic) => void (automatic = next),
    /** An agent writes. */
    agentWrites({
      conversationId,
      typed = "",
      content = markdownOf(typed),
      files = [],
      isPrivate = false,
      type,
      repliedId,
    }: AgentMessage) {
      const fields = {
        content,
        private: isPrivate,
        message_type: type ?? "outgoing",
        content_attributes: repliedId === undefined ? {} : { in_reply_to: repliedId },
      };
      return makeMessage(
        conversationId,
        fields,
        files.map(({ file }) => file),
      );
    },
    /** An agent begins or ends to type. */
    agentTypes(conversationId: number, { isOn = true, isPrivate = false } = {}): void {
      callTyping(one(conversations, conversationId), { isOn, user: { id: 1, type: "user" }, isPrivate });
    },
    /** An agent opens a conversation: Chatwoot notes the time, and calls nobody. */
    agentOpens(conversationId: number): void {
      one(conversations, conversationId).agentSeenAt = Math.floor(now() / 1000);
    },
    /** An agent, or a rule, changes what a conversation is: its status, its labels, whose it is. */
    changes(conversationId: number, event: "conversation_updated" | "conversation_status_changed"): void {
      const conversation = one(conversations, conversationId);
      callWith(conversation, { ...conversationBody(conversation), event, changed_attributes: [] });
    },
    agentDeletes: (id: number) => removed(one(messages, id)),
    /** The files of a message cannot be had for some time. Gives what ends that. */
    losesFilesOf(id: number): () => void {
      const message = one(messages, id);
      away.add(message.id);
      return () => void away.delete(message.id);
    },
    /** The addresses of a message's files redirect to this one. */
    leadsFilesTo: (id: number, url: string) => void ledAway.set(one(messages, id).id, url),
    /** An agent begins a conversation with a contact, as Chatwoot does: with a source id of its own. */
    agentBegins(inboxId: number, contact: Omit<Contact, "id">): Conversation {
      const made = { id: next(), ...contact };
      contacts.push(made);
      const conversation: Conversation = {
        id: next(),
        contactId: made.id,
        inboxId,
        sourceId: crypto.randomUUID(),
        status: "open",
        ...NOBODY_SAW,
      };
      conversations.push(conversation);
      return conversation;
    },
    agentDeletesConversation(id: number) {
      conversations.splice(
        conversations.findIndex((conversation) => conversation.id === id),
        1,
      );
    },
    /** Resolves when every webhook that was begun has been answered. */
    called: () => untilTrue(() => pending.size === 0),
    /** The texts of a conversation, each with its side. */
    said: (): string[] =>
      messages.map(({ message_type, content }) => `${message_type === "incoming" ? "<" : ">"} ${content}`),
    stop: () => server.stop(true),
  };
};
