import { isIP, isIPv4 } from "node:net";
import { networkInterfaces } from "node:os";
import { dns } from "bun";
import ipaddr from "ipaddr.js";
import { SPECIAL_RANGES } from "./special-ranges.ts";

type Ip = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [Ip, number];

/** The names and addresses that the operator lets outbound requests reach although they are not public. */
export type AllowList = { hasName: (hostname: string) => boolean; hasAddress: (address: string) => boolean };

/** Every address of a name. Rejects when there is none. */
export type Resolve = (hostname: string) => Promise<string[]>;

const NAT64: Range = [ipaddr.parse("64:ff9b::"), 96];
const GLOBAL_UNICAST: Range = [ipaddr.parse("2000::"), 3];
const NOT_PUBLIC: readonly Range[] = SPECIAL_RANGES.map(([range]) => ipaddr.parseCIDR(range));
const OWN_ADDRESSES_LIFE_MS = 10_000;

const isIn = (ip: Ip, [network, bits]: Range): boolean => ip.kind() === network.kind() && ip.match(network, bits);

const wholeOf = (ip: Ip): Range => [ip, ip.kind() === "ipv4" ? 32 : 128];

/** The IPv4 address that an IPv4-mapped or NAT64 address really leads to, else the address itself. 6to4 and Teredo stay what they are: tunnels, and not public. */
const unwrap = (ip: Ip): Ip => (!("parts" in ip) || !(ip.isIPv4MappedAddress() || isIn(ip, NAT64)) ? ip : new ipaddr.IPv4(ip.toByteArray().slice(12)));

/** The host of a URL as names are compared and resolved: without the brackets of IPv6 and without a trailing dot. */
export const hostnameOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.+$/, "");

/** An address as what it leads to; undefined for what is none. */
const parse = (address: string): Ip | undefined => {
  if (isIPv4(address)) return ipaddr.IPv4.parse(address);
  // in URL's form, because ipaddr.js takes ::8.8.8.8 for the mapped ::ffff:8.8.8.8
  const url = isIP(address) === 6 ? URL.parse(`http://[${address}]`) : null;
  return url ? unwrap(ipaddr.IPv6.parse(hostnameOf(url))) : undefined;
};

const entryOf = (entry: string): Range | string => {
  const text = entry.trim();
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const url = URL.parse(`http://${ipaddr.IPv6.isValid(text) ? `[${text}]` : text}`);
  // a port, a path, userinfo or a mistyped CIDR: nothing that could be honoured
  if (!url || url.href !== `http://${url.hostname}/`) throw new Error(`"${entry}" is neither a host name nor an address nor a CIDR`);
  const hostname = hostnameOf(url);
  const ip = parse(hostname);
  return ip ? wholeOf(ip) : hostname;
};

/** Reads the operator's list of host names, addresses and CIDRs. Throws for an entry that is none of them. */
export const allowListOf = (entries: readonly string[]): AllowList => {
  const read = entries.map(entryOf);
  const names = new Set(read.filter((entry) => typeof entry === "string"));
  const ranges = read.filter((entry) => typeof entry !== "string");
  return {
    hasName: (hostname) => names.has(hostname),
    hasAddress: (address) => {
      const ip = parse(address);
      return ip !== undefined && ranges.some((range) => isIn(ip, range));
    },
  };
};

/** True for an address of the public Internet; false for every special-purpose range and for what is no address at all. */
export const isPublicAddress = (address: string): boolean => {
  const ip = parse(address);
  if (ip === undefined || NOT_PUBLIC.some((range) => isIn(ip, range))) return false;
  return ip.kind() === "ipv4" || isIn(ip, GLOBAL_UNICAST);
};

const readOwnAddresses = (): Set<string> => {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return new Set(all.map(({ address }) => parse(address)?.toString() ?? address));
};

/** Tells whether an address is one of this machine's own. What the machine says is believed for ten seconds. */
export const ownAddresses = (): ((address: string) => boolean) => {
  let own = new Set<string>();
  let readAtMs = Number.NEGATIVE_INFINITY;
  return (address) => {
    if (performance.now() - readAtMs > OWN_ADDRESSES_LIFE_MS) {
      own = readOwnAddresses();
      readAtMs = performance.now();
    }
    return own.has(parse(address)?.toString() ?? address);
  };
};

/** True for names that never leave this machine or this link, whatever a resolver says of them. */
export const isLinkName = (hostname: string): boolean => /\.(local|localhost)$/.test(hostname);

/** True for names that no public name server knows: those without a dot, and those of the domains that are set aside for private networks. */
export const isPrivateName = (hostname: string): boolean => !hostname.includes(".") || /\.(local|localhost|internal|home\.arpa)$/.test(hostname);

/**
 * The addresses of a name, by c-ares. Not by node:dns: in Bun that is getaddrinfo on a pool of very few threads, where
 * the names of one hostile name server held up every other name for 40 seconds.
 */
export const resolveName: Resolve = async (hostname) => (await dns.lookup(hostname, { backend: "c-ares" })).map(({ address }) => address);
