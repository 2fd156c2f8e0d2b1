import type { proto } from "@whiskeysockets/baileys";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import type { PlainerForm, SendOutcome } from "../../../src/contract/outcome.ts";
import type { ChannelHost, SendOrder } from "../../../src/contract/plugin.ts";
import type { KeyRow } from "../../../src/contract/ports/key-store.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import type { ActiveSocket, Stanza } from "../active-socket.ts";
import { canonicalOf, isLid, isSameUser } from "../address.ts";
import { completed, namesOf, personOf } from "../inbound/people.ts";
import { type CachedMessage, cachedMessage, toCachedMessage } from "../message-cache.ts";
import { newKey } from "../message-ids.ts";
import { type Addressing, type Destination, destinationOf } from "./addressing.ts";
import { albumRows, orderParts, type Part, type Parts } from "./content/albums.ts";
import { hasOptions, isMenu, menuRow } from "./content/choices.ts";
import { filePortsOf } from "./content/file-ports.ts";
import type { MediaHosts } from "./content/media-hosts.ts";
import { lastRefusal, NATIVE_BUTTONS, nativeForm, TRY } from "./content/native.ts";
import { keyInHd, partsByQuality } from "./content/qualities.ts";
import type { Limits } from "./limits/limits.ts";
import type { NewChats } from "./limits/new-chats.ts";
import type { RestrictionWatch } from "./limits/restriction.ts";
import { lifetimeOf, messageOf } from "./message.ts";
import type { Numbers } from "./numbers.ts";
import { type Failure, later, Unsendable } from "./outcomes.ts";
import { ownJid, type Relay, refusedForm } from "./relay.ts";

export type SendPorts = {
  host: ChannelHost;
  limits: Pick<Limits, "rowOf" | "pace">;
  numbers: Numbers;
  restriction: Pick<RestrictionWatch, "forbids">;
  newChats: Pick<NewChats, "begin" | "takeBack">;
  mediaHosts: MediaHosts;
  relay: Relay;
  addressing: Addressing;
};

/**
 * Sends a message under its key. Its copy is on disk before anything leaves. A repeated send takes the message from
 * there, so that the network sees the same message under the same id, and no file is uploaded twice. Never throws.
 */
export const sendOrder = async (
  ports: SendPorts,
  activeSocket: ActiveSocket,
  order: SendOrder,
): Promise<SendOutcome> => {
  const key = order.key ?? newKey(ports.host.random);
  const parts = orderParts(order, key);
  try {
    const copy = await cachedMessage(activeSocket.keyStore, parts[0].key);
    const to = await resolved(ports, activeSocket, order.to, copy);
    if ("ok" in to) return to;
    // for the new holder of a number the message is made again
    const kept = copy?.key.remoteJid === to.jid ? copy : undefined;
    const forbidden = await ports.restriction.forbids(activeSocket, { jid: to.jid, key });
    if (forbidden) return forbidden;
    // a message with a copy has been counted
    const begun = kept ? undefined : await ports.newChats.begin(activeSocket, to.jid);
    if (begun?.ok === false) return begun.failure;
    const made = await prepareCounted(ports, activeSocket, { parts, to, kept, counted: begun?.rows ?? [] });
    return await handOverAll(ports, activeSocket, to, made);
  } catch (thrown) {
    if (thrown instanceof Unsendable) return thrown.failure;
    ports.host.log.warn(
      { channelId: ports.host.channelId, messageId: order.messageId, error: reasonOf(thrown) },
      "a message could not be prepared",
    );
    return later("the message could not be prepared");
  }
};

/** A repeated message has the same destination, unless the number has another holder since. */
const keptDestination = ({ key: { remoteJid: jid, remoteJidAlt: alias } }: CachedMessage): Destination => ({
  jid,
  ...(alias === undefined ? {} : { alias }),
});

const resolved = async (
  { numbers, addressing }: SendPorts,
  activeSocket: ActiveSocket,
  to: string,
  copy: CachedMessage | undefined,
): Promise<Destination | Failure> => {
  const found = await numbers.resolve(activeSocket, to);
  if (!found.ok) return found;
  const { lid } = found;
  const isWhereItWent =
    copy && (lid === undefined || !isLid(copy.key.remoteJid) || isSameUser(copy.key.remoteJid, lid ?? ""));
  return isWhereItWent ? keptDestination(copy) : destinationOf(activeSocket, found, addressing);
};

