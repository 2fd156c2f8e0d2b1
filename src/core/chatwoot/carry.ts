import type { DeliveryOutcome } from "../../contract/ports/delivery-target.ts";
import type { KeptFile } from "../../contract/ports/kept-files.ts";
import { DAY_MS, SECOND_MS } from "../../kernel/clock.ts";
import { type ChannelId, madeAt, type TenantId } from "../../kernel/ids.ts";
import { spellingsOf } from "../../kernel/numbers/phone-numbers.ts";
import { UNKNOWN_TYPE } from "../../kernel/texts/media-types.ts";
import {
  type ChatwootChatRow,
  type ChatwootMessageRow,
  findChatOfConversation,
  findChatwootChat,
  findChatwootMessage,
  forgetConversation,
  isDeletedInChatwoot,
  putChatwootChat,
  putChatwootMessage,
} from "../../store/tables/channels/chatwoot.ts";
import { findGroupByUpstreamId } from "../../store/tables/groups.ts";
import { listMediaOf } from "../../store/tables/media.ts";
import { findMessage } from "../../store/tables/messaging/messages.ts";
import { messageLog } from "../conversations/message-log.ts";
import { smallFileOf } from "../media/links.ts";
import type { ChatwootChange, ChatwootPerson, ChatwootSaid } from "./changes.ts";
import type { Answer, ChatwootClient } from "./client.ts";
import { deleteReply } from "./deleted-replies.ts";
import { changeOfOld } from "./earlier.ts";
import type { ChatwootEnv } from "./env.ts";
import type { Connection } from "./inbox.ts";

/** The largest file that goes to Chatwoot, whose own limit is 40 MB at first. */
const MOST_FILE_BYTES = 40 * 1024 * 1024;

/** Where a change goes. `isHistory`: it happened long ago, and Chatwoot is told when. */
export type Carrying = { connection: Connection; client: ChatwootClient; isHistory?: boolean };

const DONE: DeliveryOutcome = {
  failure: null,
  error: null,
  statusCode: 200,
  response: null,
  retryAfterMs: 0,
  isGone: false,
  durationMs: 0,
};

/** The state of a Chatwoot that answered, but not with what it promises. */
const unexpected = ({ outcome }: Answer): DeliveryOutcome => ({
  ...outcome,
  failure: "http_unexpected",
  error: "the answer has no id",
});

/** Whether Chatwoot no longer has what a call named. */
const isGone = ({ status }: Answer): boolean => status === 404;

/** Chatwoot of before 2024 sets no status, and an inbox of another type never does. */
const setsNoStatus = ({ status }: Answer): boolean => [403, 404, 405].includes(status);

/** Brings a change to Chatwoot. Repeating it changes nothing there. */
export const carryChange = async (
  env: ChatwootEnv,
  carrying: Carrying,
  change: ChatwootChange,
): Promise<DeliveryOutcome> => {
  switch (change.change) {
    case "message":
      return (
        (await carryBatchMessage(env, carrying, change)) ??
        (await carryMessage(env, carrying, change.chat, change.message))
      );
    case "status":
      return carryStatus(env, carrying, change);
    case "deletion":
      return carryDeletion(env, carrying, change);
    case "typing":
      return carryTyping(env, carrying, change);
  }
};

const knownMessage = (
  env: ChatwootEnv,
  { connection: { subscriptionId } }: Carrying,
  id: string,
): Promise<ChatwootMessageRow | undefined> =>
  env.db.read((reader) => findChatwootMessage(reader, { subscriptionId, id }));

type StatusChange = Extract<ChatwootChange, { change: "status" }>;

