const NUMBERS = "s.whatsapp.net";

/**
 * A person's number and network id as the gateway shows them: both as chat addresses, as clients of such APIs know
 * them.
 */
export const chatAddresses = ({
  pn,
  lid,
}: {
  pn: string | null;
  lid: string | null;
}): { pn: string | null; lid: string | null } => ({
  pn: pn === null ? null : `${pn}@${NUMBERS}`,
  lid: lid === null ? null : `${lid}@lid`,
});

/** The canonical key of a chat address; any other text unchanged. */
export const keyOfAddress = (text: string): string => {
  const [, digits, domain] = /^(\d+)@(s\.whatsapp\.net|lid)$/.exec(text) ?? [];
  return digits === undefined ? text : `${domain === NUMBERS ? "pn" : "lid"}:${digits}`;
};
