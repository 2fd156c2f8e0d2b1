/** The host of an address, or the address if it has no host. */
export const hostOf = (url: string): string => URL.parse(url)?.host || url;

/** The name of a webhook for people: its name, else the host that it posts to. */
export const webhookName = ({ name, url }: { name: string | null; url: string }): string => name || hostOf(url);