const carryStatus = async (env: ChatwootEnv, carrying: Carrying, change: StatusChange): Promise<DeliveryOutcome> => {
  const { chat, message, status, error } = change;
  const known = await knownMessage(env, carrying, message.id);
  if (known ? await isPastFor(env, carrying, known, status) : await isLeftOut(env, carrying, change)) return DONE;
  const made = await carryMessage(env, carrying, chat, message);
  if (made.error !== null || status === "sent") return made;
  const row = await knownMessage(env, carrying, message.id);
  if (!row || row.chatwootId === null) return made;
  const answer = await carrying.client.setStatus(row.conversationId, row.chatwootId, { status, error });
  if (setsNoStatus(answer)) return DONE;
  if (answer.isOk && status === "read") await carrySeen(carrying, row);
  return answer.outcome;
};

/** Whether a status says nothing of a message that was brought: it never came to be there, or an agent deleted it. */
const isPastFor = async (
  env: ChatwootEnv,
  carrying: Carrying,
  known: ChatwootMessageRow,
  status: StatusChange["status"],
): Promise<boolean> => (status === "failed" && known.chatwootId === null) || wasTakenBack(env, carrying, known, status);

/**
 * Whether Chatwoot gets nothing of a message that it never saw: nobody got it, it is older than the connection, or a
 * batch sent it. That begins no conversation, and what happens to it later does not bring it; `carryBatchMessage` does,
 * once the person answers.
 */
const isLeftOut = async (
  env: ChatwootEnv,
  carrying: Carrying,
  { chat, message, status }: StatusChange,
): Promise<boolean> => {
  const { subscriptionId, tenantId, settings } = carrying.connection;
  if (status === "failed" || (status !== "sent" && isOlder(carrying, message))) return true;
  if (settings.batches) return false;
  const [sent, begun] = await env.db.read(async (reader) => [
    await findMessage(reader, { tenantId }, message.id),
    await findChatwootChat(reader, { subscriptionId, chat: chat.key }),
  ]);
  return sent !== undefined && sent.batchId !== null && (!begun || status !== "sent");
};

/** How old the message of a batch may be that a person's first message is taken to answer. */
const ANSWERS_WITHIN_MS = 30 * DAY_MS;
/** How many of the newest messages to a person are looked at for one of a batch. */
const LOOKED_AT = 20;

/**
 * Brings the message of a batch that a person now answers, before the answer, so that agents see what it is about.
 * Undefined unless Chatwoot could not take it now.
 */
const carryBatchMessage = async (
  env: ChatwootEnv,
  carrying: Carrying,
  { chat, message }: Extract<ChatwootChange, { change: "message" }>,
): Promise<DeliveryOutcome | undefined> => {
  const { connection, isHistory = false } = carrying;
  const { subscriptionId, channelId, tenantId, settings } = connection;
  if (settings.batches || isHistory || !message.isIncoming || chat.isGroup) return undefined;
  if (await env.db.read((reader) => findChatwootChat(reader, { subscriptionId, chat: chat.key }))) return undefined;
  const { items } = await messageLog(
    env,
    { tenantId },
    {
      channelId,
      contact: chat.key,
      direction: "OUTBOUND",
      sinceMs: env.clock.now() - ANSWERS_WITHIN_MS,
      limit: LOOKED_AT,
    },
  );
  const asked = items.find(({ batchId }) => batchId !== null);
  const change = asked && (await changeOfOld(env, connection, asked.id));
  if (change?.change !== "message") return undefined;
  const outcome = await carryMessage(env, { ...carrying, isHistory: true }, chat, change.message);
  // what Chatwoot refuses for good must not keep the answer back
  return outcome.error !== null && (outcome.statusCode === 0 || outcome.statusCode >= 429) ? outcome : undefined;
};

/**
 * Says in the name of the person that all was seen, once no message to the person is unread: Chatwoot takes it for all
 * messages of the conversation. That it fails stops nothing, because each message has its own status.
 */
const carrySeen = async (
  { connection: { identifier }, client }: Carrying,
  { chat, conversationId }: Pick<ChatwootMessageRow, "chat" | "conversationId">,
): Promise<void> => {
  if (identifier === null) return;
  const { answer, messages } = await client.messagesOf(conversationId);
  const isUnread = messages.some(({ isToPerson, status }) => isToPerson && status !== "read" && status !== "failed");
  if (!answer.isOk || isUnread) return;
  await asContact(client, { chat, conversationId }, (sourceId) =>
    client.updateLastSeen({ identifier, sourceId, conversationId }),
  );
};

