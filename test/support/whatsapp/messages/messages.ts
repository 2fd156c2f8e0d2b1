import { createHmac } from "node:crypto";
import { type Account, accountOf, type Device, deviceOf, type Group, jidOf, type Network } from "../model.ts";
import { takePost } from "../newsletters/posts.ts";
import { isLinked, type Linked } from "../people/linked.ts";
import { note } from "../stat.ts";
import { child, children, type Stanza, stanza } from "../wire/stanza.ts";
import { bizRefusal } from "./business.ts";

/** The part of a message for one device. */
type Share = { device: Device; parts: Stanza[] };

const NOT_FOUND = 404;
const NOT_A_MEMBER = 403;
const INVALID = 479;

const direct = (message: Stanza): Stanza[] => children(message, "enc");

/** The parts that were encrypted for single devices. */
const sharesOf = (network: Network, message: Stanza): Share[] =>
  children(child(message, "participants"), "to").flatMap((to) => {
    const device = deviceOf(network, to.attrs["jid"]);
    return device ? [{ device, parts: children(to, "enc") }] : [];
  });

const inGroup = (network: Network, sender: Device, group: Group, message: Stanza): Share[] => {
  const only = deviceOf(network, message.attrs["participant"]);
  if (only) return [{ device: only, parts: direct(message) }];
  const own = new Map(sharesOf(network, message).map(({ device, parts }) => [device, parts]));
  const devices = [...group.members]
    .flatMap((member) => [...member.devices.values()])
    .filter((device) => device !== sender);
  return devices.map((device) => ({ device, parts: [...(own.get(device) ?? []), ...direct(message)] }));
};

const inChat = (network: Network, sender: Device, to: Account, message: Stanza): Share[] | number => {
  if (direct(message).length > 0) {
    const device = deviceOf(network, message.attrs["to"]);
    return device ? [{ device, parts: direct(message) }] : NOT_FOUND;
  }
  const shares = sharesOf(network, message);
  return shares.every(({ device }) => device.account === to || device.account === sender.account) ? shares : INVALID;
};

/** The names of a message's sender and chat, and their other names, for that device. */
const envelopeAttrs = (sender: Device, device: Device, to: Account | Group): Record<string, string | undefined> => {
  const { account, id } = sender;
  if ("members" in to) {
    const { addressing } = to;
    const alt =
      addressing === "lid"
        ? { participant_pn: account.pn && jidOf(account, "pn") }
        : { participant_lid: jidOf(account, "lid") };
    return {
      from: to.jid,
      participant: jidOf(account, addressing, id),
      addressing_mode: addressing,
      participant_username: account.username,
      ...alt,
    };
  }
  if (device.account === account)
    return { from: jidOf(account, to.addressing, id), recipient: jidOf(to, to.addressing), ...peerAlt(to) };
  const addressing = account.pn === undefined ? "lid" : account.addressing;
  const alt =
    addressing === "lid" ? { sender_pn: account.pn && jidOf(account, "pn") } : { sender_lid: jidOf(account, "lid") };
  return { from: jidOf(account, addressing, id), sender_username: account.username, ...alt };
};

const peerAlt = (to: Account): Record<string, string | undefined> => ({
  peer_recipient_username: to.username,
  ...(to.addressing === "lid"
    ? { peer_recipient_pn: to.pn && jidOf(to, "pn") }
    : { peer_recipient_lid: jidOf(to, "lid") }),
});

/** The nodes of a business's message, in the order of its sender. */
const aboutBusiness = ({ content }: Stanza): Stanza[] =>
  Array.isArray(content) ? content.filter(({ tag }) => tag === "bot" || tag === "biz") : [];

/** A message in the form for one device. */
export const envelope = (
  network: Network,
  { sender, device, to }: { sender: Device; device: Device; to: Account | Group },
  message: Stanza,
  parts: Stanza[],
): Stanza => {
  const { id, type, edit, category, t } = message.attrs;
  const names =
    category === "peer" ? { from: jidOf(sender.account, "pn", sender.id) } : envelopeAttrs(sender, device, to);
  const identity = parts.some(({ attrs }) => attrs["type"] === "pkmsg") ? children(message, "device-identity") : [];
  return stanza(
    "message",
    { ...names, id, type, edit, category, notify: sender.account.name, t: t ?? String(network.now()) },
    // a companion's token is only for the network; a phone's token goes on to the recipient
    [...parts, ...identity, ...aboutBusiness(message), ...(isLinked(sender) ? [] : children(message, "tctoken"))],
  );
};

/** The code with which the recipients' devices would refuse the message. */
const verdictOf = async (
  sender: Device,
  deliveries: { device: Device; arriving: Stanza }[],
): Promise<number | undefined> => {
  for (const { device, arriving } of deliveries) {
    const code = device.account === sender.account ? undefined : await device.judge?.(arriving);
    if (code !== undefined) return code;
  }
  return undefined;
};

