/** What the listener knows of a request and the request does not say. */
const addresses = new WeakMap<Request, string>();

const isLoopback = (address: string): boolean => address === "::1" || address.startsWith("127.") || address.startsWith("::ffff:127.");

/** Notes where a request came from. A proxy on this machine may say whom it speaks for; nobody else is believed. */
export const noteAddress = (request: Request, peer: string | undefined): void => {
  const forwarded = peer !== undefined && isLoopback(peer) ? request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() : undefined;
  addresses.set(request, forwarded || (peer ?? "unknown"));
};

export const addressOf = (request: Request): string => addresses.get(request) ?? "unknown";

/** The path below a face's mount. Read from the URL itself: Elysia's own notion of the path can be bent by a forged Host. */
export const pathBelow = (prefix: string, request: Request): string => new URL(request.url).pathname.slice(prefix.length);

/** The largest JSON body that is read, and the largest of an upstream's webhook. */
export const MAX_BODY_BYTES = 1024 * 1024;
export const MAX_WEBHOOK_BYTES = 4 * 1024 * 1024;

export const isTooLarge = (request: Request, maxBytes: number): boolean => Number(request.headers.get("content-length") ?? 0) > maxBytes;

/** The client's own request id when it is harmless, else a new one. */
export const requestIdOf = (request: Request, fresh: () => string): string => {
  const given = request.headers.get("x-request-id");
  return given !== null && /^[\w.:-]{8,128}$/.test(given) ? given : fresh();
};