/** For how long it is true that a person types: Chatwoot itself forgets it after half a minute. */
const TYPING_MS = 25 * SECOND_MS;

/** Shows that a person types, in a conversation that Chatwoot has. What is late, or fails, is left: it is over. */
const carryTyping = async (
  env: ChatwootEnv,
  { connection: { subscriptionId, identifier, settings }, client }: Carrying,
  { chat: { key: chat }, isTyping, at }: Extract<ChatwootChange, { change: "typing" }>,
): Promise<DeliveryOutcome> => {
  if (!settings.typing || identifier === null || env.clock.now() - at > TYPING_MS) return DONE;
  const known = await env.db.read((reader) => findChatwootChat(reader, { subscriptionId, chat }));
  if (!known) return DONE;
  await asContact(client, known, (sourceId) =>
    client.toggleTyping({ identifier, sourceId, conversationId: known.conversationId }, isTyping),
  );
  return DONE;
};

/**
 * Makes a call in the name of the contact of a conversation. A conversation that Recado made has the key of the chat as
 * the contact's name; any other has a name of Chatwoot's own.
 */
const asContact = async (
  client: ChatwootClient,
  { chat, conversationId }: Pick<ChatwootMessageRow, "chat" | "conversationId">,
  call: (sourceId: string) => Promise<Answer>,
): Promise<void> => {
  if (!isGone(await call(chat))) return;
  const sourceId = await client.sourceOf(conversationId);
  if (sourceId !== null && sourceId !== chat) await call(sourceId);
};

/** Whether a message is older than the connection: one that is read today would stand among today's. */
const isOlder = ({ connection: { subscriptionId } }: Carrying, { id }: ChatwootSaid): boolean =>
  madeAt(id) < madeAt(subscriptionId);

/** Whether an agent deleted the message. If it was leaving at that time, it is deleted on the network now. */
const wasTakenBack = async (
  env: ChatwootEnv,
  { connection }: Carrying,
  { subscriptionId, chatwootId }: ChatwootMessageRow,
  status: string,
): Promise<boolean> => {
  if (chatwootId === null) return false;
  if (!(await env.db.read((reader) => isDeletedInChatwoot(reader, { subscriptionId, chatwootId })))) return false;
  if (status === "sent") await deleteReply(env, connection, chatwootId);
  return true;
};

const carryDeletion = async (
  env: ChatwootEnv,
  carrying: Carrying,
  { messageId }: Extract<ChatwootChange, { change: "deletion" }>,
): Promise<DeliveryOutcome> => {
  const row = await knownMessage(env, carrying, messageId);
  if (!row || row.chatwootId === null) return DONE;
  const answer = await carrying.client.deleteMessage(row.conversationId, row.chatwootId);
  return isGone(answer) ? DONE : answer.outcome;
};

/**
 * Whether Chatwoot has a message. A conversation that was deleted there is not made again for what happens to its old
 * messages; an import brings them anew.
 */
const isThere = async (
  env: ChatwootEnv,
  { connection: { subscriptionId }, isHistory = false }: Carrying,
  known: ChatwootMessageRow | undefined,
): Promise<boolean> => {
  if (!known || known.chatwootId === null) return false;
  const { conversationId } = known;
  return (
    !isHistory ||
    (await env.db.read((reader) => findChatOfConversation(reader, { subscriptionId, conversationId }))) !== undefined
  );
};

/** Whether an earlier run of an import, or what happened since, has brought a message to Chatwoot. */
export const isCarried = async (env: ChatwootEnv, carrying: Carrying, id: string): Promise<boolean> =>
  isThere(env, carrying, await knownMessage(env, carrying, id));

