import { normalizeMessageContent, proto } from "@whiskeysockets/baileys";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import type { ActiveSocket, Stanza } from "../active-socket.ts";
import { node } from "../ask.ts";
import type { Ack, Acks } from "../outbound/acks.ts";

type Ports = { acks: Pick<Acks, "expect"> };

/** Hands a stanza to the network, and waits for its answer. @throws errors of the library, when it did not leave */
const handOver = async (
  { acks }: Ports,
  active: ActiveSocket,
  key: ProviderMessageId,
  stanza: Stanza,
): Promise<Ack> => {
  const expected = acks.expect(active, key);
  try {
    await active.sock.sendNode(stanza);
  } catch (thrown) {
    expected.drop();
    throw thrown;
  }
  return expected.within();
};

type Reaction = { newsletter: string; serverId: string; emoji: string; key: ProviderMessageId };

/** Reacts to a post, which the network knows by its number; without an emoji the reaction is removed. */
export const sendReaction = (
  ports: Ports,
  active: ActiveSocket,
  { newsletter, serverId, emoji, key }: Reaction,
): Promise<Ack> => {
  const removed = emoji === "";
  const attrs = { to: newsletter, id: key, server_id: serverId, type: "reaction", ...(removed ? { edit: "7" } : {}) };
  return handOver(ports, active, key, node("message", attrs, [node("reaction", removed ? {} : { code: emoji })]));
};

/** A post. `mediaId`: the handle of its uploaded file. */
export type Post = { newsletter: string; key: ProviderMessageId; message: proto.IMessage; mediaId?: string };

/** Sends a post, unencrypted. With `isEdit` it takes the place of the post with this key. */
export const sendPost = (
  ports: Ports,
  active: ActiveSocket,
  { newsletter, key, message, mediaId }: Post,
  { isEdit = false } = {},
): Promise<Ack> => {
  const { type, mediatype } = kindOf(message);
  const attrs = {
    to: newsletter,
    id: key,
    type,
    ...(mediaId === undefined ? {} : { media_id: mediaId }),
    ...(isEdit ? { edit: "3" } : {}),
  };
  const plaintext = node(
    "plaintext",
    mediatype === undefined ? {} : { mediatype },
    proto.Message.encode(message).finish(),
  );
  const meta = type === "poll" ? [node("meta", { polltype: "creation" })] : [];
  return handOver(ports, active, key, node("message", attrs, [...meta, plaintext]));
};

/** Deletes a post for everybody. */
export const sendDeletion = (
  ports: Ports,
  active: ActiveSocket,
  { newsletter, key }: Pick<Post, "newsletter" | "key">,
): Promise<Ack> => {
  const attrs = { to: newsletter, id: key, type: "text", edit: "8" };
  return handOver(ports, active, key, node("message", attrs, [node("plaintext", {}, new Uint8Array())]));
};

/** The type of a post's stanza, and what its file is. */
const kindOf = (whole: proto.IMessage): { type: string; mediatype?: string } => {
  const message = normalizeMessageContent(whole) ?? {};
  const { imageMessage, videoMessage, ptvMessage, audioMessage, documentMessage, stickerMessage } = message;
  const media = (mediatype: string) => ({ type: "media", mediatype });
  if (imageMessage) return media("image");
  if (videoMessage) return media(videoMessage.gifPlayback ? "gif" : "video");
  if (ptvMessage) return media("ptv");
  if (audioMessage) return media(audioMessage.ptt ? "ptt" : "audio");
  if (documentMessage) return media("document");
  if (stickerMessage) return media("sticker");
  return { type: message.pollCreationMessage || message.pollCreationMessageV3 ? "poll" : "text" };
};
