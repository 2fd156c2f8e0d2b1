import type { Address } from "../../src/contract/plugin.ts";

/** The id of a person as one page sees it: https://developers.facebook.com/docs/messenger-platform/identity. */
const PSID = /^(?:uid:)?(\d{5,40})$/;

/** The canonical key `uid:<id>` of a person, given bare or as such a key. */
export const address = (to: string): Address => {
  const id = PSID.exec(to)?.[1];
  return id === undefined ? { ok: false, code: "RECIPIENT_INVALID" } : { ok: true, to: `uid:${id}` };
};

export const psidOf = (to: string): string => to.replace(/^uid:/, "");

/** Separates a message's id, which never contains it, from the place of a part. */
const PART = "#";

/** The key of the part of a message at a place; the first part has the message's own id. */
export const partKeyOf = (messageId: string, place: number): string =>
  place === 0 ? messageId : `${messageId}${PART}${place}`;

/** The network's id of the message that a key, perhaps of a part, belongs to. */
export const messageIdOf = (key: string): string => key.split(PART, 1)[0] ?? key;
