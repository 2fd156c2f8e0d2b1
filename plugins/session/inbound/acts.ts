import { proto } from "@whiskeysockets/baileys";
import type { Edited, Identity, ProviderMessageId, Reacted, Revoked, Voted } from "../../../src/contract/events.ts";
import type { KeyStore } from "../../../src/contract/ports/key-store.ts";
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
);

const LONGEST_EMOJI = 64;
const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type;

/** Undefined for a message that does not change or name an earlier one, or changes it in a way that has no event. */
export const actOf = ({ reactionMessage, protocolMessage }: proto.IMessage): Act | undefined => {
  const target = providerMessageIdOf((reactionMessage ?? protocolMessage)?.key?.id);
  if (target === undefined) return undefined;
  if (reactionMessage) return reactionTo(target, reactionMessage.text ?? "");
  if (protocolMessage?.type === REVOKE) return { target, kind: "revoked" };
  const text = protocolMessage?.type === MESSAGE_EDIT ? editedText(protocolMessage.editedMessage) : undefined;
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

type MessageAct = Reacted | Edited | Revoked | Voted;

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
  const isByAuthor = key.fromMe ? copy.key.fromMe : !copy.key.fromMe && isSameAuthor(doer, author);
  if (!isSameChat(doer, author) || !(isAnybodys(act.kind) || isByAuthor || isByAdmin(act.kind, doer, isAdmin)))
    return undefined;
  return { ...act, key: target, nativeId: id, at, ...(key.fromMe ? { from: own, isOwn: true } : { from: doer.from }) };
};

const isAnybodys = (kind: MessageAct["kind"]): boolean => kind === "reacted" || kind === "voted";

const isByAdmin = (kind: MessageAct["kind"], { chat }: MessagePlace, isAdmin: boolean): boolean =>
  kind === "revoked" && chat.group !== undefined && isAdmin;
