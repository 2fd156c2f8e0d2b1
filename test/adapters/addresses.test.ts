import { describe, expect, test } from "bun:test";
import { networkInterfaces } from "node:os";
import fc from "fast-check";
import { allowListOf, hostnameOf, isPublicAddress, ownAddresses } from "../../src/adapters/http/addresses.ts";

const FORBIDDEN_V4 = [
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "100.64.0.0/10",
  "0.0.0.0/8",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

const bytesOf = (ip: number): number[] => [ip >>> 24, (ip >>> 16) & 255, (ip >>> 8) & 255, ip & 255];
const numberOf = (dotted: string): number => dotted.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
const octal = (part: number) => `0${part.toString(8)}`;
const hex = (part: number) => `0x${part.toString(16)}`;
const fullWidth = (text: string) => text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));

/** Every way known to us of writing an IPv4 address into a URL. */
const SPELLINGS: readonly ((ip: number) => string)[] = [
  (ip) => bytesOf(ip).join("."),
  (ip) => `${bytesOf(ip).join(".")}.`,
  (ip) => bytesOf(ip).map(octal).join("."),
  (ip) => bytesOf(ip).map(hex).join("."),
  (ip) => String(ip),
  octal,
  hex,
  (ip) => `${ip >>> 24}.${ip & 0xffffff}`,
  (ip) => `${hex(ip >>> 24)}.${(ip >>> 16) & 255}.${octal(ip & 0xffff)}`,
  (ip) => fullWidth(bytesOf(ip).join(".")),
  (ip) => encodeURIComponent(bytesOf(ip).join(".")).replaceAll(".", "%2E"),
  (ip) => `[::ffff:${bytesOf(ip).join(".")}]`,
  (ip) => `[::ffff:${(ip >>> 16).toString(16)}:${(ip & 0xffff).toString(16)}]`,
  (ip) => `[::${bytesOf(ip).join(".")}]`,
  (ip) => `[64:ff9b::${bytesOf(ip).join(".")}]`,
  (ip) => `[2002:${(ip >>> 16).toString(16)}:${(ip & 0xffff).toString(16)}::1]`,
];

const forbiddenIp = fc.constantFrom(...FORBIDDEN_V4).chain((range) => {
  const [network = "", bits] = range.split("/");
  return fc.nat({ max: 2 ** (32 - Number(bits)) - 1 }).map((offset) => numberOf(network) + offset);
});

describe("isPublicAddress", () => {
  test("GAP-C09 no private, loopback, link-local or reserved IPv4 address is public, however a URL spells it", () => {
    fc.assert(
      fc.property(forbiddenIp, fc.constantFrom(...SPELLINGS), (ip, spell) => {
        expect(isPublicAddress(hostnameOf(new URL(`https://${spell(ip)}:8443/hook`)))).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ["::", "unspecified"],
    ["::1", "loopback"],
    ["fe80::1", "link-local"],
    ["fec0::1", "site-local"],
    ["fd00:ec2::254", "unique local, a cloud's metadata"],
    ["ff02::1", "multicast"],
    ["2001:db8::1", "documentation"],
    ["2001:2::1", "benchmarking"],
    ["100::1", "discard"],
    ["64:ff9b:1::808:808", "local NAT64"],
    ["2001:0:5db8:d822::f7f7:f7f7", "Teredo, though it leads to a public address"],
    ["2002:808:808::1", "6to4, though it leads to a public address"],
    ["::8.8.8.8", "IPv4-compatible"],
    ["4000::1", "not assigned"],
    ["192.0.2.1", "documentation"],
    ["198.51.100.1", "documentation"],
    ["203.0.113.1", "documentation"],
    ["198.18.0.1", "benchmarking"],
    ["192.88.99.1", "6to4 relay"],
    ["255.255.255.255", "broadcast"],
    ["1", "not an address in its plain form"],
    ["", "nothing"],
    ["example.com", "a name"],
  ])("GAP-C09 %s is not public: %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each([
    "8.8.8.8",
    "93.184.216.34",
    "172.15.255.255",
    "172.32.0.0",
    "2606:4700::1111",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
  ])("GAP-C09 %s is public", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe("ownAddresses", () => {
  test("GAP-C09 every address of this machine is its own, mapped into IPv6 as well, and a stranger's is not", () => {
    const isOwn = ownAddresses();
    const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    expect(own.length).toBeGreaterThan(0);
    for (const { address, family } of own) {
      expect(isOwn(address)).toBe(true);
      if (family === "IPv4") expect(isOwn(`::ffff:${address}`)).toBe(true);
    }
    expect(isOwn("93.184.216.34")).toBe(false);
  });
});

describe("allowListOf", () => {
  test("GAP-C09 names match whole and in lower case, addresses by CIDR or one by one, mapped ones as what they lead to", () => {
    const allow = allowListOf(["Hooks.Internal", " 10.1.0.0/16", "192.168.7.7", "fd00::/8", "::1", "[::2]"]);
    expect(["hooks.internal", "a.hooks.internal", "internal"].map(allow.hasName)).toEqual([true, false, false]);
    const inside = ["10.1.255.255", "::ffff:10.1.2.3", "192.168.7.7", "fd12::1", "::1", "::2"];
    const outside = ["10.2.0.0", "192.168.7.8", "fe80::1", "::3", "2002:a01:203::1", "hooks.internal", "nonsense"];
    expect(inside.filter(allow.hasAddress)).toEqual(inside);
    expect(outside.filter(allow.hasAddress)).toEqual([]);
  });

  test.each([
    "10.0.0.0/33",
    "fd00::/129",
    "hooks.internal:8080",
    "https://hooks.internal",
    "hooks.internal/path",
    "user@hooks.internal",
    "two words",
    "",
  ])("GAP-C09 an entry that cannot be honoured is refused: %p", (entry) => {
    expect(() => allowListOf([entry])).toThrow("neither a host name nor an address nor a CIDR");
  });
});
