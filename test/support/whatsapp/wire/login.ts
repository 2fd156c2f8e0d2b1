import { jidEncode, type proto } from "@whiskeysockets/baileys";
import { takeIq } from "../answers/iqs.ts";
import { takePresence } from "../answers/people-iqs.ts";
import { takeMessage } from "../messages/messages.ts";
import { takeReceipt } from "../messages/receipts.ts";
import { accountOf, type Device, type Network } from "../model.ts";
import type { PairingDesk, Visitor } from "../pairing/pairing.ts";
import { takeCall } from "../people/calls.ts";
import { isLinked, type Linked } from "../people/linked.ts";
import { count, note, outline } from "../stat.ts";
import type { Link, LinkEvents } from "./link.ts";
import { firstChild, type Stanza, stanza } from "./stanza.ts";

const REMOVED = stanza("stream:error", { code: "401" }, [stanza("conflict", { type: "device_removed" })]);
const REPLACED = stanza("stream:error", {}, [stanza("conflict", { type: "replaced" })]);

/** The routing information for the next connection, which clients send before their first frame. */
const ROUTING = stanza("ib", {}, [
  stanza("edge_routing", {}, [stanza("routing_info", {}, Buffer.from("0808", "hex"))]),
]);

/** Stanzas that need no answer. */
const SWALLOWED = new Set(["ib"]);

/** Unlinks a device: it is notified at once, or at its next login. */
export const removeDevice = (network: Network, device: Linked): void => {
  device.account.devices.delete(device.id);
  device.link?.end(REMOVED);
  network.changed();
};

const deviceFor = (
  network: Network,
  { username, device }: proto.ClientPayload,
  noiseKey: Buffer,
): Linked | undefined => {
  const account = accountOf(network, jidEncode(Number(username), "s.whatsapp.net"));
  const found: Device | undefined = account?.devices.get(device ?? 0);
  return isLinked(found) && found.noiseKey.equals(noiseKey) ? found : undefined;
};

const takeMd = (network: Network, device: Linked, iq: Stanza): boolean => {
  if (firstChild(iq)?.tag !== "remove-companion-device") return false;
  device.link?.send(stanza("iq", { id: iq.attrs["id"], from: iq.attrs["to"], type: "result" }));
  removeDevice(network, device);
  return true;
};

const takeStanza = async (network: Network, device: Linked, sent: Stanza): Promise<void> => {
  const { tag, attrs } = sent;
  if (tag === "message") return takeMessage(network, device, sent);
  if (tag === "receipt") return takeReceipt(network, device, sent);
  if (tag === "iq") return takeMd(network, device, sent) ? undefined : takeIq(network, device, sent);
  if (tag === "ack") {
    device.settle(sent);
    const { id = "", class: type = "", error } = attrs;
    note(network.stat.acks, { from: device.jid, id, type, ...(error === undefined ? {} : { error }) });
  } else if (tag === "call") takeCall(network, device, sent);
  else if (tag === "presence" || tag === "chatstate") takePresence(device, sent);
  else if (!SWALLOWED.has(tag)) note(network.stat.unhandled, outline(sent));
  network.changed();
};

/** The state of a connection: unknown, a companion to be linked, or a device. */
export const serveLink = (network: Network, desk: PairingDesk): LinkEvents => {
  let visitor: Visitor | undefined;
  let device: Linked | undefined;
  let own: Link | undefined;

  const refuse = (link: Link, attrs: Record<string, string>) => {
    network.stat.refused.push(`login ${attrs["reason"]}`);
    link.end(stanza("failure", { location: "tests", ...attrs }));
    network.changed();
  };
  const login = (link: Link, found: Linked, isPassive: boolean) => {
    found.link?.end(REPLACED);
    device = found;
    found.link = link;
    found.isActive = false;
    found.logins++;
    network.stat.logins++;
    link.send(stanza("success", { t: String(network.now()), lid: found.lidJid, display_name: found.account.name }));
    link.send(ROUTING);
    // a client that is not passive need not ask for the messages of its absence
    if (!isPassive) queueMicrotask(found.activate);
    network.changed();
  };

  return {
    entered: (link, noiseKey, payload) => {
      own = link;
      network.stat.connections++;
      const identity = payload.devicePairingData?.eIdent;
      const found = identity ? undefined : deviceFor(network, payload, noiseKey);
      const { primary, secondary, tertiary } = payload.userAgent?.appVersion ?? {};
      note(network.stat.appVersions, [primary, secondary, tertiary].join("."));
      const isOutdated = (tertiary ?? 0) < network.versions.minVersion;
      const failure = isOutdated ? { reason: "405" } : network.rules.logins.take(undefined, found?.account);
      if (failure) return refuse(link, failure);
      if (identity) visitor = desk.welcome(link, noiseKey, Buffer.from(identity), tertiary ?? 0);
      else if (found) login(link, found, payload.passive !== false);
      else refuse(link, { reason: "401" });
      network.changed();
    },
    stanza: async (sent) => {
      count(network.stat.stanzas, sent.tag);
      network.look?.(sent);
      network.changed();
      if (visitor) return desk.take(visitor, sent);
      if (device && device.link === own && own?.isOpen) return takeStanza(network, device, sent);
    },
    unreadable: (thrown) => note(network.stat.unhandled, String(thrown)),
    closed: () => {
      if (visitor) desk.leave(visitor);
      if (own) network.stat.connections--;
      if (device && device.link === own) {
        device.link = undefined;
        device.isActive = false;
        if (device.preKeys === undefined && network.rules.keylessLeavers.take(undefined, device.account))
          removeDevice(network, device);
      }
      network.changed();
    },
  };
};
