import { type Static, Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import type { HistoryMessage } from "../../core/conversations/history.ts";
import { getHistoryMessage } from "../../core/conversations/history.ts";
import { messageLog } from "../../core/conversations/message-log.ts";
import { linkOfMessage, openMedia } from "../../core/media/links.ts";
import { HOUR_MS } from "../../kernel/clock.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { issue, Text } from "../../kernel/schema.ts";
import { jidOf, jidOfKey, personIn } from "../shared/compatible/addresses.ts";
import { wireMessage } from "../shared/compatible/wire-messages.ts";
import { type EvolutionAuth, instanceOf, type Principal } from "./auth.ts";
import { chatsWith, chatView } from "./chat-lookup.ts";
import type { EvolutionEnv } from "./env.ts";
import { ownerOf } from "./instance-views.ts";
import { messageView } from "./message-views.ts";
import { routeOptions } from "./route-options.ts";

const Count = Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 }));
/** `offset` is the size of a page, as in Evolution. */
const paging = { page: Count, offset: Count };

/** The maximum number of rows that one answer looks through. */
const MOST = 1000;
const PER_PAGE = 50;

const placeOf = ({ page = 1, offset = PER_PAGE }: { page?: number | undefined; offset?: number | undefined }) => {
  const size = Math.min(offset || PER_PAGE, MOST);
  const end = Math.max(page, 1) * size;
  if (end > MOST) throw invalid(issue("page", "maximum", `must stay within the newest ${MOST}`));
  return { page: Math.max(page, 1), size, end };
};

/** TABLE: Evolution's word for the status of a message. */
const STATUS_WORDS = {
  QUEUED: "PENDING",
  SENT: "SERVER_ACK",
  DELIVERED: "DELIVERY_ACK",
  READ: "READ",
  FAILED: "ERROR",
  RECEIVED: "DELIVERY_ACK",
} as const satisfies Record<HistoryMessage["status"], string>;

/** What phones exchange in place of a message that was deleted for everyone. */
const REVOKED = { type: "protocolMessage", content: { type: "REVOKE" } };

export const storedRecord = (message: HistoryMessage) => {
  const fromMe = message.direction === "OUTBOUND";
  const other = fromMe ? message.to : message.from;
  return messageView({
    key: { remoteJid: other ? jidOf(other) : "", fromMe, id: message.id },
    pushName: null,
    status: STATUS_WORDS[message.status],
    said: message.deletedAt === null ? message : REVOKED,
    at: message.sentAt ?? message.createdAt,
    instanceId: message.channelId,
    quotedId: message.quotedMessageId,
  });
};

const contactView = ({ id, remoteJid, pushName, profilePicUrl, updatedAt }: ReturnType<typeof chatView>) => ({
  id,
  remoteJid,
  pushName,
  profilePicUrl,
  updatedAt,
});

const Id = Type.Optional(Text(0, 256));
const WhereKey = Type.Object({ id: Id, remoteJid: Id });
const MessagesBody = Type.Object({
  where: Type.Optional(Type.Object({ id: Id, key: Type.Optional(WhereKey) })),
  ...paging,
});
const ListBody = Type.Object({
  where: Type.Optional(Type.Object({ id: Id, remoteJid: Id })),
  ...paging,
});
const StatusBody = Type.Object({
  where: Type.Object({ id: Id, keyId: Id, remoteJid: Id }),
});
const PollBody = Type.Object({
  message: Type.Object({ key: Type.Object({ id: Text(1, 256) }) }),
  remoteJid: Type.Optional(Type.String()),
});
const MediaBody = Type.Object({
  message: Type.Object({ key: Type.Object({ id: Text(1, 256) }) }),
  convertToMp4: Type.Optional(Type.Boolean()),
});

/** The votes of a poll by its options. @throws AppError VALIDATION for another message */
const pollView = ({ type, content, votes }: HistoryMessage, owner: string | null) => {
  const { question, options } = content as { question?: string; options?: string[] };
  if (type !== "poll" || !options) throw invalid(issue("message.key.id", "forbidden", "is not the id of a poll"));
  const results = options.map((option) => {
    const voters = votes.filter((vote) => vote.options.includes(option)).map(({ by }) => by);
    return [option, { votes: voters.length, voters: voters.map((by) => (by === null ? owner : jidOfKey(by))) }];
  });
  return { poll: { name: question, totalVotes: votes.length, results: Object.fromEntries(results) as object } };
};

/** The largest file that an answer holds in base64. */
const MOST_BYTES = 16 * 1024 * 1024;

const read = (scope: string) => ({ ...routeOptions({ scope }) });

