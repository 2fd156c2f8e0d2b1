import { normalizeMessageContent, type proto } from "@whiskeysockets/baileys";
import type { Operation, OperationOutcome } from "../../../src/contract/abilities/operations.ts";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import type { SendOutcome } from "../../../src/contract/outcome.ts";
import type { ChannelHost, SendOrder } from "../../../src/contract/plugin.ts";
import type { KeyRow, KeyStore } from "../../../src/contract/ports/key-store.ts";
import { DAY_MS } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import type { ActiveSocket } from "../active-socket.ts";
import { jidOf } from "../address.ts";
import { type CachedMessage, cachedMessage, toCachedMessage } from "../message-cache.ts";
import { newKey, operationKey } from "../message-ids.ts";
import type { Ack, Acks } from "../outbound/acks.ts";
import { filePortsOf } from "../outbound/content/file-ports.ts";
import type { MediaHosts } from "../outbound/content/media-hosts.ts";
import type { Limits } from "../outbound/limits/limits.ts";
import { messageOf } from "../outbound/message.ts";
import { NOT_CONNECTED, refused, rejection, Unsendable, unknown } from "../outbound/outcomes.ts";
import { ownJid, sendFailureOf } from "../outbound/relay.ts";
import { sendDeletion, sendPost, sendReaction } from "./stanzas.ts";

type Ports = {
  host: ChannelHost;
  limits: Pick<Limits, "rowOf">;
  acks: Pick<Acks, "expect">;
  mediaHosts: MediaHosts;
};

/** The kinds of the rows with the network's number of a post, and with the handle of its file, by the post's key. */
const NUMBER = "newsletter-post";
const HANDLE = "newsletter-file";
/** For as long a post can be changed at the network. */
const KEPT_MS = 30 * DAY_MS;

const outcomeOf = (ack: Ack, key: ProviderMessageId): SendOutcome => {
  if (ack.is === "taken") return { ok: true, key };
  return ack.is === "lost" ? unknown(ack.reason) : rejection(ack.error);
};

const valueOf = async (
  keyStore: Pick<KeyStore, "read">,
  kind: string,
  key: ProviderMessageId,
): Promise<string | undefined> => (await keyStore.read(kind, [key])).get(key);

const rowWith = (host: Pick<ChannelHost, "clock">, kind: string, id: string, value: string): KeyRow => ({
  kind,
  id,
  value,
  until: host.clock.now() + KEPT_MS,
});

/**
 * Sends a post to a newsletter under its key. Its copy is on disk before it leaves, so that a repeat is the same post.
 * Never throws.
 */
export const sendToNewsletter = async (ports: Ports, active: ActiveSocket, order: SendOrder): Promise<SendOutcome> => {
  const { host } = ports;
  const newsletter = jidOf(order.to) ?? "";
  const key = order.key ?? newKey(host.random);
  try {
    const copy = await cachedMessage(active.keyStore, key);
    const post = copy ? await repeated(active, copy, key) : await made(ports, active, { order, newsletter, key });
    if (!active.isCurrent()) return NOT_CONNECTED;
    const ack = await sendPost(ports, active, { newsletter, key, ...post });
    if (ack.is === "taken" && ack.serverId !== undefined)
      await active.keyStore.write({ rows: [rowWith(host, NUMBER, key, ack.serverId)] });
    return outcomeOf(ack, key);
  } catch (thrown) {
    if (thrown instanceof Unsendable) return thrown.failure;
    host.log.warn({ channelId: host.channelId, error: reasonOf(thrown) }, "a post could not be sent");
    return sendFailureOf(thrown);
  }
};

type Made = { message: proto.IMessage; mediaId?: string };

const repeated = async (
  { keyStore }: Pick<ActiveSocket, "keyStore">,
  { message }: CachedMessage,
  key: ProviderMessageId,
): Promise<Made> => {
  const mediaId = await valueOf(keyStore, HANDLE, key);
  return { message, ...(mediaId === undefined ? {} : { mediaId }) };
};

