import { generateWAMessageContent, normalizeMessageContent, proto } from "@whiskeysockets/baileys";
import type { Operation, OperationOutcome } from "../../../src/contract/abilities/operations.ts";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { KeyChanges } from "../../../src/contract/ports/key-store.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import type { ActiveSocket, Stanza } from "../active-socket.ts";
import { isGroup } from "../address.ts";
import { isOwnOperation, type OwnOperation } from "../app-state/chats.ts";
import { contextOf } from "../inbound/content/circumstances.ts";
import { type CachedMessage, cachedMessage, type MessageKey, toCachedMessage } from "../message-cache.ts";
import { operationKey } from "../message-ids.ts";
import { type Addressing, type Destination, destinationOf } from "./addressing.ts";
import { keysOfAlbum } from "./content/albums.ts";
import { keptMentions } from "./content/mentions.ts";
import { keepOf, pinOf, responseOf, voteOf } from "./further-acts.ts";
import { type Failure, later, refused, Unsendable } from "./outcomes.ts";
import { ownJid, type Relay } from "./relay.ts";

type Ports = {
  host: ChannelHost;
  relay: Relay;
  addressing: Addressing;
  operateOwn?(active: ActiveSocket, operation: OwnOperation): Promise<OperationOutcome>;
};
/**
 * A message that acts on another, and what its stanza has for that. `done`: what is known once the network has taken it.
 */
export type Act = {
  message: proto.IMessage;
  attributes?: Record<string, string>;
  nodes?: Stanza[];
  done?: (id: ProviderMessageId) => Promise<KeyChanges>;
};

/**
 * Acts on a message by the key that its copy holds. Never throws; may be repeated: the network ends up in the same
 * state.
 */
export const operateOn = async (
  ports: Ports,
  activeSocket: ActiveSocket,
  operation: Operation,
): Promise<OperationOutcome> => {
  try {
    const copy = await cachedMessage(activeSocket.keyStore, operation.key);
    if (!copy) return refused("the message is too old for this");
    if (isOwnOperation(operation)) return (await ports.operateOwn?.(activeSocket, operation)) ?? NOT_OFFERED;
    if (operation.name === "read") return await markRead(activeSocket, copy.key);
    if (operation.name === "played") return await markPlayed(activeSocket, copy);
    const to = await destinationOf(activeSocket, { jid: copy.key.remoteJid }, ports.addressing);
    if (operation.name === "delete") return await deleteAll(ports, activeSocket, { operation, copy, to });
    const key = bare({ ...copy.key, remoteJid: to.jid });
    const act = await actOf(operation, { key, copy, activeSocket, host: ports.host });
    return "ok" in act
      ? act
      : await send(ports, activeSocket, { ...act, to, id: operationKey(operation.operationId, ports.host.random) });
  } catch (thrown) {
    if (thrown instanceof Unsendable) return thrown.failure;
    ports.host.log.warn(
      { channelId: ports.host.channelId, operation: operation.name, error: reasonOf(thrown) },
      "an operation could not be done",
    );
    return later("the operation could not be done");
  }
};

const NOT_OFFERED = refused("this session does not share the chats of its phone", { code: "UPSTREAM_UNSUPPORTED" });

const markRead = async ({ sock }: ActiveSocket, key: MessageKey): Promise<OperationOutcome> => {
  await sock.readMessages([key]);
  return { ok: true };
};

/** The apps say this of voice notes and video notes, even where read receipts are off. */
const markPlayed = async ({ sock }: ActiveSocket, { key, message }: CachedMessage): Promise<OperationOutcome> => {
  const { audioMessage, ptvMessage } = normalizeMessageContent(message) ?? {};
  if (!audioMessage?.ptt && !ptvMessage)
    return refused("the message is no voice note", { code: "UPSTREAM_UNSUPPORTED" });
  await sock.sendReceipts([key], "played");
  return { ok: true };
};

/** The key as the network writes it inside messages. */
const bare = ({ remoteJid, fromMe, id, participant }: MessageKey): proto.IMessageKey => ({
  remoteJid,
  fromMe,
  id,
  ...(participant === undefined ? {} : { participant }),
});

export type Target = {
  key: proto.IMessageKey;
  copy: CachedMessage;
  activeSocket: ActiveSocket;
  host: Pick<ChannelHost, "clock" | "random">;
};

type Deletion = { operation: Operation; copy: CachedMessage; to: Destination };

