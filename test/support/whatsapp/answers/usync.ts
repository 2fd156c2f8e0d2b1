import { type Account, accountOf, type Device, jidOf, type Network } from "../model.ts";
import { isLinked } from "../people/linked.ts";
import { note } from "../stat.ts";
import { child, children, firstChild, type Stanza, stanza, textOf } from "../wire/stanza.ts";

const digitsOf = (text: string): string => text.replace(/\D/g, "");

const byNumber = (network: Network, pn: string): Account | undefined =>
  network.accounts.get(`pn:${pn}`) ?? [...network.accounts.values()].find(({ aliases }) => aliases.includes(pn));

/** A linked device counts once it has published its keys. */
const isReachable = (device: Device): boolean => !isLinked(device) || device.preKeys !== undefined;

const devicesOf = (account: Account): Stanza => {
  const reachable = [...account.devices.values()].filter(isReachable);
  const list = reachable.map(({ id }) =>
    stanza("device", { id: String(id), "key-index": id === 0 ? undefined : String(id) }),
  );
  return stanza("devices", {}, [stanza("device-list", {}, list)]);
};

type Asked = { phone: string | undefined; jid: string | undefined };

const answers: Record<string, (account: Account | undefined, asked: Asked) => Stanza[]> = {
  contact: (account) => [stanza("contact", { type: account ? "in" : "out" })],
  devices: (account, { jid }) =>
    account && !(account.isListedByLid && !jid?.endsWith("@lid")) ? [devicesOf(account)] : [],
  lid: (account, { jid }) => (account && !jid?.endsWith("@lid") ? [stanza("lid", { val: jidOf(account, "lid") })] : []),
  status: (account) => (account ? [stanza("status", {}, Buffer.from(account.about ?? ""))] : []),
  disappearing_mode: (account) =>
    account?.disappearing === undefined
      ? []
      : [stanza("disappearing_mode", { duration: account.disappearing, t: "1700000000" })],
};

const askedOf = (user: Stanza): Asked => {
  const phone = textOf(child(user, "contact"));
  return { phone: phone === "" ? undefined : digitsOf(phone), jid: user.attrs["jid"] };
};

/** Answers which people are on the network, with their jid, LID and devices. */
export const answerUsync = (network: Network, iq: Stanza): Stanza[] | undefined => {
  const query = firstChild(iq);
  const asked = children(child(query, "list"), "user").map(askedOf);
  const queried = child(query, "query")?.content;
  const protocols = Array.isArray(queried) ? queried.map(({ tag }) => tag) : [];
  if (!protocols.every((protocol) => protocol in answers)) return undefined;
  note(network.stat.usync, { users: asked.map(({ phone, jid }) => phone ?? jid ?? ""), protocols });
  const users = asked.map((one) => {
    const account = one.phone === undefined ? accountOf(network, one.jid) : byNumber(network, one.phone);
    const jid = one.jid ?? (account ? jidOf(account, "pn") : `${one.phone}@s.whatsapp.net`);
    return stanza(
      "user",
      { jid },
      protocols.flatMap((protocol) => answers[protocol]?.(account, one) ?? []),
    );
  });
  return [stanza("usync", { ...query?.attrs }, [stanza("list", {}, users)])];
};