/** A message of this instance. @throws AppError MESSAGE_NOT_FOUND */
export const messageOn = async (
  env: EvolutionEnv,
  { tenantId }: Principal,
  { channelId, id }: { channelId: string; id: string },
): Promise<HistoryMessage> => {
  const message = await getHistoryMessage(env, { tenantId, environment: "live" }, id);
  if (message.channelId === channelId) return message;
  throw new AppError("MESSAGE_NOT_FOUND", { message: "There is no such message." });
};

/** The same record with the signed address of its file, as Evolution stores it. */
const recordWithFile = async (env: EvolutionEnv, principal: Principal, message: HistoryMessage) => {
  const record = storedRecord(message);
  const mediaUrl = message.media ? await linkOfMessage(env, principal, message.id, HOUR_MS) : undefined;
  return mediaUrl === undefined ? record : { ...record, message: { ...record.message, mediaUrl } };
};

/** The stored messages. */
export const history = (env: EvolutionEnv, auth: EvolutionAuth) => {
  const messageIn = (principal: Principal, request: Request, id: string): Promise<HistoryMessage> =>
    messageOn(env, principal, { channelId: instanceOf(request).id, id });

  const findMessages = async (principal: Principal, request: Request, body: Static<typeof MessagesBody>) => {
    const { page, size, end } = placeOf(body);
    const { remoteJid, id } = body.where?.key ?? {};
    const only = id || body.where?.id;
    if (only) {
      const message = await messageIn(principal, request, only);
      return pageOf([await recordWithFile(env, principal, message)], 1, false);
    }
    const { items, nextCursor } = await messageLog(env, principal, {
      channelId: instanceOf(request).id,
      contact: remoteJid ? personIn(remoteJid) : undefined,
      limit: end,
    });
    const records = await Promise.all(items.slice(end - size).map((one) => recordWithFile(env, principal, one)));
    return pageOf(records, page, nextCursor !== null, items.length);
  };

  const pageOf = (records: readonly object[], page: number, hasMore: boolean, total = records.length) => ({
    messages: { total, pages: hasMore ? page + 1 : page, currentPage: page, records },
  });

  const findChats = async (principal: Principal, request: Request, body: Static<typeof ListBody>) => {
    const { size, end } = placeOf(body);
    const jid = body.where?.remoteJid || body.where?.id;
    const items = await chatsWith(env, principal, { channelId: instanceOf(request).id, jid, limit: end });
    const found = items.map(chatView).filter(({ remoteJid }) => !jid || remoteJid === jid);
    return found.slice(end - size);
  };

  return new Elysia({ prefix: "/chat" })
    .use(auth)
    .post("/findMessages/:instance", ({ principal, request, body }) => findMessages(principal, request, body), {
      body: MessagesBody,
      detail: read("messages.read"),
    })
    .post("/findChats/:instance", ({ principal, request, body }) => findChats(principal, request, body), {
      body: ListBody,
      detail: read("chats.read"),
    })
    .post(
      "/findContacts/:instance",
      async ({ principal, request, body }) => (await findChats(principal, request, body)).map(contactView),
      { body: ListBody, detail: read("chats.read") },
    )
    .post(
      "/findStatusMessage/:instance",
      async ({ principal, request, body: { where } }) => {
        const { key, status: word } = storedRecord(await messageIn(principal, request, where.keyId ?? where.id ?? ""));
        return [{ keyId: key.id, remoteJid: key.remoteJid, fromMe: key.fromMe, status: word }];
      },
      { body: StatusBody, detail: read("messages.read") },
    )
    .post(
      "/getPollVote/:instance",
      async ({ principal, request, body: { message } }) =>
        pollView(await messageIn(principal, request, message.key.id), ownerOf(instanceOf(request))),
      { body: PollBody, detail: read("messages.read") },
    )
    .post(
      "/getBase64FromMediaMessage/:instance",
      async ({ principal, request, body: { message, convertToMp4 = false } }) => {
        if (convertToMp4)
          throw invalid(issue("convertToMp4", "forbidden", "is not supported: files come as they were sent"));
        const found = await messageIn(principal, request, message.key.id);
        if (!found.media) throw new AppError("MEDIA_NOT_FOUND", { message: "The message has no file, or it is gone." });
        if (found.media.sizeBytes > MOST_BYTES)
          throw invalid(issue("message.key.id", "maximum", "has a file over 16 MB: get it by the gateway API"));
        const { media, body } = await openMedia(env, principal, found.media.mediaId);
        const base64 = Buffer.from(await new Response(body).arrayBuffer()).toString("base64");
        return status(201, {
          mediaType: wireMessage(found).messageType,
          fileName: media.filename ?? media.id,
          caption: (found.content as { caption?: string }).caption ?? null,
          size: { fileLength: String(media.sizeBytes) },
          mimetype: media.contentType,
          base64,
          buffer: null,
        });
      },
      { body: MediaBody, detail: read("media.read") },
    );
};