const made = async (
  { host, limits, mediaHosts }: Ports,
  active: ActiveSocket,
  { order, newsletter, key }: { order: SendOrder; newsletter: string; key: ProviderMessageId },
): Promise<Made> => {
  let mediaId: string | undefined;
  const onHandle = (handle: string) => void (mediaId = handle);
  const whole = await messageOf(filePortsOf(host, mediaHosts), active, { order, jid: newsletter, key, onHandle });
  const { messageContextInfo: _, ...message } = whole; // secrets of a message, which a post has none of
  await active.keyStore.write({
    rows: [limits.rowOf("pace"), ...(mediaId === undefined ? [] : [rowWith(host, HANDLE, key, mediaId)])],
    messages: [
      toCachedMessage({
        key: { remoteJid: newsletter, fromMe: true, id: key },
        message,
        sender: ownJid(active, newsletter),
      }),
    ],
  });
  return { message, ...(mediaId === undefined ? {} : { mediaId }) };
};

/** Acts on a post of ours. May be repeated: the network ends up in the same state. */
export const operateOnPost = async (
  ports: Ports,
  active: ActiveSocket,
  operation: Operation,
): Promise<OperationOutcome> => {
  if (!active.isCurrent()) return NOT_CONNECTED;
  const { key, chat } = operation;
  const newsletter = jidOf(chat) ?? "";
  try {
    const ack = await acted(ports, active, { operation, newsletter });
    if (!ack) return refused(`a post of a newsletter cannot be the object of ${operation.name}`, UNSUPPORTED);
    const outcome = outcomeOf(ack, key);
    return outcome.ok ? { ok: true } : outcome;
  } catch (thrown) {
    if (thrown instanceof Unsendable) return thrown.failure;
    ports.host.log.warn(
      { channelId: ports.host.channelId, operation: operation.name, error: reasonOf(thrown) },
      "an operation on a post could not be done",
    );
    return sendFailureOf(thrown);
  }
};

const UNSUPPORTED = { code: "UPSTREAM_UNSUPPORTED" } as const;

/** The parts whose captions can be edited. */
const FILES = ["imageMessage", "videoMessage", "documentMessage"] as const;

/** The post with another text, or its file under another caption. Undefined for a post without words. */
const editedPost = async (
  { keyStore }: ActiveSocket,
  key: ProviderMessageId,
  text: string,
): Promise<Made | undefined> => {
  const copy = await cachedMessage(keyStore, key);
  if (!copy) throw new Unsendable(refused("the post is too old to be edited"));
  const content = normalizeMessageContent(copy.message) ?? {};
  const part = FILES.find((name) => content[name]);
  if (part !== undefined) {
    const { mediaId } = await repeated({ keyStore }, copy, key);
    return { message: { [part]: { ...content[part], caption: text } }, ...(mediaId === undefined ? {} : { mediaId }) };
  }
  return content.extendedTextMessage || content.conversation
    ? { message: { extendedTextMessage: { text } } }
    : undefined;
};

const acted = async (
  ports: Ports,
  active: ActiveSocket,
  { operation, newsletter }: { operation: Operation; newsletter: string },
): Promise<Ack | undefined> => {
  const { key } = operation;
  switch (operation.name) {
    case "react": {
      const serverId = await valueOf(active.keyStore, NUMBER, key);
      if (serverId === undefined) return undefined; // the network has not said which number the post has
      const { emoji, operationId } = operation;
      const id = operationKey(operationId, ports.host.random);
      return sendReaction(ports, active, { newsletter, serverId, emoji, key: id });
    }
    case "edit": {
      const post = await editedPost(active, key, operation.text);
      return post && sendPost(ports, active, { newsletter, key, ...post }, { isEdit: true });
    }
    case "delete":
      return sendDeletion(ports, active, { newsletter, key });
    default:
      return undefined;
  }
};
