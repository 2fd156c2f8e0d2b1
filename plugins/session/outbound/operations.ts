import { generateWAMessageContent, type proto } from "@whiskeysockets/baileys";
import type { Operation, OperationOutcome } from "../../../src/contract/abilities/operations.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import type { ActiveSocket } from "../active-socket.ts";
import { isGroup } from "../address.ts";
import { cachedMessage, type MessageKey, toCachedMessage } from "../message-cache.ts";
import { newKey } from "../message-ids.ts";
import { type Addressing, type Destination, destinationOf } from "./addressing.ts";
import { written } from "./content/contents.ts";
import { type Failure, later, refused } from "./outcomes.ts";
import { ownJid, type Relay } from "./relay.ts";

type Ports = { host: ChannelHost; relay: Relay; addressing: Addressing };
/** A message that acts on another, and the attributes of its stanza for that. */
type Act = { message: proto.IMessage; attributes?: Record<string, string> };

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
    if (operation.name === "read") return await markRead(activeSocket, copy.key);
    const to = await destinationOf(activeSocket, { jid: copy.key.remoteJid }, ports.addressing);
    const act = await actOf(operation, bare({ ...copy.key, remoteJid: to.jid }), ports.host.clock.now());
    return "ok" in act ? act : await send(ports, activeSocket, { ...act, to });
  } catch (thrown) {
    ports.host.log.warn(
      { channelId: ports.host.channelId, operation: operation.name, error: reasonOf(thrown) },
      "an operation could not be done",
    );
    return later("the operation could not be done");
  }
};

const markRead = async ({ sock }: ActiveSocket, key: MessageKey): Promise<OperationOutcome> => {
  await sock.readMessages([key]);
  return { ok: true };
};

/** The key as the network writes it inside messages. */
const bare = ({ remoteJid, fromMe, id, participant }: MessageKey): proto.IMessageKey => ({
  remoteJid,
  fromMe,
  id,
  ...(participant === undefined ? {} : { participant }),
});

const actOf = async (
  operation: Exclude<Operation, { name: "read" }>,
  key: proto.IMessageKey,
  now: number,
): Promise<Act | Failure> => {
  switch (operation.name) {
    case "react":
      return { message: { reactionMessage: { key, text: operation.emoji, senderTimestampMs: now } } };
    case "edit":
      if (!key.fromMe) return refused("only messages of our own can be edited", { code: "UPSTREAM_UNSUPPORTED" });
      return {
        message: await generateWAMessageContent({ ...written(operation.text), edit: key }, { upload: noUpload }),
        attributes: { edit: "1" },
      };
    case "delete":
      return {
        message: await generateWAMessageContent({ delete: key }, { upload: noUpload }),
        attributes: { edit: isDoneAsAdmin(key) ? "8" : "7" },
      };
    case "typing":
      return refused("the network shows no typing for this channel", { code: "UPSTREAM_UNSUPPORTED" });
  }
};

/** In a group, other people's messages are revoked in the name of the group. */
const isDoneAsAdmin = ({ remoteJid, fromMe }: proto.IMessageKey): boolean => !fromMe && isGroup(remoteJid ?? "");

const noUpload = () => Promise.reject(new Error("an operation has no file"));

/** A copy of it is kept too: a device that cannot read it asks for it again. */
const send = async (
  { host, relay }: Ports,
  activeSocket: ActiveSocket,
  { to, message, attributes }: Act & { to: Destination },
): Promise<OperationOutcome> => {
  const key = newKey(host.random);
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
    ...(attributes ? { attributes } : {}),
  });
  return outcome.ok ? { ok: true } : outcome;
};