type Preparation = { part: Part; to: Destination; rows: KeyRow[] };
/** A message, and whether its copy is on disk. It is encrypted meanwhile, so that both are one write. */
type Made = Part & { message: proto.IMessage; onDisk: Promise<void> };

type Counted = { parts: Parts; to: Destination; kept: CachedMessage | undefined; counted: KeyRow[] };

/** The parts of an order; of a repeated picture in HD those that are on disk. */
const partsNow = async (
  { host, mediaHosts }: SendPorts,
  { keyStore }: ActiveSocket,
  { parts, kept }: Pick<Counted, "parts" | "kept">,
): Promise<Parts> => {
  const [part] = parts;
  if (!kept) return partsByQuality(filePortsOf(host, mediaHosts), parts);
  const better = part.order.type === "image" ? keyInHd(part.key) : undefined;
  const copy = better === undefined ? undefined : await cachedMessage(keyStore, better);
  if (!copy || better === undefined) return parts;
  return [
    { ...part, pair: "standard" },
    { order: part.order, key: better, pair: { hdOf: part.key } },
  ];
};

/**
 * Makes all parts of an order before the first leaves. A chat counts only with a message: a message with an unavailable
 * file is made again, and would count each time.
 */
const prepareCounted = async (
  ports: SendPorts,
  activeSocket: ActiveSocket,
  { parts: asked, to, kept, counted }: Counted,
): Promise<Made[]> => {
  const takeBack = () => {
    if (counted.length > 0) ports.newChats.takeBack();
  };
  try {
    const parts = await partsNow(ports, activeSocket, { parts: asked, kept });
    const [part, ...others] = parts;
    const further: Made[] = [];
    for (const other of others) further.push(await keptOrMade(ports, activeSocket, { part: other, to, rows: [] }));
    if (kept) return [{ ...part, message: kept.message, onDisk: Promise.resolve() }, ...further];
    ports.limits.pace.spend(others.length);
    const rows = [...counted, ...albumRows(parts, ports.host.clock.now())];
    const first = await prepare(ports, activeSocket, { part, to, rows });
    first.onDisk.catch(takeBack);
    return [first, ...further];
  } catch (thrown) {
    takeBack();
    throw thrown;
  }
};

/** A picture of an album, which an earlier attempt may have uploaded. */
const keptOrMade: typeof prepare = async (ports, activeSocket, { part, to, rows }) => {
  const copy = await cachedMessage(activeSocket.keyStore, part.key);
  if (copy?.key.remoteJid === to.jid) return { ...part, message: copy.message, onDisk: Promise.resolve() };
  return prepare(ports, activeSocket, { part, to, rows });
};

/** Hands over all parts, one after another. A failure says how many pictures the network has taken by then. */
const handOverAll = async (
  ports: SendPorts,
  activeSocket: ActiveSocket,
  to: Destination,
  [first, ...others]: readonly Made[],
): Promise<SendOutcome> => {
  if (!first) throw new Error("an order has no part");
  const begun = await handOver(ports, activeSocket, to, first);
  const [main] = others;
  if (!begun.ok || !main) return begun;
  if (first.pair) return withBetter(ports, activeSocket, to, { begun, better: main });
  const taken: ProviderMessageId[] = [first.key];
  for (const other of others) {
    const outcome = await handOver(ports, activeSocket, to, other);
    if (!outcome.ok) return taken.length === 1 ? outcome : partly(outcome, taken, others.length);
    taken.push(other.key);
  }
  return { ...begun, key: main.key, furtherKeys: taken.filter((key) => key !== main.key) };
};

type Shown = { begun: Extract<SendOutcome, { ok: true }>; better: Made };

