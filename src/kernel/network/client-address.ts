import ipaddr from "ipaddr.js";
import { parseAddress } from "./networks.ts";

/** The length of an IPv6 network's prefix. One host may use every address of its network. */
const NETWORK_BITS = 64;

/**
 * The key by which limits count an address: an IPv4 address itself, an IPv6 address's /64 network. All invalid
 * addresses count as one.
 */
export const sourceOf = (address: string): string => {
  const ip = parseAddress(address);
  if (!ip) return "unknown";
  return "parts" in ip
    ? `${ipaddr.IPv6.networkAddressFromCIDR(`${ip.toString()}/${NETWORK_BITS}`).toString()}/${NETWORK_BITS}`
    : ip.toString();
};

/**
 * The address in one entry of X-Forwarded-For, without port and brackets. Undefined for an entry without an address.
 */
const addressIn = (entry: string): string | undefined => {
  const text = entry.trim();
  const [, bracketed, beforePort] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  return parseAddress(bracketed ?? beforePort ?? text)?.toString();
};

/**
 * The client's address for a request from `peer`: the first one, from the right of X-Forwarded-For, that is no trusted
 * proxy. Entries further left may be forged by the client. An invalid entry ends the search at the proxy that wrote it.
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
