import { isJidGroup } from "@whiskeysockets/baileys";
import { type Account, accountOf, type Device, deviceOf, jidOf, type Network } from "../model.ts";
import type { Linked } from "../people/linked.ts";
import { note } from "../stat.ts";
import { type Stanza, stanza } from "../wire/stanza.ts";

/** The devices that get a receipt: for a retry the device that encrypted, otherwise all devices of the author. */
const receiversOf = (network: Network, sender: Device, { attrs }: Stanza): Device[] => {
  const author = attrs["type"] === "read-self" ? jidOf(sender.account, "lid") : (attrs["participant"] ?? attrs["to"]);
  if (attrs["type"] === "retry") {
    const device = deviceOf(network, author);
    return device ? [device] : [];
  }
  return [...(accountOf(network, author)?.devices.values() ?? [])].filter((device) => device !== sender);
};

const namesOf = (
  network: Network,
  { account, id }: Device,
  { to = "", recipient }: Stanza["attrs"],
  receiver: Account,
): Record<string, string | undefined> => {
  if (to === "status@broadcast") return { from: to, participant: jidOf(account, "lid", id) };
  const group = isJidGroup(to) ? network.groups.get(to) : undefined;
  if (group) return { from: group.jid, participant: jidOf(account, group.addressing, id) };
  const from = jidOf(account, account.addressing, id);
  return receiver === account ? { from, recipient: recipient ?? to } : { from };
};

/** Delivers a receipt (arrived, read, not readable) to the devices that get it. */
export const routeReceipt = (network: Network, sender: Device, receipt: Stanza): void => {
  const { id, type, t } = receipt.attrs;
  for (const device of receiversOf(network, sender, receipt)) {
    device.deliver(
      stanza(
        "receipt",
        { ...namesOf(network, sender, receipt.attrs, device.account), id, type, t: t ?? String(network.now()) },
        receipt.content,
      ),
    );
  }
};

/** Types of receipts that the network does not pass on. */
const FOR_THE_NETWORK = new Set(["sender", "peer_msg", "hist_sync"]);

/** Takes a receipt from a linked device, and acknowledges it. */
export const takeReceipt = (network: Network, device: Linked, receipt: Stanza): void => {
  const { id = "", type, to, participant, recipient } = receipt.attrs;
  device.settle(receipt);
  note(network.stat.receipts, { from: device.jid, id, type: type ?? "" });
  if (type === "server-error") network.media.reupload(device, receipt);
  else if (!FOR_THE_NETWORK.has(type ?? "")) routeReceipt(network, device, receipt);
  device.link?.send(stanza("ack", { class: "receipt", id, type, from: to, participant, recipient }));
  network.changed();
};