/** Deletes a message for everybody; of an album each of its messages, the last picture first. */
const deleteAll = async (
  ports: Ports,
  activeSocket: ActiveSocket,
  { operation: { key: first, operationId }, copy, to }: Deletion,
): Promise<OperationOutcome> => {
  for (const id of (await keysOfAlbum(activeSocket.keyStore, first)).toReversed()) {
    const act = await deletionOf(bare({ ...copy.key, remoteJid: to.jid, id }));
    const ownId = operationId === undefined || id === first ? operationId : `${operationId}:${id}`;
    const outcome = await send(ports, activeSocket, { ...act, to, id: operationKey(ownId, ports.host.random) });
    if (!outcome.ok) return outcome;
  }
  return { ok: true };
};

const deletionOf = async (key: proto.IMessageKey): Promise<Act> => ({
  message: await generateWAMessageContent({ delete: key }, { upload: noUpload }),
  attributes: { edit: isDoneAsAdmin(key) ? "8" : "7" },
});

const actOf = async (
  operation: Exclude<Operation, OwnOperation | { name: "read" | "played" | "delete" }>,
  target: Target,
): Promise<Act | Failure> => {
  const { key, host } = target;
  const now = host.clock.now();
  switch (operation.name) {
    case "react":
      return { message: { reactionMessage: { key, text: operation.emoji, senderTimestampMs: now } } };
    case "edit":
      if (!key.fromMe) return refused("only messages of our own can be edited", { code: "UPSTREAM_UNSUPPORTED" });
      return editOf(operation.text, target, now);
    case "typing":
      return refused("the network shows no typing for this channel", { code: "UPSTREAM_UNSUPPORTED" });
    case "pin":
      return pinOf(key, operation.seconds, now);
    case "keep":
      return keepOf(target, operation.isKept, now);
    case "vote":
      return voteOf(target, operation, now);
    case "respond":
      return responseOf(target, operation, now);
  }
};

/** The parts whose captions the apps can edit. */
const FILES = ["imageMessage", "videoMessage", "documentMessage"] as const;
const { MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type;

/**
 * The edit of a text, or of the caption of a file, which the apps send without the file. Mentions stay whose names stand
 * in the new text.
 */
const editOf = async (
  given: string,
  { key, copy: { message }, activeSocket }: Target,
  now: number,
): Promise<Act | Failure> => {
  const content = message.documentWithCaptionMessage?.message ?? message;
  const isText = typeof (content.conversation ?? content.extendedTextMessage?.text) === "string";
  const part = isText ? "extendedTextMessage" : FILES.find((name) => content[name]?.caption);
  if (part === undefined)
    return refused("the message has neither a text nor a caption that could be edited", {
      code: "UPSTREAM_UNSUPPORTED",
    });
  const place = { text: given, jid: key.remoteJid ?? "" };
  const mentions = await keptMentions(activeSocket, contextOf(content[part]), place);
  const text = mentions?.rewritten(given) ?? given;
  const contextInfo = mentions ? { contextInfo: mentions.context } : {};
  const editedMessage = { [part]: { ...(isText ? { text } : { caption: text }), ...contextInfo } };
  return {
    message: { protocolMessage: { key, type: MESSAGE_EDIT, editedMessage, timestampMs: now } },
    attributes: { edit: "1" },
  };
};

/** In a group, other people's messages are revoked in the name of the group. */
const isDoneAsAdmin = ({ remoteJid, fromMe }: proto.IMessageKey): boolean => !fromMe && isGroup(remoteJid ?? "");

const noUpload = () => Promise.reject(new Error("an operation has no file"));

/** A copy of it is kept too: a device that cannot read it asks for it again. */
const send = async (
  { relay }: Pick<Ports, "relay">,
  activeSocket: ActiveSocket,
  { to, id: key, message, attributes, nodes = [], done }: Act & { to: Destination; id: ProviderMessageId },
): Promise<OperationOutcome> => {
  const { jid, alias } = to;
  await activeSocket.keyStore.write({
    messages: [
      toCachedMessage({
        key: { remoteJid: jid, ...(alias === undefined ? {} : { remoteJidAlt: alias }), fromMe: true, id: key },
        message,
        sender: ownJid(activeSocket, jid),
      }),
    ],
  });
  const outcome = await relay(activeSocket, {
    to,
    key,
    message,
    nodes,
    ...(attributes ? { attributes } : {}),
  });
  if (!outcome.ok) return outcome;
  if (done) await activeSocket.keyStore.write(await done(key));
  return { ok: true };
};
