/** A number as the gateway shows it: its chat address, as clients of such APIs know it. */
export const chatAddress = (pn: string | null): string | null => (pn === null ? null : `${pn}@s.whatsapp.net`);
