/**
 * TABLE: addresses that are not part of the public Internet, and why. Ranges of IANA's registries that are not globally
 * reachable or are tunnels: https://www.iana.org/assignments/iana-ipv4-special-registry and
 * https://www.iana.org/assignments/iana-ipv6-special-registry (2026-11). Then multicast, returned ranges, and addresses
 * that clouds serve inside every machine. A range is refused whole, even if the registry has exceptions inside it.
 * IPv6 outside of 2000::/3 is refused elsewhere.
 */
export const SPECIAL_RANGES: readonly (readonly [range: string, why: string])[] = [
  ["0.0.0.0/8", "this network"],
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "shared by a provider's customers; holds 100.100.100.200, the metadata of Alibaba Cloud"],
  ["127.0.0.0/8", "loopback"],
  ["169.254.0.0/16", "link-local; holds 169.254.169.254, the metadata of most clouds"],
  ["172.16.0.0/12", "private"],
  ["192.0.0.0/24", "protocol assignments; holds 192.0.0.192, the metadata of Oracle Cloud"],
  ["192.0.2.0/24", "documentation"],
  ["192.31.196.0/24", "AS112"],
  ["192.52.193.0/24", "automatic multicast tunnelling"],
  ["192.88.99.0/24", "6to4 relays"],
  ["192.168.0.0/16", "private"],
  ["192.175.48.0/24", "AS112"],
  ["198.18.0.0/15", "benchmarking"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["224.0.0.0/4", "multicast"],
  ["240.0.0.0/4", "reserved, and broadcast"],
  ["168.63.129.16/32", "the platform of Azure"],
  ["2001::/23", "protocol assignments: Teredo, benchmarking, ORCHID and others"],
  ["2001:db8::/32", "documentation"],
  ["2002::/16", "6to4"],
  ["2620:4f:8000::/48", "AS112"],
  ["3ffe::/16", "6bone, given back"],
  ["3fff::/20", "documentation"],
];
