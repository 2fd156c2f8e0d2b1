import type { Address } from "../../src/contract/plugin.ts";
import { ownValue } from "../../src/kernel/texts/json.ts";

const NUMBER = /^(?:(?:pn:)?([1-9]\d{5,14})|([1-9]\d{5,14})(?::\d{1,3})?@s\.whatsapp\.net)$/;
const LID = /^(?:lid:(\d{5,20})|(\d{5,20})(?::\d{1,3})?@lid)$/;
const GROUP = /^(?:group:(\d{5,20}(?:-\d{5,15})?)|(\d{5,20}(?:-\d{5,15})?)@g\.us)$/;
const NEWSLETTER = /^(?:newsletter:(\d{5,30})|(\d{5,30})@newsletter)$/;
/** The account's own statuses, the only list of people that a linked device may write to. */
const STATUSES = /^(?:broadcast:(status)|(status)@broadcast)$/;

const idIn = (pattern: RegExp, to: string): string | undefined => {
  const [, named, addressed] = pattern.exec(to) ?? [];
  return named ?? addressed;
};

/**
 * The canonical key of a recipient: `pn:<digits>`, `lid:<digits>`, `group:<id>`, `newsletter:<id>`, or
 * `broadcast:status` for the account's own statuses. Accepts canonical keys, a bare number without `+`, and the chat
 * addresses of all of these; a device is dropped. Refuses other chat addresses (other lists, bots) as ADDRESS_INVALID,
 * and any other text as RECIPIENT_INVALID.
 */
export const address = (to: string): Address => {
  const number = idIn(NUMBER, to);
  if (number !== undefined) return { ok: true, to: `pn:${number}` };
  const lid = idIn(LID, to);
  if (lid !== undefined) return { ok: true, to: `lid:${lid}` };
  const group = idIn(GROUP, to);
  if (group !== undefined) return { ok: true, to: `group:${group}` };
  const newsletter = idIn(NEWSLETTER, to);
  if (newsletter !== undefined) return { ok: true, to: `newsletter:${newsletter}` };
  if (idIn(STATUSES, to) !== undefined) return { ok: true, to: STATUSES_KEY };
  return { ok: false, code: to.includes("@") ? "ADDRESS_INVALID" : "RECIPIENT_INVALID" };
};

/** The canonical key of the account's own statuses. */
export const STATUSES_KEY = "broadcast:status";

const SERVERS: Readonly<Record<string, string>> = {
  pn: "s.whatsapp.net",
  lid: "lid",
  group: "g.us",
  newsletter: "newsletter",
  broadcast: "broadcast",
};

/** The chat address of a canonical key, as the network writes it; undefined for a key of another network. */
export const jidOf = (canonicalKey: string): string | undefined => {
  const [kind = "", id = ""] = canonicalKey.split(":", 2);
  const server = ownValue(SERVERS, kind);
  return server === undefined || id === "" ? undefined : `${id}@${server}`;
};

/**
 * The canonical key of a chat address of the network; its device is ignored. Undefined for an address that `address`
 * refuses.
 */
export const canonicalOf = (jid: string): string | undefined => {
  const found = address(jid);
  return jid.includes("@") && found.ok ? found.to : undefined;
};

/** Whether two chat addresses belong to the same person; devices are ignored. */
export const isSameUser = (one: string, other: string): boolean => userOf(one) === userOf(other);
/** The person of a chat address, without its device and server. */
export const userOf = (jid: string): string => jid.split(/[:@]/, 1)[0] ?? "";
export const isLid = (jid: string): boolean => jid.endsWith("@lid");
export const isStatusJid = (jid: string): boolean => jid === "status@broadcast";
export const isGroup = (jid: string): boolean => jid.endsWith("@g.us");