/** The whole picture follows the shown one. People have the message without it, so its failure fails nothing. */
const withBetter = async (
  ports: SendPorts,
  activeSocket: ActiveSocket,
  to: Destination,
  { begun, better }: Shown,
): Promise<SendOutcome> => {
  const outcome = await handOver(ports, activeSocket, to, better);
  if (outcome.ok) return { ...begun, furtherKeys: [better.key] };
  const { channelId, log } = ports.host;
  log.warn({ channelId, key: begun.key, reason: outcome.reason }, "a picture went in standard quality, and not in HD");
  return begun;
};

/** The failure of an album whose first pictures have left. A later try sends the others, under the same ids. */
const partly = (failure: Failure, taken: ProviderMessageId[], all: number): Failure => ({
  ...failure,
  reason: `${taken.length - 1} of ${all} pictures were sent, the next was not: ${failure.reason}`,
  furtherKeys: taken,
});

/** The node by which the network's apps tell polls and events from their votes and answers. */
const kindNodes = (type: SendOrder["type"]): Stanza[] => {
  if (type === "poll") return [{ tag: "meta", attrs: { polltype: "creation" } }];
  return type === "event" ? [{ tag: "meta", attrs: { event_type: "creation" } }] : [];
};

const handOver = async (
  ports: SendPorts,
  activeSocket: ActiveSocket,
  to: Destination,
  { order, key, message, onDisk }: Made,
): Promise<SendOutcome> => {
  const { native, note } = await nativeOf(ports, activeSocket, order, message);
  const nodes = kindNodes(order.type);
  const outcome = await ports.relay(activeSocket, { to, key, message, onDisk, nodes, ...(native ? { native } : {}) });
  await onDisk; // a message that could not be written has not left
  if (!outcome.ok) return outcome;
  const disappearsAfter = lifetimeOf(message);
  return {
    ...outcome,
    ...(note ? { plainer: note } : {}),
    ...(disappearsAfter > 0 ? { disappearsAfter } : {}),
  };
};

/**
 * The native form of a menu, if the owner has its phone try it; else a note if its network refused such a form lately,
 * or its file is unavailable. A text is the form that is kept: devices that ask again get it.
 */
const nativeOf = async (
  { host, mediaHosts }: SendPorts,
  activeSocket: ActiveSocket,
  order: SendOrder,
  text: proto.IMessage,
): Promise<{ native?: proto.IMessage; note?: PlainerForm }> => {
  if (!isMenu(order) || (await host.vault.read())[NATIVE_BUTTONS] !== TRY) return {};
  const refusedWith = await lastRefusal(activeSocket.keyStore, host.clock.now());
  if (refusedWith !== undefined) return { note: refusedForm(refusedWith) };
  try {
    return { native: await nativeForm(filePortsOf(host, mediaHosts), activeSocket, order, text) };
  } catch (thrown) {
    if (!(thrown instanceof Unsendable)) throw thrown;
    return { note: { sentAs: "text", reason: `the file of the header is unavailable: ${thrown.failure.reason}` } };
  }
};

/** Makes the message and has a copy written; for a menu also its options, so that answers are recognised. */
const prepare = async (
  { host, limits, mediaHosts }: SendPorts,
  activeSocket: ActiveSocket,
  { part, to: { jid, alias }, rows: further }: Preparation,
): Promise<Made> => {
  const { order, key } = part;
  const message = await messageOf(filePortsOf(host, mediaHosts), activeSocket, { ...part, jid });
  const rows =
    isMenu(order) && hasOptions(order)
      ? [
          await menuRow(activeSocket.keyStore, {
            chat: await chatOf(activeSocket, jid),
            key,
            order,
            now: host.clock.now(),
          }),
        ]
      : [];
  const onDisk = activeSocket.keyStore.write({
    rows: [...rows, ...further, limits.rowOf("pace")],
    messages: [
      toCachedMessage({
        key: { remoteJid: jid, ...(alias === undefined ? {} : { remoteJidAlt: alias }), fromMe: true, id: key },
        message,
        sender: ownJid(activeSocket, jid),
      }),
    ],
  });
  return { ...part, message, onDisk };
};

/** The canonical key of a chat, by the person's number if it is known: their answers come from there. */
const chatOf = async ({ keyStore }: ActiveSocket, jid: string): Promise<string> =>
  namesOf(await completed(keyStore, personOf(jid)))[0] ?? canonicalOf(jid) ?? jid;
