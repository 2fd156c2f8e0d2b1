import type { proto } from "@whiskeysockets/baileys";
import { isShown } from "../messages/business.ts";
import { isOfPair } from "../messages/pairs.ts";
import { routeReceipt } from "../messages/receipts.ts";
import { type Account, type Addressing, accountOf, type Device, deviceOf, jidOf, type Network } from "../model.ts";
import { child, idsOf, type Stanza, stanza } from "../wire/stanza.ts";
import { refusalOf, textIn } from "./content.ts";
import { makePeer, type Peer } from "./peer.ts";
import { type Sent, transmitAgain } from "./sending.ts";

/** A message on a person's phone. */
export type Received = {
  id: string;
  /** The number of its sender, or the LID of a sender without a number. */
  from: string;
  /** The jid of the chat: the sender's, or the group's. */
  chat: string;
  /** The device of the person that read it. */
  device: number;
  /** Written by the person on another device. */
  isOwn: boolean;
  type: string;
  mediatype: string;
  edit: string;
  message: proto.IMessage;
  text: string;
  stanza: Stanza;
};

export type ReceivedReceipt = { id: string; type: string; from: string; chat: string };

/** The automatic acts of a phone. */
export type Habits = { delivered: boolean; read: boolean; retry: boolean };

export type PersonOptions = {
  pn?: string;
  lid?: string;
  username?: string;
  name?: string;
  aliases?: string[];
  addressing?: Addressing;
  devices?: number;
};

/** A person with a phone: keys, habits, and received messages. */
export type Person = {
  readonly account: Account;
  readonly primary: Peer;
  readonly peers: Peer[];
  readonly received: Received[];
  readonly receivedReceipts: ReceivedReceipt[];
  /** Messages that came again after they were read. */
  readonly repeats: string[];
  /** Ids of messages that could not be read. */
  readonly unread: string[];
  /** Ids of messages that came, and that the app shows nothing of. */
  readonly unshown: string[];
  readonly sent: Map<string, Sent>;
  habits: Habits;
  isBlind: boolean;
  /** Called with each message that its phone reads. */
  onReceived?(received: Received): void;
};

const MAX_RETRIES = 5;
const KEPT_SENT = 5_000;

export const keepSent = (person: Person, id: string, sent: Sent): void => {
  person.sent.set(id, sent);
  const [oldest] = person.sent.keys();
  if (person.sent.size > KEPT_SENT && oldest !== undefined) person.sent.delete(oldest);
};

const nameOf = ({ pn, lid }: Account): string => pn ?? lid;

/** Notifies the sender of a message that it was delivered or read, and the reader's own devices of what was read. */
export const sendReceipt = (
  network: Network,
  device: Device,
  message: Stanza,
  { type, ids = [message.attrs["id"] ?? ""] }: { type?: string; ids?: string[] },
): void => {
  const [id, ...others] = ids;
  const list =
    others.length > 0
      ? [
          stanza(
            "list",
            {},
            others.map((other) => stanza("item", { id: other })),
          ),
        ]
      : undefined;
  const { from: to, participant } = message.attrs;
  for (const kind of type === "read" ? ["read", "read-self"] : [type]) {
    routeReceipt(
      network,
      device,
      stanza("receipt", { id, to, participant, type: kind, t: String(network.now()) }, list),
    );
  }
};

type Memory = { network: Network; person: Person; tries: Map<string, number>; seen: Set<string> };

/** Asks the sender to encrypt a message anew; with keys from the second time on, as phones do. */
const askAgain = ({ network, person, tries }: Memory, peer: Peer, message: Stanza): void => {
  const id = message.attrs["id"] ?? "";
  const key = `${id} ${peer.id}`;
  const count = (tries.get(key) ?? 0) + 1;
  if (count > MAX_RETRIES) return;
  tries.set(key, count);
  person.unread.push(id);
  const { from: to, participant, t } = message.attrs;
  const asked = stanza("retry", { count: String(count), id, t, v: "1" });
  routeReceipt(
    network,
    peer,
    stanza("receipt", { id, to, participant, type: "retry", t: String(network.now()) }, [
      asked,
      ...peer.introduction(count > 1),
    ]),
  );
  network.changed();
};

/** The jid of a message's chat, in the reader's view. */
const chatOf = (sender: Account | undefined, { attrs }: Stanza): string =>
  attrs["participant"] === undefined && sender ? jidOf(sender, sender.addressing) : (attrs["from"] ?? "");

const receivedOf = (network: Network, peer: Peer, stanza: Stanza, opened: proto.IMessage): Received => {
  const { id = "", from = "", participant, type = "", edit = "" } = stanza.attrs;
  const sender = accountOf(network, participant ?? from);
  const own = opened.deviceSentMessage;
  const message = own?.message ?? opened;
  const mediatype = child(stanza, "enc")?.attrs["mediatype"] ?? "";
  return {
    id,
    from: sender ? nameOf(sender) : from,
    chat: own?.destinationJid ?? chatOf(sender, stanza),
    device: peer.id,
    isOwn: Boolean(own),
    type,
    mediatype,
    edit,
    message,
    text: textIn(message),
    stanza,
  };
};

