import type { proto } from "@whiskeysockets/baileys";
import type { Operation, OperationOutcome } from "../../../src/contract/abilities/operations.ts";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import type { SendOutcome } from "../../../src/contract/outcome.ts";
import type { ChannelHost, SendOrder } from "../../../src/contract/plugin.ts";
import type { KeyRow, KeyStore } from "../../../src/contract/ports/key-store.ts";
import { DAY_MS } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import { parsedJson } from "../../../src/kernel/texts/json.ts";
import type { ActiveSocket } from "../active-socket.ts";
import { isSameUser } from "../address.ts";
import { Ended } from "../ask.ts";
import { cachedMessage, toCachedMessage } from "../message-cache.ts";
import { newKey, operationKey } from "../message-ids.ts";
import type { Addressing } from "../outbound/addressing.ts";
import { filePortsOf } from "../outbound/content/file-ports.ts";
import type { MediaHosts } from "../outbound/content/media-hosts.ts";
import type { Limits } from "../outbound/limits/limits.ts";
import { messageOf } from "../outbound/message.ts";
import type { Numbers } from "../outbound/numbers.ts";
import { later, refused, Unsendable } from "../outbound/outcomes.ts";
import { ownJid, type Relay, sendFailureOf } from "../outbound/relay.ts";
import { audienceOf } from "./audience.ts";
import { inColours } from "./colours.ts";

/** The chat address under which all statuses go out. */
export const STATUS = "status@broadcast";

type Ports = {
  host: ChannelHost;
  limits: Pick<Limits, "rowOf" | "statuses">;
  numbers: Numbers;
  addressing: Addressing;
  mediaHosts: MediaHosts;
  relay: Relay;
};

/** The kind of the rows with the audience of a status, by its key. A deletion and a repeat go to the same people. */
const AUDIENCE = "status-audience";
const KEPT_MS = 3 * DAY_MS;

/** The people whom a status went to; undefined if it is too old. */
export const audienceKept = async (
  keyStore: Pick<KeyStore, "read">,
  key: ProviderMessageId,
): Promise<string[] | undefined> => {
  const text = (await keyStore.read(AUDIENCE, [key])).get(key);
  return text === undefined ? undefined : (parsedJson(text) as string[]); // written by `audienceRow` alone
};

const audienceRow = ({ clock }: Pick<ChannelHost, "clock">, key: string, audience: readonly string[]): KeyRow => ({
  kind: AUDIENCE,
  id: key,
  value: JSON.stringify(audience),
  until: clock.now() + KEPT_MS,
});

/** The people, and the owner's own devices, which show the status too. */
const withOwn = (active: ActiveSocket, audience: readonly string[]): string[] => [
  ...audience,
  ownJid(active, audience[0] ?? STATUS),
];

/**
 * Posts a status under its key. Its copy and its audience are on disk before it leaves, so that a repeat is the same
 * status for the same people. Never throws.
 */
export const sendStatus = async (ports: Ports, active: ActiveSocket, order: SendOrder): Promise<SendOutcome> => {
  const { host, relay } = ports;
  const key = order.key ?? newKey(host.random);
  try {
    const { message, audience, onDisk } = await madeStatus(ports, active, order, key);
    if (audience.length === 0)
      return refused("nobody of the audience is on the network", { code: "RECIPIENT_NOT_ON_NETWORK" });
    const outcome = await relay(active, {
      to: { jid: STATUS },
      key,
      message,
      audience: withOwn(active, audience),
      ...(onDisk ? { onDisk } : {}),
    });
    await onDisk;
    return outcome;
  } catch (thrown) {
    if (thrown instanceof Unsendable) return thrown.failure;
    if (thrown instanceof Ended) return later("the network did not say for whom the owner's statuses are");
    host.log.warn({ channelId: host.channelId, error: reasonOf(thrown) }, "a status could not be posted");
    return sendFailureOf(thrown);
  }
};

type MadeStatus = { message: proto.IMessage; audience: string[]; onDisk?: Promise<void> };

const madeStatus = async (
  { host, limits, mediaHosts, ...rest }: Ports,
  active: ActiveSocket,
  order: SendOrder,
  key: ProviderMessageId,
): Promise<MadeStatus> => {
  const { keyStore } = active;
  const copy = await cachedMessage(keyStore, key);
  const kept = await audienceKept(keyStore, key);
  if (copy && kept) return { message: copy.message, audience: kept };
  const { audience: keys = "", everybody } = order.options ?? {};
  const wanted = { keys: keys.split(",").filter(Boolean), isEverybody: everybody === "true" };
  const audience = await audienceOf(rest, active, wanted);
  if (audience.length === 0) return { message: {}, audience };
  const made = await messageOf(filePortsOf(host, mediaHosts), active, { order, jid: STATUS, key });
  const message = inColours(made, order.options ?? {});
  limits.statuses.posted();
  const onDisk = keyStore.write({
    rows: [limits.rowOf("pace"), limits.rowOf("statuses"), audienceRow(host, key, audience)],
    messages: [
      toCachedMessage({ key: { remoteJid: STATUS, fromMe: true, id: key }, message, sender: ownJid(active, STATUS) }),
    ],
  });
  return { message, audience, onDisk };
};

/** Deletes a status for those who could see it. May be repeated. */
export const operateOnStatus = async (
  { host, relay }: Pick<Ports, "host" | "relay">,
  active: ActiveSocket,
  { name, key, operationId }: Operation,
): Promise<OperationOutcome> => {
  if (name !== "delete") return refused(`a status cannot be the object of ${name}`, { code: "UPSTREAM_UNSUPPORTED" });
  try {
    const audience = await audienceKept(active.keyStore, key);
    if (!audience) return refused("the status is too old for this");
    const revocation = { key: { remoteJid: STATUS, fromMe: true, id: key }, type: REVOKE };
    const outcome = await relay(active, {
      to: { jid: STATUS },
      key: operationKey(operationId, host.random),
      message: { protocolMessage: revocation },
      attributes: { edit: "7" },
      audience: withOwn(active, audience),
    });
    return outcome.ok ? { ok: true } : outcome;
  } catch (thrown) {
    host.log.warn({ channelId: host.channelId, error: reasonOf(thrown) }, "a status could not be deleted");
    return later("the status could not be deleted");
  }
};

/** The number of the network's word for a revocation; the library is loaded late. */
const REVOKE = 0;

/** Whether a person is among those whom a status went to. */
export const isAudience = (audience: readonly string[], jids: readonly string[]): boolean =>
  audience.some((one) => jids.some((jid) => isSameUser(one, jid)));
