import { jidDecode, jidEncode } from "@whiskeysockets/baileys";
import type { KeyStore } from "../../../src/contract/ports/key-store.ts";
import { ownValue } from "../../../src/kernel/texts/json.ts";
import { readKeys } from "./rows.ts";

type Read = KeyStore["read"];

/** The domains of numbers and of LIDs in the addresses of sessions (`user_domain.device`). */
const LID_DOMAINS: Readonly<Record<string, string>> = { "": "_1", _128: "_129" };
const LID_SERVERS: Readonly<Record<string, "lid" | "hosted.lid">> = { "s.whatsapp.net": "lid", hosted: "hosted.lid" };
const HOSTED_DEVICE = "99";

/** The address of a jid's session, as Baileys writes it. */
export const addressOf = (jid: string): string => {
  const { user, domainType, device = 0 } = jidDecode(jid) ?? {};
  return `${user}${domainType ? `_${domainType}` : ""}.${device}`;
};

/** The address of a number's device. */
export const numberAddress = (user: string, device: string): string =>
  `${user}${device === HOSTED_DEVICE ? "_128" : ""}.${device}`;

/** The address of the same device under the number's LID. */
export const underLid = (address: string, lid: string): string =>
  address.replace(
    /^[^_.]+(_\d+)?\./,
    (_, domain: string | undefined) => `${lid}${LID_DOMAINS[domain ?? ""] ?? domain}.`,
  );

/** The jid whose address has the session: that of the LID, if it is known. */
export const resolveJid = async (read: Read, jid: string): Promise<string> => {
  const { user = "", server = "", device } = jidDecode(jid) ?? {};
  const lidServer = ownValue(LID_SERVERS, server);
  const lid = lidServer && (await lidOf(read, user));
  return lid ? jidEncode(lid, lidServer, device) : jid;
};

/** The same as `resolveJid`, for an address. */
export const resolveAddress = async (read: Read, address: string): Promise<string> => {
  const [, user = "", domain = ""] = /^([^_.]+)(_\d+)?\./.exec(address) ?? [];
  const lid = domain in LID_DOMAINS && (await lidOf(read, user));
  return lid ? underLid(address, lid) : address;
};

/** The LID of a number, both in bare digits, if it is known here: the network is not asked. */
const lidOf = async (read: Read, user: string): Promise<string | undefined> =>
  (await readKeys(read, "lid-mapping", [user]))[user];
