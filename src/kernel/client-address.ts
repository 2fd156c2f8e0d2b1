import { isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

type Ip = ipaddr.IPv4 | ipaddr.IPv6;

/** The bits of an IPv6 address that name a network. One host has all addresses of its network at its disposal. */
const NETWORK_BITS = 64;

/** The ranges of IPv6 whose last four bytes are an IPv4 address. */
const HOLDS_IPV4 = ["ipv4Mapped", "rfc6052"];

/** An address as what it leads to, without its zone. Undefined for a text that is no address. */
const parse = (text: string): Ip | undefined => {
  const [bare = ""] = text.split("%", 1);
  if (isIPv4(bare)) return ipaddr.IPv4.parse(bare);
  if (isIP(bare) !== 6) return undefined;
  const ip = ipaddr.IPv6.parse(bare);
  return HOLDS_IPV4.includes(ip.range()) ? new ipaddr.IPv4(ip.toByteArray().slice(12)) : ip;
};

/** By what an address is counted wherever a limit goes by addresses: an IPv4 address whole, an IPv6 address by its /64. What is no address counts as one. */
export const sourceOf = (address: string): string => {
  const ip = parse(address);
  if (!ip) return "unknown";
  return "parts" in ip ? `${ipaddr.IPv6.networkAddressFromCIDR(`${ip.toString()}/${NETWORK_BITS}`).toString()}/${NETWORK_BITS}` : ip.toString();
};

/** Whether a text is an address, without a zone, or a CIDR (`10.0.0.0/8`, `2001:db8::1`). */
export const isNetwork = (text: string): boolean => {
  const [address = "", bits, ...rest] = text.split("/");
  if (isIP(address) === 0 || address.includes("%") || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128));
};

/** Tells whether an address is in one of the given ranges, each an address or a CIDR; an IPv4 address in its IPv6 form counts as what it is. */
export const rangesOf = (entries: readonly string[]): ((address: string) => boolean) => {
  const ranges = entries.map((entry) => (entry.includes("/") ? ipaddr.parseCIDR(entry) : ipaddr.parseCIDR(`${entry}/${isIPv4(entry) ? 32 : 128}`)));
  return (address) => {
    const ip = parse(address);
    return ip !== undefined && ranges.some(([network, bits]) => ip.kind() === network.kind() && ip.match(network, bits));
  };
};

/** The address in one entry of X-Forwarded-For, without its port and brackets. Undefined for an entry that holds none. */
const addressIn = (entry: string): string | undefined => {
  const text = entry.trim();
  const [, bracketed, beforePort] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  return parse(bracketed ?? beforePort ?? text)?.toString();
};

/**
 * Who sent a request that came from `peer`: the first address, from the right of X-Forwarded-For, that is no trusted proxy. What stands left of it
 * was written by the client. An entry that is no address ends the search at the proxy that wrote it.
 */
export const clientAddress = (peer: string, forwardedFor: string | null, isTrusted: (address: string) => boolean): string => {
  let client = parse(peer)?.toString() ?? "unknown";
  for (const entry of (forwardedFor ?? "").split(",").toReversed()) {
    const before = isTrusted(client) ? addressIn(entry) : undefined;
    if (before === undefined) break;
    client = before;
  }
  return client;
};
