import type { Identity } from "../../src/contract/events.ts";
import type { Address } from "../../src/contract/plugin.ts";

const NUMBER = /^(?:pn:)?([1-9]\d{5,14})(?:@s\.whatsapp\.net)?$/;
const OTHER_ID = /^(?:(?:lid|bsuid|igsid|uid):[A-Za-z0-9._@+-]{1,140}|\d{16,20})$/;

/**
 * The canonical key of a recipient of any network that it simulates: numbers, canonical keys, chat addresses, scoped
 * ids. Refuses recipients that no network accepts.
 */
export const address = (to: string): Address => {
  const number = NUMBER.exec(to)?.[1];
  if (number !== undefined) return { ok: true, to: `pn:${number}` };
  if (OTHER_ID.test(to)) return { ok: true, to: to.includes(":") ? to : `igsid:${to}` };
  return { ok: false, code: to.includes("@") ? "ADDRESS_INVALID" : "RECIPIENT_INVALID" };
};

/** The identity of a recipient as the writer of a message. */
export const identityOf = (to: string): Identity => {
  const [, kind, id] = /^(pn|lid|bsuid|igsid|uid):(.*)$/.exec(to) ?? [];
  return kind !== undefined && id !== undefined ? { [kind]: id } : { pn: to };
};
