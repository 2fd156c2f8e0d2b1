import { proto } from "@whiskeysockets/baileys";
import type {
  Edited,
  Identity,
  Kept,
  Pinned,
  ProviderMessageId,
  Reacted,
  Responded,
  Revoked,
  Voted,
} from "../../../src/contract/events.ts";
import type { KeyStore } from "../../../src/contract/ports/key-store.ts";
import { SECOND_MS } from "../../../src/kernel/clock.ts";
import { isStatusJid } from "../address.ts";
import { type CachedMessage, providerMessageIdOf } from "../message-cache.ts";
import { textOf } from "./content/content.ts";
import { unwrapped } from "./content/wrappers.ts";
import type { Origin } from "./origin.ts";
import { completedMessagePlace, isSameAuthor, isSameChat, type MessagePlace } from "./people.ts";

/** The effect of a message on an earlier one. */
export type Act = { target: ProviderMessageId } & (
  | { kind: "reacted"; emoji: string | null }
  | { kind: "edited"; text: string }
  | { kind: "revoked" }
  | Pick<Voted, "kind" | "options" | "totals">
  | Pick<Pinned, "kind" | "until">
  | Pick<Kept, "kind" | "isKept">
  | Pick<Responded, "kind" | "response" | "extraGuests">
);

const LONGEST_EMOJI = 64;
const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type;
export const { PIN_FOR_ALL, UNPIN_FOR_ALL } = proto.Message.PinInChatMessage.Type;
export const { KEEP_FOR_ALL, UNDO_KEEP_FOR_ALL } = proto.KeepType;
/** Apps offer a day to 30 days; a pin that names no length lasts a day. */
const MOST_PINNED_S = 31 * 24 * 60 * 60;
const PINNED_S = 24 * 60 * 60;

const pinnedMs = ({ messageContextInfo }: proto.IMessage): number =>
  Math.min(messageContextInfo?.messageAddOnDurationInSecs || PINNED_S, MOST_PINNED_S) * SECOND_MS;

/** Undefined for a message that does not change or name an earlier one, or changes it in a way that has no event. */
export const actOf = (message: proto.IMessage, at: number): Act | undefined => {
  const { reactionMessage, protocolMessage, pinInChatMessage: pin, keepInChatMessage: keep } = message;
  const key = (reactionMessage ?? pin ?? keep ?? protocolMessage)?.key;
  const target = providerMessageIdOf(key?.id);
  if (target === undefined) return undefined;
  if (pin) return pinned(target, message, at);
  if (keep) return kept(target, keep);
  return reactionMessage ? reactionTo(target, reactionMessage.text ?? "") : changeOf(target, protocolMessage ?? {});
};

const pinned = (target: ProviderMessageId, message: proto.IMessage, at: number): Act | undefined => {
  const type = message.pinInChatMessage?.type;
  if (type === PIN_FOR_ALL) return { target, kind: "pinned", until: at + pinnedMs(message) };
  return type === UNPIN_FOR_ALL ? { target, kind: "pinned", until: null } : undefined;
};

const kept = (target: ProviderMessageId, { keepType }: proto.Message.IKeepInChatMessage): Act | undefined => {
  if (keepType !== KEEP_FOR_ALL && keepType !== UNDO_KEEP_FOR_ALL) return undefined;
  return { target, kind: "kept", isKept: keepType === KEEP_FOR_ALL };
};

/** An edit or a revocation. */
const changeOf = (
  target: ProviderMessageId,
  { type, editedMessage }: proto.Message.IProtocolMessage,
): Act | undefined => {
  if (type === REVOKE) return { target, kind: "revoked" };
  const text = type === MESSAGE_EDIT ? editedText(editedMessage) : undefined;
  return text === undefined ? undefined : { target, kind: "edited", text };
};

export const reactionTo = (target: ProviderMessageId, emoji: string): Act | undefined =>
  emoji.length > LONGEST_EMOJI ? undefined : { target, kind: "reacted", emoji: emoji === "" ? null : emoji };

/**
 * The text that an edit gives its message; undefined for a kind of message without text. Apps hide an edit as the new
 * message alone, as the act, or as the act in an `editedMessage` (whatsmeow, BuildEdit), each in further wrappers.
 */
export const editedText = (message: proto.IMessage | null | undefined): string | undefined => {
  const content = unwrapped(message ?? {});
  const { protocolMessage: act } = content;
  if (act) return act.type === MESSAGE_EDIT && act.editedMessage ? newTextOf(unwrapped(act.editedMessage)) : undefined;
  return newTextOf(content);
};

/** The text of the new message. A caption may come without the file that it stands under. */
const newTextOf = (message: proto.IMessage): string | undefined =>
  textOf(message) ??
  [message.imageMessage, message.videoMessage, message.documentMessage].find((file) => file?.caption)?.caption ??
  undefined;

type MessageAct = Reacted | Edited | Revoked | Voted | Pinned | Kept | Responded;

/**
 * The event of a permitted act; else undefined. `copy` is the target message. An act must be in the chat of its
 * message. An edit or a revocation must be by the author; an administrator of the group may revoke too. `own`: the
 * names of the owner, who acts on another device.
 */
export const permitted = async (
  keyStore: Pick<KeyStore, "read">,
  copy: CachedMessage,
  { target, ...act }: Act,
  { origin: { id, key, at, isAdmin }, own }: { origin: Origin; own: Identity },
): Promise<MessageAct | undefined> => {
  const [doer, author] = [await completedMessagePlace(keyStore, key), await completedMessagePlace(keyStore, copy.key)];
  // an app may send the reaction to a status in the chat of the two
  if (act.kind === "reacted" && copy.key.fromMe && isStatusJid(copy.key.remoteJid) && doer.chat.group === undefined)
    return key.fromMe ? undefined : { ...act, key: target, nativeId: id, at, from: doer.from };
  const isByAuthor = key.fromMe ? copy.key.fromMe : !copy.key.fromMe && isSameAuthor(doer, author);
  if (!isSameChat(doer, author) || !(isAnybodys(act.kind) || isByAuthor || isByAdmin(act.kind, doer, isAdmin)))
    return undefined;
  return { ...act, key: target, nativeId: id, at, ...(key.fromMe ? { from: own, isOwn: true } : { from: doer.from }) };
};

/** TABLE: the acts that everybody in a chat may do; the network itself holds who may pin in a group. */
const ANYBODYS: ReadonlySet<MessageAct["kind"]> = new Set(["reacted", "voted", "pinned", "kept", "responded"]);
const isAnybodys = (kind: MessageAct["kind"]): boolean => ANYBODYS.has(kind);

const isByAdmin = (kind: MessageAct["kind"], { chat }: MessagePlace, isAdmin: boolean): boolean =>
  kind === "revoked" && chat.group !== undefined && isAdmin;
