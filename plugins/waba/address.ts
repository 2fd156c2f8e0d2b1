import type { Address } from "../../src/contract/plugin.ts";

const NUMBER = /^(?:pn:)?([1-9]\d{5,14})$/;
const BSUID = /^bsuid:([A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128})$/;

/**
 * The canonical key of a recipient: `pn:<digits>` of an E.164 number, or `bsuid:<id>` of a business-scoped user id.
 * Accepts the bare number too. Refuses everything else, a leading `+` as well.
 */
export const address = (to: string): Address => {
  const number = NUMBER.exec(to)?.[1];
  if (number !== undefined) return { ok: true, to: `pn:${number}` };
  return BSUID.test(to) ? { ok: true, to } : { ok: false, code: "RECIPIENT_INVALID" };
};

const GROUP = "group:";

/** The recipient as the network's send takes it: by number, by user id, or a group. */
export const recipientOf = (
  to: string,
): { recipient_type: "individual" | "group"; to: string } | { recipient_type: "individual"; recipient: string } => {
  if (to.startsWith(GROUP)) return { recipient_type: "group", to: to.slice(GROUP.length) };
  const bsuid = BSUID.exec(to)?.[1];
  return {
    recipient_type: "individual",
    ...(bsuid === undefined ? { to: to.replace(/^pn:/, "") } : { recipient: bsuid }),
  };
};
