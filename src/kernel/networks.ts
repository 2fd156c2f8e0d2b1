import { BlockList, isIP } from "node:net";

type Family = "ipv4" | "ipv6";
type Network = { address: string; bits: number; family: Family };

const networkOf = (text: string): Network | undefined => {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || address.includes("%")) return undefined;
  const most = version === 4 ? 32 : 128;
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)) return undefined;
  return { address, bits: bits === undefined ? most : Number(bits), family: version === 4 ? "ipv4" : "ipv6" };
};

/** Whether a text names an address or a range of them (`10.0.0.0/8`, `2001:db8::1`). */
export const isNetwork = (text: string): boolean => networkOf(text) !== undefined;

/** Whether an address lies in one of these networks; an IPv4 address in its IPv6 form counts as what it is. False for what is no address. */
export const isWithinNetworks = (address: string, networks: readonly string[]): boolean => {
  const version = isIP(address);
  if (version === 0) return false;
  const list = new BlockList();
  for (const network of networks.flatMap((text) => networkOf(text) ?? [])) list.addSubnet(network.address, network.bits, network.family);
  return list.check(address, version === 4 ? "ipv4" : "ipv6");
};
