import { isIP, type LookupFunction } from "node:net";

/** The destination of a request. It connects only to these addresses, whatever the host name resolves to. */
export type Destination = { url: URL; hostname: string; addresses: readonly string[] };

// shorter than the idle time of common servers (5 s and more), which could close a connection while we write to it
export const IDLE_MS = 4000;
export const MAX_IDLE_PER_POOL = 64;
export const MAX_IDLE_POOLS = 256;
export const MAX_IDLE = 1024;
// a hostile name may have thousands of addresses
const MAX_ADDRESSES = 4;

/** Connects to these addresses instead of resolving the name. */
const lookupIn = (addresses: readonly string[]): LookupFunction => {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, done) =>
    options.all ? done(null, found) : done(null, found[0]?.address ?? "", found[0]?.family);
};

/** How to connect to a destination: to its first four addresses. */
export const connectOptionsOf = ({ url, hostname, addresses }: Destination) => ({
  host: hostname,
  port: Number(url.port) || (url.protocol === "https:" ? 443 : 80),
  lookup: lookupIn(addresses.slice(0, MAX_ADDRESSES)),
});

/** A connection is reused only for the same scheme and host and the same checked addresses. */
export const poolKeyOf = ({ url, addresses }: Destination): string =>
  `${url.protocol}${url.host}|${addresses.length === 1 ? addresses[0] : addresses.slice(0, MAX_ADDRESSES).toSorted().join()}`;
