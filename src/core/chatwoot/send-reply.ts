import type { ContentType } from "../../contract/content/content.ts";
import type { Http } from "../../contract/ports/http.ts";
import { SECOND_MS } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { leave } from "../../kernel/network/bodies.ts";
import { filenameIn } from "../../kernel/texts/disposition.ts";
import { UNKNOWN_TYPE } from "../../kernel/texts/media-types.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import {
  findChatOfConversation,
  findWaitingReply,
  isDeletedInChatwoot,
  listOfChatwootMessage,
  putChatwootChat,
  putChatwootMessage,
} from "../../store/tables/channels/chatwoot.ts";
import { loadSubscription, type SubscriptionRow } from "../../store/tables/events/subscriptions.ts";
import { CONTACT_TYPES } from "../domain-event.ts";
import { headersOf, ownHeaders } from "../events/own-headers.ts";
import { KEPT_MAX_BYTES, keepFile } from "../media/kept.ts";
import { acceptMessage } from "../messaging/sending/accept.ts";
import { chatwootClient } from "./client.ts";
import type { ChatwootEnv } from "./env.ts";
import { CHATWOOT, type Connection, connectionIn, TOKEN_HEADER } from "./inbox.ts";
import { type ChatwootReply, type ReplyFile, replyKey } from "./replies.ts";
import { networkWords } from "./words.ts";

/** The waits before the next attempts for a file that could not be had, or a server that is overloaded. */
const WAITS_MS = [5, 30, 120, 600].map((seconds) => seconds * SECOND_MS);
/** After so many attempts the later messages of the conversation wait no more: after half a minute. */
const MOST_WAITED_FOR = 2;
/** A file comes from Chatwoot's own storage, which may be one redirect behind another. */
const MOST_REDIRECTS = 5;
const FILE_TIMEOUT_MS = 120 * SECOND_MS;

/** Refusals that pass by themselves. */
const PASSING: readonly string[] = ["OVERLOADED", "IDEMPOTENCY_IN_PROGRESS"];

/** The client of a connection, with its token. */
export const clientFor = (env: ChatwootEnv, row: SubscriptionRow, connection: Connection) =>
  chatwootClient(env, { ...connection, token: ownHeaders(env, headersOf(row))[TOKEN_HEADER] ?? "" });

/**
 * Sends what an agent wrote: first the text if no file can have it as a caption, then each file. The row that binds a
 * message to Chatwoot's is part of the write that accepts it, so that nothing comes back to Chatwoot as new. A message
 * that is refused is shown as failed there, with the reason. What an agent wrote later waits for a while if this one has
 * to be tried again.
 */
export const sendReply = async (env: ChatwootEnv, job: Job<ChatwootReply>): Promise<JobOutcome> => {
  const reply = job.payload;
  const row = await env.db.read((reader) => loadSubscription(reader, reply.subscriptionId));
  const connection = row && connectionIn(row);
  if (!row || !connection) return { is: "done" };
  const waitsUntil = await env.db.read((reader) =>
    findWaitingReply(reader, { ...reply, queue: job.queue, tries: MOST_WAITED_FOR }),
  );
  const nowMs = env.clock.now();
  if (waitsUntil !== undefined)
    return {
      is: "snooze",
      atMs: Math.max(waitsUntil, nowMs + SECOND_MS),
      error: "an earlier message waits for its file",
    };
  const failed = await sendParts(env, connection, reply);
  if (failed === undefined) return { is: "done" };
  const waitMs = failed.isPassing ? WAITS_MS[job.attempt - 1] : undefined;
  if (waitMs !== undefined) return { is: "retry", atMs: env.clock.now() + waitMs, error: failed.why };
  const client = clientFor(env, row, connection);
  await client.setStatus(reply.conversationId, reply.chatwootId, { status: "failed", error: failed.why });
  return { is: "done" };
};

type Failed = { isPassing: boolean; why: string };
type Part = { type: ContentType; content: object };

const sendParts = async (
  env: ChatwootEnv,
  connection: Connection,
  reply: ChatwootReply,
): Promise<Failed | undefined> => {
  const to = await recipientFor(env, reply);
  const answered = await answeredMessage(env, reply);
  const accepted = await env.db.read((reader) => listOfChatwootMessage(reader, reply));
  for (const [index, make] of partsOf(reply).entries()) {
    if (index < accepted.length) continue; // an earlier run accepted it
    const part = await make(env, connection);
    // an agent may delete a message while it waits for its file
    if (await env.db.read((reader) => isDeletedInChatwoot(reader, reply))) return undefined;
    if ("why" in part) return part;
    const refused = await accept(env, connection, {
      reply,
      to,
      index,
      part,
      answered: index === 0 ? answered : undefined,
    });
    if (refused) return refused;
  }
  return undefined;
};

/** Recado's keys of people and groups. Contacts may have an identifier of another program: an e-mail, `crm:42`. */
const isKey = (name: string): boolean =>
  CONTACT_TYPES.some((type) => name.startsWith(`${type}:`) && /^\S+$/.test(name.slice(type.length + 1)));

/**
 * The chat of the conversation. A conversation that an agent began has only what Chatwoot knows of the person: a key of
 * Recado, a number, or an address of the network.
 */
const recipientFor = async (
  env: ChatwootEnv,
  { subscriptionId, conversationId, to: { sourceId, identifier, phone } }: ChatwootReply,
): Promise<string> => {
  const known = await env.db.read((reader) => findChatOfConversation(reader, { subscriptionId, conversationId }));
  if (known) return known.chat;
  const names = [sourceId, identifier];
  const key = names.find(isKey);
  return key ?? (phone.replace(/^\+/, "") || (names.find((one) => /^[^\s@]+@[^\s@]+$/.test(one)) ?? ""));
};

