import { describe, expect, test } from "bun:test";
import { isNetwork, rangesOf } from "../../../src/kernel/network/networks.ts";

describe("a network", () => {
  test.each(["10.0.0.0/8", "203.0.113.9", "2001:db8::/32", "2001:DB8::1", "::ffff:10.0.0.0/104", "0.0.0.0/0", "::/0"])(
    "%s is one",
    (text) => {
      expect(isNetwork(text)).toBe(true);
    },
  );

  test.each([
    "",
    "example.com",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
    "10.0.0.0/",
    "010.0.0.1",
    "10.0.0",
    "fe80::1%eth0",
    "::/129",
    "[::1]",
  ])("%p is none", (text) => {
    expect(isNetwork(text)).toBe(false);
    expect(rangesOf([text])("10.0.0.1")).toBe(false);
  });

  test.each<[network: string, holds: string, not: string]>([
    ["10.0.0.0/8", "10.255.0.1", "11.0.0.1"],
    ["10.0.0.0/8", "::ffff:10.0.0.1", "::ffff:11.0.0.1"],
    ["10.0.0.0/8", "64:ff9b::10.0.0.1", "2002:a00:1::"],
    ["10.0.0.0/8", "10.0.0.1%eth0", "::10.0.0.1"],
    ["::ffff:10.0.0.0/104", "10.0.0.1", "11.0.0.1"],
    ["::ffff:10.0.0.1", "10.0.0.1", "10.0.0.2"],
    ["64:ff9b::10.0.0.1", "10.0.0.1", "10.0.0.2"],
    ["2001:db8::/32", "2001:db8:1::1", "2001:db9::1"],
    ["0.0.0.0/0", "203.0.113.9", "2001:db8::1"],
    ["::/0", "2001:db8::1", "203.0.113.9"],
  ])("%s holds %s and not %s", (network, holds, not) => {
    expect([holds, not].map(rangesOf([network]))).toEqual([true, false]);
  });

  test("of the NAT64 prefix as a whole does not stand for all of IPv4", () => {
    expect(rangesOf(["64:ff9b::/96"])("10.0.0.1")).toBe(false);
  });
});