/** Makes a message in Chatwoot unless it is there. Its row comes first: a lost answer may have made it. */
const carryMessage = async (
  env: ChatwootEnv,
  carrying: Carrying,
  chat: ChatwootPerson,
  message: ChatwootSaid,
): Promise<DeliveryOutcome> => {
  const known = await knownMessage(env, carrying, message.id);
  if (await isThere(env, carrying, known)) return DONE;
  const conversation = await conversationFor(env, carrying, chat);
  if ("failed" in conversation) return conversation.failed.outcome;
  if (known) {
    const found = await foundMade(env, carrying, known);
    if (found) return found;
  }
  const made = await makeMessage(env, carrying, conversation, message);
  if (!isGone(made)) return made.outcome;
  // an agent deleted the conversation: the chat goes on in a new one
  const { subscriptionId } = carrying.connection;
  const { conversationId } = conversation;
  await env.db.write(async (tx) => forgetConversation(tx, { subscriptionId, conversationId }));
  const next = await conversationFor(env, carrying, chat);
  return "failed" in next ? next.failed.outcome : (await makeMessage(env, carrying, next, message)).outcome;
};

/** The outcome if an earlier attempt has made the message, or if that cannot be seen now. */
const foundMade = async (
  env: ChatwootEnv,
  { client }: Carrying,
  known: ChatwootMessageRow,
): Promise<DeliveryOutcome | undefined> => {
  const { answer, messages } = await client.messagesOf(known.conversationId);
  if (isGone(answer)) return undefined;
  if (!answer.isOk) return answer.outcome;
  const found = messages.find(({ sourceId }) => sourceId === known.id);
  if (!found) return undefined;
  await env.db.write((tx) => putChatwootMessage(tx, { ...known, chatwootId: found.id }));
  return DONE;
};

const makeMessage = async (
  env: ChatwootEnv,
  carrying: Carrying,
  { conversationId, chat }: ChatwootChatRow,
  { id, isIncoming, text, at, answers, file }: ChatwootSaid,
): Promise<Answer> => {
  const { connection, client, isHistory = false } = carrying;
  const { subscriptionId, channelId } = connection;
  const row = { id, subscriptionId, channelId, chat, conversationId, chatwootId: null };
  const replied = answers === null ? undefined : await knownMessage(env, carrying, answers);
  const attached = await fileFor(env, connection, { id, file });
  await env.db.write((tx) => putChatwootMessage(tx, row));
  const { answer, id: chatwootId } = await client.makeMessage(conversationId, {
    sourceId: id,
    isIncoming,
    text: [text, attached.note].filter(Boolean).join("\n"),
    repliedId: replied?.conversationId === conversationId ? replied.chatwootId : null,
    writtenAt: isHistory ? at : null,
    file: attached.file,
  });
  if (!answer.isOk) return answer;
  if (chatwootId === 0) return { ...answer, isOk: false, outcome: unexpected(answer) };
  await env.db.write((tx) => putChatwootMessage(tx, { ...row, chatwootId }));
  return answer;
};

type Attached = { file: File | null; note: string };

const WITHOUT: Attached = { file: null, note: "" };
const withoutFile = (why: string): Attached => ({ file: null, note: `[${why}]` });

/** The file of a message, or why it is not there. */
const fileFor = async (
  env: ChatwootEnv,
  { tenantId }: { tenantId: TenantId },
  { id, file }: Pick<ChatwootSaid, "id" | "file">,
): Promise<Attached> => {
  if (file === false) return WITHOUT;
  if (typeof file === "string") return keptFile(await env.openKeptFile(tenantId, file));
  const [known] = await env.db.read((reader) => listMediaOf(reader, { tenantId }, [id]));
  const read = await smallFileOf(env, { tenantId }, id, MOST_FILE_BYTES);
  if (!read || !known) return withoutFile(known ? "the file is too large" : "the file is gone");
  const bytes = await read();
  if (!bytes) return withoutFile("the file is gone");
  return { file: namedFile(bytes, known.contentType, known.filename), note: "" };
};

