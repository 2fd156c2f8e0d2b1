import { type Contact, contactOfKey } from "../../../core/domain-event.ts";

/** A number as a chat address. */
export const addressOfNumber = (digits: string): string => `${digits}@s.whatsapp.net`;

/**
 * The address of a person, group, newsletter or broadcast as programs of others write it; the canonical key if the network
 * has no such address.
 */
export const jidOf = ({ canonicalKey, type, pn, lid }: Contact): string => {
  if (type === "group") return `${canonicalKey.slice("group:".length)}@g.us`;
  if (type === "newsletter") return `${canonicalKey.slice("newsletter:".length)}@newsletter`;
  if (type === "broadcast") return `${canonicalKey.slice("broadcast:".length)}@broadcast`;
  if (pn !== null) return addressOfNumber(pn);
  return lid === null ? canonicalKey : `${lid}@lid`;
};

export const jidOfKey = (canonicalKey: string): string => jidOf(contactOfKey(canonicalKey));

/** The address of a group. Some networks name a group by it, others by its first part. */
export const groupJidOf = ({ upstreamGroupId: id }: { upstreamGroupId: string }): string =>
  id.includes("@") ? id : `${id}@g.us`;

/** The digits of a person's chat address, or of a number with a plus. The core takes a number without a plus. */
export const numberOf = (text: string): string =>
  /^(\d+)(?::\d+)?@(?:s\.whatsapp\.net|c\.us)$/.exec(text)?.[1] ?? text.trim().replace(/^\+(?=\d+$)/, "");

/** The person of a chat address as the lists of contacts and messages find people. */
export const personIn = (jid: string): string => {
  const lid = /^(\d+)@lid$/.exec(jid)?.[1];
  return lid === undefined ? numberOf(jid) : `lid:${lid}`;
};
