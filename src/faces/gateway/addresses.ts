const NUMBERS = "s.whatsapp.net";

/** A number as the gateway shows it: its chat address, as clients of such APIs know it. */
export const chatAddress = (pn: string | null): string | null => (pn === null ? null : `${pn}@${NUMBERS}`);

/** The canonical key that a chat address stands for; any other text as it is. */
export const keyOfAddress = (text: string): string => {
  const [, digits, domain] = /^(\d+)@(s\.whatsapp\.net|lid)$/.exec(text) ?? [];
  return digits === undefined ? text : `${domain === NUMBERS ? "pn" : "lid"}:${digits}`;
};