const keptFile = async (kept: KeptFile | undefined): Promise<Attached> => {
  if (!kept) return withoutFile("the file is gone");
  if (kept.sizeBytes > MOST_FILE_BYTES) return withoutFile("the file is too large");
  const bytes = Buffer.concat(await Array.fromAsync(kept.body));
  return { file: namedFile(bytes, kept.contentType ?? UNKNOWN_TYPE, kept.name ?? null), note: "" };
};

/** Chatwoot shows a file by its type and its name. */
const namedFile = (bytes: Uint8Array, type: string, name: string | null): File => {
  const ending = type.split(";", 1)[0]?.split("/")[1]?.replace(/^x-/, "") ?? "bin";
  return new File([new Uint8Array(bytes)], name ?? `file.${ending}`, { type });
};

type Found = ChatwootChatRow | { failed: Answer };

/** The conversation of a chat, which is made if Chatwoot has none. */
const conversationFor = async (env: ChatwootEnv, carrying: Carrying, person: ChatwootPerson): Promise<Found> => {
  const { subscriptionId, channelId, inboxId } = carrying.connection;
  const { client } = carrying;
  const known = await env.db.read((reader) => findChatwootChat(reader, { subscriptionId, chat: person.key }));
  if (known) return named(env, carrying, known, person);
  const name = await nameFor(env, channelId, person);
  const contact = await contactFor(client, inboxId, person, name ?? person.phone ?? person.key);
  if ("failed" in contact) return contact;
  const { contactId } = contact;
  const { answer: listed, ids } = await client.conversationsOf(contactId, inboxId);
  if (!listed.isOk) return { failed: listed };
  const latest = ids.at(-1);
  const made =
    latest === undefined ? await client.makeConversation({ contactId, inboxId, key: person.key }) : undefined;
  if (made && !made.answer.isOk) return { failed: made.answer };
  const conversationId = latest ?? made?.conversationId ?? 0;
  if (conversationId === 0) return { failed: { ...listed, isOk: false, outcome: unexpected(listed) } };
  const row = { subscriptionId, channelId, chat: person.key, contactId, conversationId, isNamed: name !== null };
  await env.db.write((tx) => putChatwootChat(tx, row));
  return row;
};

/** A contact that has only a number gets the person's name once it is known. That it fails stops nothing. */
const named = async (
  env: ChatwootEnv,
  { client }: Carrying,
  row: ChatwootChatRow,
  { name }: ChatwootPerson,
): Promise<ChatwootChatRow> => {
  if (row.isNamed || name === null) return row;
  const answer = await client.renameContact(row.contactId, name);
  if (!answer.isOk) return row;
  const renamed = { ...row, isNamed: true };
  await env.db.write((tx) => putChatwootChat(tx, renamed));
  return renamed;
};

const nameFor = async (
  env: ChatwootEnv,
  channelId: ChannelId,
  { key, name, isGroup }: ChatwootPerson,
): Promise<string | null> => {
  if (!isGroup) return name;
  const id = key.replace(/^group:/, "");
  const group = await env.db.read((reader) => findGroupByUpstreamId(reader, channelId, id));
  return group?.subject || `Group ${id}`;
};

/** The contact with this number, in any of its spellings, or with this key. It is made if Chatwoot has none. */
const contactFor = async (
  client: ChatwootClient,
  inboxId: number,
  { key, phone }: ChatwootPerson,
  name: string,
): Promise<{ contactId: number } | { failed: Answer }> => {
  const numbers = phone === null ? [] : spellingsOf(phone.replace(/^\+/, "")).map((number) => `+${number}`);
  for (const words of [...numbers, key]) {
    const { answer, contacts } = await client.findContacts(words);
    if (!answer.isOk) return { failed: answer };
    const found = contacts.find((one) => one.phone === words || one.identifier === words);
    if (found) return { contactId: found.id };
  }
  const { answer, contactId } = await client.makeContact({ inboxId, key, name, phone });
  if (!answer.isOk) return { failed: answer };
  return contactId === 0 ? { failed: { ...answer, isOk: false, outcome: unexpected(answer) } } : { contactId };
};
