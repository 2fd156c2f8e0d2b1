import { networkInterfaces } from "node:os";
import { dns } from "bun";
import { isNetwork, parseAddress, rangesOf } from "../../kernel/network/networks.ts";
import { SPECIAL_RANGES } from "./special-ranges.ts";

/** Names and addresses that outbound requests may reach although they are not public, as the operator has set. */
export type AllowList = { hasName: (hostname: string) => boolean; hasAddress: (address: string) => boolean };

/** Every address of a name. Rejects when there is none. */
export type Resolve = (hostname: string) => Promise<string[]>;

const isGlobalUnicast = rangesOf(["2000::/3"]);
const isSpecial = rangesOf(SPECIAL_RANGES.map(([range]) => range));
const OWN_ADDRESSES_TTL_MS = 10_000;

/** The host of a URL as names are compared and resolved: without the brackets of IPv6 and without a trailing dot. */
export const hostnameOf = (url: URL): string => {
  const name = url.hostname.replace(/^\[(.*)\]$/, "$1");
  let end = name.length; // a pattern would look at each dot of many again and again
  while (name[end - 1] === ".") end -= 1;
  return name.slice(0, end);
};

type Entry = { name: string } | { network: string };

const entryOf = (entry: string): Entry => {
  const text = entry.trim();
  if (isNetwork(text)) return { network: text };
  const url = URL.parse(`http://${text}`);
  // a port, a path, userinfo or a mistyped CIDR cannot be matched
  if (!url || url.href !== `http://${url.hostname}/`)
    throw new Error(`"${entry}" is neither a host name nor an address nor a CIDR`);
  const hostname = hostnameOf(url);
  return isNetwork(hostname) ? { network: hostname } : { name: hostname };
};

/** Reads the operator's list of host names, addresses and CIDRs. Throws for any other entry. */
export const allowListOf = (entries: readonly string[]): AllowList => {
  const read = entries.map(entryOf);
  const names = new Set(read.flatMap((entry) => ("name" in entry ? [entry.name] : [])));
  return {
    hasName: (hostname) => names.has(hostname),
    hasAddress: rangesOf(read.flatMap((entry) => ("network" in entry ? [entry.network] : []))),
  };
};

/** True for an address of the public Internet; false for special-purpose ranges and for any other text. */
export const isPublicAddress = (address: string): boolean => {
  const ip = parseAddress(address);
  return ip !== undefined && !isSpecial(address) && (ip.kind() === "ipv4" || isGlobalUnicast(address));
};

const readOwnAddresses = (): Set<string> => {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return new Set(all.map(({ address }) => parseAddress(address)?.toString() ?? address));
};

/** Whether an address is one of this machine's own. The list of addresses is cached for 10 s. */
export const ownAddresses = (): ((address: string) => boolean) => {
  let own = new Set<string>();
  let readAtMs = Number.NEGATIVE_INFINITY;
  return (address) => {
    if (performance.now() - readAtMs > OWN_ADDRESSES_TTL_MS) {
      own = readOwnAddresses();
      readAtMs = performance.now();
    }
    return own.has(parseAddress(address)?.toString() ?? address);
  };
};

/**
 * True for names that are resolved on this machine or this link only (RFC 6762, RFC 6761), whatever a resolver says.
 */
export const isLinkName = (hostname: string): boolean => /\.(local|localhost)$/.test(hostname);

/**
 * True for names that no public name server knows: those without a dot, and those below the domains for private
 * networks (RFC 6762, RFC 6761, RFC 8375).
 */
export const isPrivateName = (hostname: string): boolean =>
  !hostname.includes(".") || /\.(local|localhost|internal|home\.arpa)$/.test(hostname);

/**
 * The addresses of a name, by c-ares. In Bun node:dns is getaddrinfo on a pool of very few threads, where the names of
 * one hostile name server delayed every other name by 40 s.
 */
export const resolveName: Resolve = async (hostname) =>
  (await dns.lookup(hostname, { backend: "c-ares" })).map(({ address }) => address);
