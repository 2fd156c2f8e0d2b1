import type { Address } from "../../src/contract/plugin.ts";

const SCOPED_ID = /^(?:igsid:)?(\d{5,40})$/;

/** The canonical key `igsid:<id>` of a person's id as this account sees it, given bare or as such a key. */
export const address = (to: string): Address => {
  const id = SCOPED_ID.exec(to)?.[1];
  return id === undefined ? { ok: false, code: "RECIPIENT_INVALID" } : { ok: true, to: `igsid:${id}` };
};

export const scopedIdOf = (to: string): string => to.replace(/^igsid:/, "");
