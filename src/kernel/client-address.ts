import ipaddr from "ipaddr.js";
import { parseAddress } from "./networks.ts";

/** The bits of an IPv6 address that name a network. One host has all addresses of its network at its disposal. */
const NETWORK_BITS = 64;

/**
 * By what an address is counted wherever a limit goes by addresses: an IPv4 address whole, an IPv6 address by its /64.
 * What is no address counts as one.
 */
export const sourceOf = (address: string): string => {
  const ip = parseAddress(address);
  if (!ip) return "unknown";
  return "parts" in ip
    ? `${ipaddr.IPv6.networkAddressFromCIDR(`${ip.toString()}/${NETWORK_BITS}`).toString()}/${NETWORK_BITS}`
    : ip.toString();
};

/**
 * The address in one entry of X-Forwarded-For, without its port and brackets. Undefined for an entry that holds none.
 */
const addressIn = (entry: string): string | undefined => {
  const text = entry.trim();
  const [, bracketed, beforePort] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  return parseAddress(bracketed ?? beforePort ?? text)?.toString();
};

/**
 * Who sent a request that came from `peer`: the first address, from the right of X-Forwarded-For, that is no trusted
 * proxy. What stands left of it was written by the client. An entry that is no address ends the search at the proxy
 * that wrote it.
 */
export const clientAddress = (
  peer: string,
  forwardedFor: string | null,
  isTrusted: (address: string) => boolean,
): string => {
  let client = parseAddress(peer)?.toString() ?? "unknown";
  for (const entry of (forwardedFor ?? "").split(",").toReversed()) {
    const before = isTrusted(client) ? addressIn(entry) : undefined;
    if (before === undefined) break;
    client = before;
  }
  return client;
};
