/** The host of an address, or the address where it has none. */
export const hostOf = (url: string): string => URL.parse(url)?.host || url;

/** How people name a webhook: its name, else the host that it posts to. */
export const webhookName = ({ name, url }: { name: string | null; url: string }): string => name || hostOf(url);
