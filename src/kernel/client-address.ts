import { isIP } from "node:net";

/** The bits of an IPv6 address that name a network. One host has all addresses of its network at its disposal. */
const NETWORK_BITS = 64;

/** By what an address is counted wherever a limit goes by addresses: an IPv4 address whole, an IPv6 address by its /64. What is no address counts as one. */
export const sourceOf = (address: string): string => {
  const [bare = ""] = address.split("%", 1);
  if (isIP(bare) === 4) return bare;
  const host = isIP(bare) === 6 ? URL.parse(`http://[${bare}]`)?.hostname.slice(1, -1) : undefined;
  if (host === undefined) return "unknown";
  const [before = [], after = []] = host.split("::").map((part) => part.split(":").filter(Boolean));
  const all = host.includes("::") ? [...before, ...Array<string>(8 - before.length - after.length).fill("0"), ...after] : before;
  if (all.slice(0, 5).every((group) => group === "0") && all[5] === "ffff") {
    const [high = 0, low = 0] = all.slice(6).map((group) => Number.parseInt(group, 16));
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  }
  return `${all.slice(0, NETWORK_BITS / 16).join(":")}::/${NETWORK_BITS}`;
};
