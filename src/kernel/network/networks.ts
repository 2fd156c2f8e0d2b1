import { isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

type Ip = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [network: Ip, bits: number];

/** The number of bits before the IPv4 address inside an IPv6 address. */
const BEFORE_IPV4 = 96;
const NAT64 = ipaddr.IPv6.parse("64:ff9b::");

/** Whether the last four bytes are the effective IPv4 address. 6to4 and Teredo are tunnels and stay as they are. */
const holdsIpv4 = (ip: Ip): boolean => "parts" in ip && (ip.isIPv4MappedAddress() || ip.match(NAT64, BEFORE_IPV4));

/** A parsed address as it is written, without its zone. Undefined for an invalid address. */
const written = (text: string): Ip | undefined => {
  const [bare = ""] = text.split("%", 1);
  if (isIPv4(bare)) return ipaddr.IPv4.parse(bare);
  // in URL's form, because ipaddr.js takes ::8.8.8.8 for the mapped ::ffff:8.8.8.8
  const url = isIP(bare) === 6 ? URL.parse(`http://[${bare}]`) : null;
  return url ? ipaddr.IPv6.parse(url.hostname.slice(1, -1)) : undefined;
};

const heldIn = (ip: Ip): ipaddr.IPv4 => new ipaddr.IPv4(ip.toByteArray().slice(12));

/** Addresses that were parsed. Every request has its own parsed several times, and few addresses send most requests. */
const parsed = new Map<string, Ip | undefined>();
/** Above this number all are removed, so that many different addresses cannot fill the memory. */
const MAX_PARSED = 1000;
/** The longest address is shorter; a header may have a longer text in its place. */
const MAX_LENGTH = 64;

/**
 * The effective address of a text, without its zone: an IPv4 address inside IPv6 becomes IPv4. Undefined for an invalid
 * address.
 */
export const parseAddress = (text: string): Ip | undefined => {
  if (parsed.has(text)) return parsed.get(text);
  const ip = written(text);
  const effective = ip && holdsIpv4(ip) ? heldIn(ip) : ip;
  if (parsed.size >= MAX_PARSED) parsed.clear();
  if (text.length <= MAX_LENGTH) parsed.set(text, effective);
  return effective;
};

const rangeOf = (text: string): Range | undefined => {
  const [address = "", bits, ...rest] = text.split("/");
  const ip = written(address);
  if (!ip || rest.length > 0 || address.includes("%")) return undefined;
  const most = ip.kind() === "ipv4" ? 32 : 128;
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)) return undefined;
  const length = bits === undefined ? most : Number(bits);
  // a range of the NAT64 prefix stays IPv6: as IPv4 it would cover every address
  const isHeld = length >= BEFORE_IPV4 && holdsIpv4(ip) && (length === 128 || ip.range() === "ipv4Mapped");
  return isHeld ? [heldIn(ip), length - BEFORE_IPV4] : [ip, length];
};

/** Whether a text is an address or a range of addresses (`10.0.0.0/8`, `2001:db8::1`). */
export const isNetwork = (text: string): boolean => rangeOf(text) !== undefined;

/**
 * A function that returns whether an address is in one of the networks. Invalid networks contain nothing; an invalid
 * address is in none.
 */
export const rangesOf = (networks: readonly string[]): ((address: string) => boolean) => {
  const ranges = networks.map(rangeOf).filter((range) => range !== undefined);
  if (ranges.length === 0) return () => false;
  return (address) => {
    const ip = parseAddress(address);
    return (
      ip !== undefined && ranges.some(([network, bits]) => ip.kind() === network.kind() && ip.match(network, bits))
    );
  };
};
