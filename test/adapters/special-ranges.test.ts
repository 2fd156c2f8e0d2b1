import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { isPublicAddress } from "../../src/adapters/http/addresses.ts";
import { SPECIAL_RANGES } from "../../src/adapters/http/special-ranges.ts";

/**
 * From https://www.iana.org/assignments/iana-ipv4-special-registry and …/iana-ipv6-special-registry: what is not
 * globally reachable; beside it multicast, tunnels and clouds' own addresses.
 */
const REFUSED =
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
   192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4 255.255.255.255/32 224.0.0.0/4 168.63.129.16/32 100.100.100.200/32
   192.0.0.192/32 ::1/128 ::/128 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001::/32 2001:2::/48
   2001:10::/28 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8
   3ffe::/16 fd00:ec2::254/128 ::ffff:10.0.0.0/104 ::ffff:168.63.129.16/128 64:ff9b::a9fe:a9fe/128`.split(/\s+/);

/** An address as a number, and back. */
const toNumber = (address: string): bigint =>
  ipaddr
    .parse(address)
    .toByteArray()
    .reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
const toAddress = (value: bigint, bits: 32 | 128): string =>
  ipaddr
    .fromByteArray(Array.from({ length: bits / 8 }, (_, at) => Number((value >> BigInt(bits - 8 * (at + 1))) & 255n)))
    .toString();

const edgesOf = (range: string) => {
  const [address = "", length = ""] = range.split("/");
  const bits = ipaddr.parse(address).kind() === "ipv4" ? 32 : 128;
  const size = 1n << BigInt(bits - Number(length));
  const first = (toNumber(address) / size) * size;
  return { bits, first, last: first + size - 1n } as const;
};

describe("a range that is not of the public Internet", () => {
  test.each([...REFUSED, ...SPECIAL_RANGES.map(([range]) => range)])(
    "GAP-C09 %s is refused from its first address to its last",
    (range) => {
      const { bits, first, last } = edgesOf(range);
      fc.assert(
        fc.property(fc.oneof(fc.constant(first), fc.constant(last), fc.bigInt(first, last)), (value) => {
          expect([toAddress(value, bits), isPublicAddress(toAddress(value, bits))]).toEqual([
            toAddress(value, bits),
            false,
          ]);
        }),
        { numRuns: 200 },
      );
    },
  );

  test("GAP-C09 what lies beside a range and in no other is public: a range is refused no further than it reaches", () => {
    const ranges = SPECIAL_RANGES.map(([range]) => edgesOf(range));
    const isListed = (bits: 32 | 128, value: bigint) =>
      ranges.some((one) => one.bits === bits && one.first <= value && value <= one.last);
    const beside = ranges.flatMap(({ bits, first, last }) => [first - 1n, last + 1n].map((value) => ({ bits, value })));
    const open = beside.filter(
      ({ bits, value }) =>
        value >= 0n && value < 1n << BigInt(bits) && !isListed(bits, value) && (bits === 32 || value >> 125n === 1n),
    );
    expect(open.length).toBeGreaterThan(25);
    expect(
      open.map(({ bits, value }) => toAddress(value, bits)).filter((address) => !isPublicAddress(address)),
    ).toEqual([]);
  });
});