const answeredMessage = async (
  env: ChatwootEnv,
  { subscriptionId, repliedId: chatwootId }: ChatwootReply,
): Promise<string | undefined> => {
  if (chatwootId === null) return undefined;
  const [first] = await env.db.read((reader) => listOfChatwootMessage(reader, { subscriptionId, chatwootId }));
  return first?.id;
};

type MakePart = (env: ChatwootEnv, connection: Connection) => Promise<Part | Failed>;

/** The messages that a reply becomes. The first file that takes one has the text as its caption. */
const partsOf = ({ text: markdown, files }: ChatwootReply): MakePart[] => {
  const text = networkWords(markdown).trim();
  const captioned = text === "" ? -1 : files.findIndex(({ type }) => type !== "audio");
  const words: MakePart[] = text !== "" && captioned < 0 ? [async () => ({ type: "text", content: { text } })] : [];
  return [
    ...words,
    ...files.map(
      (file, index): MakePart =>
        (env, connection) =>
          filePart(env, connection, file, index === captioned ? text : undefined),
    ),
  ];
};

/** Chatwoot's kinds of files that networks show; every other file is a document. */
const SHOWN: readonly string[] = ["image", "video", "audio"];

const filePart = async (
  env: ChatwootEnv,
  { tenantId, channelId }: Connection,
  { type, url }: ReplyFile,
  caption: string | undefined,
): Promise<Part | Failed> => {
  const opened = await openFile(env, url);
  if ("why" in opened) return opened;
  const name = opened.name;
  try {
    const kept = await keepFile(
      env,
      { tenantId },
      { body: opened.body, contentType: opened.contentType, filename: name, onlyFor: channelId },
    );
    const kind = SHOWN.includes(type) ? (type as "image" | "video" | "audio") : "document";
    return {
      type: kind,
      content: {
        mediaHandle: kept.mediaHandle,
        ...(caption === undefined ? {} : { caption }),
        ...(kind === "audio" ? { ptt: true } : {}),
        ...(kind === "document" && name !== undefined ? { filename: name } : {}),
      },
    };
  } catch (error) {
    if (error instanceof AppError) return { isPassing: PASSING.includes(error.code), why: error.message };
    return { isPassing: true, why: "the file could not be read" };
  }
};

type Opened = { body: AsyncIterable<Uint8Array>; contentType: string; name: string | undefined };

/** Opens a file of Chatwoot. */
const openFile = async ({ http }: { http: Pick<Http, "guardedStream"> }, url: string): Promise<Opened | Failed> => {
  const answer = await http.guardedStream({
    method: "GET",
    url,
    headers: { "user-agent": "Recado" },
    timeoutMs: FILE_TIMEOUT_MS,
    maxRedirects: MOST_REDIRECTS,
  });
  if (!answer.ok)
    return { isPassing: answer.failure !== "blocked", why: `the file could not be read (${answer.failure})` };
  const { status, headers, body, finalUrl = url } = answer;
  const length = Number(headers["content-length"] ?? 0);
  if (status === 200 && length <= KEPT_MAX_BYTES) {
    const named = filenameIn(headers["content-disposition"] ?? "") ?? nameIn(finalUrl);
    return { body, contentType: headers["content-type"] ?? UNKNOWN_TYPE, name: named };
  }
  leave(body);
  if (status === 200) return { isPassing: false, why: "the file is too large" };
  const isPassing = status >= 500 || status === 429;
  return { isPassing, why: `the file could not be read (HTTP ${status})` };
};

const nameIn = (url: string): string | undefined => {
  const last = URL.parse(url)?.pathname.split("/").at(-1) ?? "";
  return /^[\w.%-]{1,200}\.\w{1,8}$/.test(last) ? decodedName(last) : undefined;
};

const decodedName = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
};

type Accepting = { reply: ChatwootReply; to: string; index: number; part: Part; answered: string | undefined };

/** Ends the write that would accept a message which an agent has deleted. */
class DeletedMeanwhile extends Error {}

/** Accepts one message, and binds it to Chatwoot's in the same write. */
const accept = async (
  env: ChatwootEnv,
  connection: Connection,
  { reply, to, index, part, answered }: Accepting,
): Promise<Failed | undefined> => {
  const { subscriptionId, channelId, tenantId } = connection;
  const { chatwootId, conversationId } = reply;
  try {
    await acceptMessage(
      env,
      { tenantId },
      {
        channelId,
        to,
        ...part,
        idempotencyKey: `${replyKey(reply)}:${index}`,
        ...(answered === undefined ? {} : { quotedMessageId: answered }),
      },
      {
        environment: "live",
        mustBeConnected: false,
        infersAnswers: true,
        acceptedBy: CHATWOOT,
        requestId: null,
        async completes(tx, { messageId: id, recipient: chat }) {
          if (await isDeletedInChatwoot(tx, reply)) throw new DeletedMeanwhile();
          await putChatwootMessage(tx, { id, subscriptionId, channelId, chat, conversationId, chatwootId });
          const known = await findChatOfConversation(tx, { subscriptionId, conversationId });
          if (!known)
            await putChatwootChat(tx, {
              subscriptionId,
              channelId,
              chat,
              contactId: reply.to.contactId,
              conversationId,
              isNamed: true,
            });
        },
      },
    );
    return undefined;
  } catch (error) {
    if (error instanceof DeletedMeanwhile) return undefined;
    if (!(error instanceof AppError)) throw error;
    // an answer without its quote is better than no answer
    if (error.code === "MESSAGE_KEY_UNKNOWN" && answered !== undefined)
      return accept(env, connection, { reply, to, index, part, answered: undefined });
    return { isPassing: PASSING.includes(error.code), why: error.message };
  }
};
