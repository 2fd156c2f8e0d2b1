import type { ContentType } from "../../../contract/content/content.ts";
import type { ProviderMessageId } from "../../../contract/events.ts";
import type { SendOutcome } from "../../../contract/outcome.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { issue } from "../../../kernel/schema.ts";
import { isRecord } from "../../../kernel/texts/json.ts";
import { findKnown, type MessageRow } from "../../../store/tables/messaging/messages.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { getChannel } from "../../channels/channel.ts";
import { shownContent } from "../../conversations/acts.ts";
import { getHistoryMessage, type HistoryMessage } from "../../conversations/history.ts";
import type { MessagingEnv } from "../env.ts";
import type { Envelope } from "./sendable.ts";

/** `channelId`: the channel of the message, if the client names it. */
export type Forward = Pick<Envelope, "to" | "idempotencyKey"> & { messageId: string; channelId?: string };

/**
 * The send that forwards a sent or received message through the same channel. It counts, has a pace and an idempotency
 * key as every send. Its content says which message it forwards.
 * @throws AppError MESSAGE_NOT_FOUND, OPERATION_UNSUPPORTED, MESSAGE_KEY_UNKNOWN, CHANNEL_NOT_FOUND, or VALIDATION for
 * another channel
 */
export const forwardOf = async (
  env: MessagingEnv,
  scope: TenantScope,
  { messageId, channelId, ...rest }: Forward,
): Promise<Envelope> => {
  const message = await getHistoryMessage(env, { tenantId: scope.tenantId, environment: "live" }, messageId);
  if (channelId !== undefined && (await getChannel(env, scope, channelId)).id !== message.channelId)
    throw invalid(issue("phoneId", "enum", "must be the phone of the message"));
  const { id, kind } = await getChannel(env, scope, message.channelId);
  const limits = env.registry.declared(kind)?.capabilities.operations.forward;
  const type = limits?.types?.find((one) => one === message.type);
  const isOffered = limits?.[message.direction === "INBOUND" ? "inbound" : "outbound"];
  if (!type || !isOffered || message.deletedAt !== null || isPassing(message.content))
    throw new AppError("OPERATION_UNSUPPORTED", {
      message:
        "This message cannot be forwarded: it was deleted, is a live location or an album, can be opened once alone, or " +
        "a phone of this type forwards none of its type.",
      details: { operation: "forward" },
    });
  if (!(await env.db.read((reader) => findKnown(reader, id, messageId))))
    throw new AppError("MESSAGE_KEY_UNKNOWN", { message: "The message is not known to this channel, or too old." });
  const content = { ...forwardedContent(message, type), forwarded: true, forwardedMessageId: message.id };
  return { ...rest, channelId: id, type, content, isForward: true };
};

/**
 * A live location would stand still, a file that opens once is for its recipient alone, and several pictures are several
 * messages.
 */
const isPassing = (content: unknown): boolean =>
  isRecord(content) && (content["live"] === true || content["viewOnce"] === true || Array.isArray(content["images"]));

/** TABLE: the fields of each type that people see. The network has the file itself. */
const SHOWN: { [Type in ContentType]?: readonly string[] } = {
  text: ["text"],
  image: ["caption", "mimeType"],
  video: ["caption", "mimeType"],
  audio: ["mimeType"],
  document: ["caption", "mimeType", "filename"],
  sticker: ["mimeType"],
  location: ["latitude", "longitude", "name", "address"],
};

const forwardedContent = (message: HistoryMessage, type: ContentType): Record<string, unknown> => {
  const { text, ...content } = shownContent(message.content, message) as Record<string, unknown>;
  if (type === "contact") return { contacts: cardsIn(content["contacts"]) };
  const isEditedCaption = type !== "text" && message.edited !== null;
  const shown: Record<string, unknown> = { ...content, text, ...(isEditedCaption ? { caption: text } : {}) };
  const fields = (SHOWN[type] ?? []).filter((name) => shown[name] !== undefined);
  return {
    ...Object.fromEntries(fields.map((name) => [name, shown[name]])),
    ...(type === "audio" && (content["ptt"] === true || content["voice"] === true) ? { ptt: true } : {}),
  };
};

/** Cards in the form of a send; received ones come in the form of the official network. */
const cardsIn = (cards: unknown): { name: string; phone: string }[] =>
  (Array.isArray(cards) ? cards : []).filter(isRecord).map(({ name, phone, phones }) => {
    const [first] = (Array.isArray(phones) ? phones : []).filter(isRecord);
    return {
      name: wordOf(isRecord(name) ? name["formatted_name"] : name),
      phone: wordOf(phone ?? first?.["phone"]),
    };
  });

const wordOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The network's id of the message that a send forwards: undefined if it forwards none, null if it is not known any more. */
export const forwardedKey = async (
  { db }: MessagingEnv,
  { channelId, content }: MessageRow,
): Promise<ProviderMessageId | null | undefined> => {
  const { forwardedMessageId: id } = content as { forwardedMessageId?: string }; // written above
  if (id === undefined) return undefined;
  return (await db.read((reader) => findKnown(reader, channelId, id)))?.key ?? null;
};

export const FORWARDED_IS_GONE: SendOutcome = {
  ok: false,
  kind: "refused",
  code: "UPSTREAM_BAD_REQUEST",
  reason: "the forwarded message is no longer known",
};