const STATUS = "status@broadcast";
const NO_AUDIENCE = 400;

/**
 * Hands a status to the devices that its sender named, whose keys it brings. The network adds nobody, and refuses a
 * status for nobody.
 */
const routeStatus = (network: Network, sender: Device, message: Stanza): number | undefined => {
  const shares = sharesOf(network, message);
  if (shares.length === 0 || direct(message).length !== 1) return NO_AUDIENCE;
  const { id, type, edit } = message.attrs;
  const { account } = sender;
  const attrs = {
    from: STATUS,
    participant: jidOf(account, "lid", sender.id),
    participant_pn: account.pn && jidOf(account, "pn"),
    notify: account.name,
    t: String(network.now()),
    id,
    type,
    edit,
  };
  for (const { device, parts } of shares)
    if (device !== sender)
      device.deliver(stanza("message", attrs, [...parts, ...direct(message), ...children(message, "device-identity")]));
  return undefined;
};

/** Hands a message to all its devices. Answers the code of a refusal; then no device has got it. */
export const routeMessage = async (network: Network, sender: Device, message: Stanza): Promise<number | undefined> => {
  const { to: jid } = message.attrs;
  if (jid === STATUS && isLinked(sender)) return routeStatus(network, sender, message);
  const group = network.groups.get(jid ?? "");
  const to = group ?? accountOf(network, message.attrs["recipient"] ?? jid);
  if (!to) return NOT_FOUND;
  if (group && !group.members.has(sender.account)) return NOT_A_MEMBER;
  const shares = "members" in to ? inGroup(network, sender, to, message) : inChat(network, sender, to, message);
  if (typeof shares === "number") return shares;
  const deliveries = shares.map(({ device, parts }) => ({
    device,
    arriving: envelope(network, { sender, device, to }, message, parts),
  }));
  const code = await verdictOf(sender, deliveries);
  if (code !== undefined) return code;
  for (const { device, arriving } of deliveries) device.deliver(arriving);
  return undefined;
};

/** A number beside a LID is the same person's. Elsewhere it has no meaning. */
const isMisnamed = (network: Network, { attrs: { to, peer_recipient_pn: alias } }: Stanza): boolean =>
  alias !== undefined && (!to?.endsWith("@lid") || accountOf(network, to) !== accountOf(network, alias));

const NO_TOKEN = 463;

/** Whether a message to somebody carries neither their privacy token nor the HMAC of their LID by the account's salt. */
const lacksToken = (network: Network, { account }: Linked, message: Stanza): boolean => {
  const to = accountOf(network, message.attrs["to"]);
  if (!account.privacy || !to || to === account || message.attrs["category"] === "peer") return false;
  const { salt, tokens } = account.privacy;
  const hexOf = (tag: string) => {
    const content = child(message, tag)?.content;
    return content instanceof Uint8Array ? Buffer.from(content).toString("hex") : undefined;
  };
  const given = tokens.get(to.lid);
  if (given !== undefined && hexOf("tctoken") === given) return false;
  return hexOf("cstoken") !== createHmac("sha256", salt).update(`${to.lid}@lid`).digest("hex");
};

/** The code with which the network refuses a message to people; else it has been delivered. */
const codeOf = async (network: Network, device: Linked, message: Stanza): Promise<number | undefined> => {
  const refused = bizRefusal(message) ?? (isMisnamed(network, message) ? INVALID : undefined);
  if (refused !== undefined) return refused;
  return lacksToken(network, device, message) ? NO_TOKEN : routeMessage(network, device, message);
};

/** Takes a message from a linked device: routes it, and acknowledges or refuses it. */
export const takeMessage = async (network: Network, device: Linked, message: Stanza): Promise<void> => {
  const { rules, stat } = network;
  const faulted = rules.nacks.take(message, device.account);
  const posted =
    faulted === undefined && message.attrs["to"]?.endsWith("@newsletter")
      ? takePost(network, device, message)
      : undefined;
  const code = posted ? posted.code : (faulted ?? (await codeOf(network, device, message)));
  if (code !== undefined) stat.refused.push(`message ${code}`);
  note(stat.destinations, {
    id: message.attrs["id"] ?? "",
    to: message.attrs["to"] ?? "",
    alias: message.attrs["peer_recipient_pn"],
  });
  network.changed();
  if (rules.lostAcks.take(message, device.account)) return;
  const { id, to, participant } = message.attrs;
  const ack = stanza("ack", {
    class: "message",
    id,
    from: to,
    participant,
    t: String(network.now()),
    error: code === undefined ? undefined : String(code),
    server_id: posted?.serverId === undefined ? undefined : String(posted.serverId),
    refresh_lid: rules.staleLids.take(message, device.account) ? "true" : undefined,
  });
  rules.acks.pass(() => device.link?.send(ack));
};

export const linkedOf = (account: Account): Linked[] => [...account.devices.values()].filter(isLinked);