const hasContent = (message: proto.IMessage): boolean =>
  Object.keys(message).some((part) => part !== "senderKeyDistributionMessage" && part !== "messageContextInfo");

const takeMessage = async (memory: Memory, peer: Peer, message: Stanza): Promise<void> => {
  const { network, person } = memory;
  if (person.isBlind) return askAgain(memory, peer, message);
  const opened = await peer.open(message).catch(() => undefined);
  if (!opened) return askAgain(memory, peer, message);
  const received = receivedOf(network, peer, message, opened);
  const key = `${received.id} ${peer.id}`;
  if (memory.seen.has(key)) person.repeats.push(received.id);
  else if (!isShown(received.message, message) || !isOfPair(received, person.received))
    person.unshown.push(received.id);
  else if (hasContent(received.message)) person.received.push(received);
  memory.seen.add(key);
  if (peer.id === 0) person.onReceived?.(received);
  if (!received.isOwn && peer.id === 0) {
    if (person.habits.delivered) sendReceipt(network, peer, message, {});
    if (person.habits.read) sendReceipt(network, peer, message, { type: "read" });
  }
  network.changed();
};

const sendAgain = async ({ network, person }: Memory, peer: Peer, receipt: Stanza): Promise<void> => {
  const device = deviceOf(network, receipt.attrs["participant"] ?? receipt.attrs["from"]);
  const sent = person.sent.get(receipt.attrs["id"] ?? "");
  if (!device || !sent || !person.habits.retry) return;
  await peer.renew(device, receipt);
  await transmitAgain(network, peer, { sent, device, count: child(receipt, "retry")?.attrs["count"] ?? "1" });
};

const takeReceipt = (memory: Memory, peer: Peer, receipt: Stanza): void => {
  const { network, person } = memory;
  const { type = "", from = "", participant } = receipt.attrs;
  if (peer.id === 0) {
    const by = accountOf(network, participant ?? from);
    for (const id of idsOf(receipt))
      person.receivedReceipts.push({ id, type, from: by ? nameOf(by) : from, chat: from });
    network.changed();
  }
  if (type === "retry") guard(network, sendAgain(memory, peer, receipt));
};

/** A failure in the network itself must not pass silently. */
const guard = (network: Network, work: Promise<void>): void => {
  work.catch((thrown: unknown) => {
    network.stat.unhandled.push(String(thrown));
    network.changed();
  });
};

/** A LID that belongs to one number. */
export const lidFor = (pn: string): string => `9${[...pn].reverse().join("")}`;

/** Puts somebody on the network, with a phone and this number of companions. */
export const makePerson = (
  network: Network,
  { pn, lid, username, name, aliases = [], addressing = "lid", devices = 1 }: PersonOptions,
): Person => {
  if (pn === undefined && lid === undefined) throw new Error("a person has a number or a LID");
  const account: Account = {
    pn,
    lid: lid ?? lidFor(pn ?? ""),
    username,
    aliases,
    name: name ?? `Person ${pn ?? lid}`,
    addressing: pn === undefined ? "lid" : addressing,
    privacySettings: {
      last: "all",
      online: "all",
      profile: "contacts",
      status: "all",
      groupadd: "all",
      calladd: "all",
    },
    sendsReadReceipts: true,
    devices: new Map(),
    nextDevice: devices,
    timelock: undefined,
    capping: undefined,
    privacy: undefined,
  };
  network.accounts.set(`lid:${account.lid}`, account);
  if (pn !== undefined) network.accounts.set(`pn:${pn}`, account);

  const [tries, seen] = [new Map<string, number>(), new Set<string>()];
  const memory = (): Memory => ({ network, person, tries, seen });
  const receive = (peer: Peer, arrived: Stanza) => {
    if (arrived.tag === "message") guard(network, takeMessage(memory(), peer, arrived));
    else if (arrived.tag === "receipt") takeReceipt(memory(), peer, arrived);
  };
  const peers = Array.from({ length: devices }, (_, id) =>
    makePeer(network, account, id, { receive, refuse: refusalOf }),
  );
  const [primary] = peers;
  if (!primary) throw new Error("a person has at least one device");
  const person: Person = {
    account,
    primary,
    peers,
    received: [],
    receivedReceipts: [],
    repeats: [],
    unread: [],
    unshown: [],
    sent: new Map(),
    habits: { delivered: true, read: false, retry: true },
    isBlind: false,
  };
  for (const peer of peers) account.devices.set(peer.id, peer);
  return person;
};
