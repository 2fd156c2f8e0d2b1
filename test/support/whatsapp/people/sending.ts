import type { proto } from "@whiskeysockets/baileys";
import { routeMessage } from "../messages/messages.ts";
import { type Account, type Device, type Group, jidOf, type Network } from "../model.ts";
import { type Stanza, stanza } from "../wire/stanza.ts";
import { bytesOf, kindOf, ownCopyOf, type Sendable } from "./content.ts";
import type { Peer } from "./peer.ts";

/** The recipient of a message: a person or a group. */
export type Chat = { readonly account: Account } | { readonly group: Group };

export type Extras = {
  id?: string;
  edit?: string;
  type?: string;
  mediatype?: string;
  category?: string;
  time?: number;
  /** A privacy token that travels with the message. */
  token?: Uint8Array;
};

/** A sent message, kept to be sent again to devices that could not read it. */
export type Sent = { message: Sendable; to: Account | Group; extras: Extras };

export const targetOf = (chat: Chat): Account | Group => ("group" in chat ? chat.group : chat.account);

export const chatJid = (to: Account | Group): string => ("members" in to ? to.jid : jidOf(to, to.addressing));

const envelopeOf = (network: Network, { message, to, extras }: Sent, content: Stanza[]): Stanza =>
  stanza(
    "message",
    {
      to: chatJid(to),
      id: extras.id,
      type: extras.type ?? kindOf(message).type,
      edit: extras.edit,
      category: extras.category,
      t: String(extras.time ?? network.now()),
    },
    extras.token ? [...content, stanza("tctoken", {}, extras.token)] : content,
  );

const marked = (enc: Stanza, { message, extras }: Sent, more: Record<string, string> = {}): Stanza => {
  const mediatype = extras.mediatype ?? kindOf(message).mediatype;
  return { ...enc, attrs: { ...enc.attrs, ...(mediatype === undefined ? {} : { mediatype }), ...more } };
};

/** The keys with which a device reads its sender in a group. */
const distributed = (group: Group, distribution: Uint8Array): proto.IMessage => ({
  senderKeyDistributionMessage: { groupId: group.jid, axolotlSenderKeyDistributionMessage: distribution },
});

/** Encrypts for each device that has keys; `messageFor`: the message for each. */
const sealEach = async (
  peer: Peer,
  devices: Device[],
  messageFor: (device: Device) => Sendable,
  mark: (enc: Stanza) => Stanza,
): Promise<Stanza> => {
  const sealed: Stanza[] = [];
  for (const device of devices) {
    const enc = await peer.seal(device, messageFor(device));
    if (enc) sealed.push(stanza("to", { jid: jidOf(device.account, "lid", device.id) }, [mark(enc)]));
  }
  return stanza("participants", {}, sealed);
};

const devicesOf = (accounts: Iterable<Account>, peer: Peer): Device[] =>
  [...accounts].flatMap(({ devices }) => [...devices.values()]).filter((device) => device !== peer);

/**
 * Sends from one device the network plays, to a person (and its own other devices) or a group. `known`: the devices
 * that can read it in groups.
 */
export const transmit = async (
  network: Network,
  peer: Peer,
  sent: Sent,
  known: Set<string>,
): Promise<number | undefined> => {
  const { message, to } = sent;
  if ("members" in to) {
    const { enc, distribution } = await peer.sealForGroup(to.jid, message);
    const strangers = devicesOf(to.members, peer).filter((device) => !known.has(knownKey(to, device)));
    for (const device of strangers) known.add(knownKey(to, device));
    const keys = await sealEach(
      peer,
      strangers,
      () => distributed(to, distribution),
      (sealed) => sealed,
    );
    return routeMessage(network, peer, envelopeOf(network, sent, [keys, marked(enc, sent)]));
  }
  if (sent.extras.token) to.privacy?.tokens.set(peer.account.lid, Buffer.from(sent.extras.token).toString("hex"));
  const own = ownCopyOf(message, chatJid(to));
  const devices = devicesOf(new Set([to, peer.account]), peer);
  const participants = await sealEach(
    peer,
    devices,
    (device) => (device.account === peer.account && to !== peer.account ? own : message),
    (enc) => marked(enc, sent),
  );
  return routeMessage(network, peer, envelopeOf(network, sent, [participants]));
};

const knownKey = (group: Group, { account, id }: Device): string => `${group.jid} ${account.lid}:${id}`;

/** Sends a message once more to the one device that could not read it. */
export const transmitAgain = async (
  network: Network,
  peer: Peer,
  { sent, device, count }: { sent: Sent; device: Device; count: string },
): Promise<void> => {
  const { to, message } = sent;
  const isOwn = device.account === peer.account && !("members" in to) && to !== peer.account;
  const content = isOwn ? ownCopyOf(message, chatJid(to)) : message;
  const distribution = "members" in to ? distributed(to, (await peer.sealForGroup(to.jid, message)).distribution) : {};
  const enc = await peer.seal(device, { wire: Buffer.concat([bytesOf(content), bytesOf(distribution)]) });
  if (!enc) return;
  const again = envelopeOf(network, sent, [marked(enc, sent, { count })]);
  const jid = jidOf(device.account, "lid", device.id);
  const { attrs } = again;
  const names = "members" in to ? { participant: jid } : isOwn ? { to: jid, recipient: chatJid(to) } : { to: jid };
  await routeMessage(network, peer, { ...again, attrs: { ...attrs, ...names } });
};

/** Sends a message to one device directly, like phones to their companions. */
export const transmitToOwn = async (
  network: Network,
  peer: Peer,
  device: Device,
  message: proto.IMessage,
): Promise<void> => {
  const enc = await peer.seal(device, message);
  if (!enc) return;
  const to = jidOf(device.account, "pn", device.id);
  await routeMessage(
    network,
    peer,
    stanza("message", { to, id: network.newId(), type: "protocol", category: "peer" }, [enc]),
  );
};
