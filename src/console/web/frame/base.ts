/** The path at which the console is mounted, such as `/console`; all its scripts are in `<base>/assets/`. */
export const BASE = new URL(import.meta.url).pathname.replace(/\/assets\/[^/]*$/, "");

/** The address of a page of the console, such as `/phones` → `/console/phones`. */
export const href = (path: string): string => `${BASE}${path}`;
