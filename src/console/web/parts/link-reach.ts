/** Names that only one network knows (RFC 6762, RFC 8375), and names without a dot. */
const PRIVATE_NAME = /^[^.]+$|\.(local|internal|lan|home\.arpa)$/;
/** RFC 1918, RFC 3927 and RFC 6598, in the spelling of URLs. */
const PRIVATE_IPV4 = /^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$/;
/** RFC 4193 and RFC 4291. */
const PRIVATE_IPV6 = /^\[(f[cd]|fe[89ab])/;

/** Who can open a link: only this computer, only computers of the same network, or everybody. */
export const reachOf = (link: string): "computer" | "network" | "everybody" => {
  const hostname = URL.parse(link)?.hostname ?? "";
  if (/^(127\.[\d.]+|\[::1\]|(.+\.)?localhost)$/.test(hostname)) return "computer";
  const isV6 = hostname.startsWith("[");
  const isPrivate = isV6 ? PRIVATE_IPV6.test(hostname) : PRIVATE_NAME.test(hostname) || PRIVATE_IPV4.test(hostname);
  return isPrivate ? "network" : "everybody";
};
