import type { Address } from "../../src/contract/plugin.ts";

/** The id of a person as one page sees it: https://developers.facebook.com/docs/messenger-platform/identity. */
const PSID = /^(?:uid:)?(\d{5,40})$/;

/** The canonical key `uid:<id>` of a person, given bare or as such a key. */
export const address = (to: string): Address => {
  const id = PSID.exec(to)?.[1];
  return id === undefined ? { ok: false, code: "RECIPIENT_INVALID" } : { ok: true, to: `uid:${id}` };
};

export const psidOf = (to: string): string => to.replace(/^uid:/, "");
