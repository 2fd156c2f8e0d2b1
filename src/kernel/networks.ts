import { isIP } from "node:net";

/** Whether a text names an address or a range of them (`10.0.0.0/8`, `2001:db8::1`). An address with a zone is none: it means something on one machine alone. */
export const isNetwork = (text: string): boolean => {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || address.includes("%")) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
};
