import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { clientAddress, sourceOf } from "../../../src/kernel/network/client-address.ts";
import { rangesOf } from "../../../src/kernel/network/networks.ts";

const isTrusted = rangesOf(["127.0.0.0/8", "::1", "10.1.0.0/16", "fd00::/8"]);

describe("the client of a request", () => {
  test.each<[what: string, peer: string, forwardedFor: string | null, client: string]>([
    ["nobody is believed who is no trusted proxy", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["a proxy that says nothing is the client", "127.0.0.1", null, "127.0.0.1"],
    ["the address that the proxy has added last", "127.0.0.1", "198.51.100.66, 198.51.100.1", "198.51.100.1"],
    [
      "several trusted proxies are walked through",
      "127.0.0.1",
      "198.51.100.66, 198.51.100.1, 10.1.2.3, fd00::7",
      "198.51.100.1",
    ],
    [
      "the search ends at the first untrusted address, whatever stands left of it",
      "10.1.0.1",
      "10.1.0.2, 203.0.113.5, 10.1.0.3",
      "203.0.113.5",
    ],
    ["a chain of trusted ones alone leads to its beginning", "127.0.0.1", "10.1.0.2, 10.1.0.3", "10.1.0.2"],
    ["a port is cut", "127.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
    ["brackets are cut, with a port", "::1", "[2001:db8::7]:4711", "2001:db8::7"],
    ["and without one", "::1", "[2001:DB8:0::7]", "2001:db8::7"],
    ["an IPv4-mapped address is the IPv4 address", "::ffff:127.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"],
    ["a zone is cut", "fe80::1%eth0", null, "fe80::1"],
    ["an entry that is no address ends the search at its proxy", "127.0.0.1", "198.51.100.1, unknown", "127.0.0.1"],
    ["also far down the chain", "127.0.0.1", "198.51.100.1, _hidden, 10.1.2.3", "10.1.2.3"],
    ["an empty header says nothing", "127.0.0.1", " , ", "127.0.0.1"],
    ["a number is no address", "127.0.0.1", "1", "127.0.0.1"],
  ])("%s", (_, peer, forwardedFor, client) => {
    expect(clientAddress(peer, forwardedFor, isTrusted)).toBe(client);
  });

  test("is an address of at most 200 characters, or unknown, whatever a header says", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 2000 }),
        fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ maxLength: 300 })), { maxLength: 8 }),
        (peer, hops) => {
          for (const from of [peer, "127.0.0.1"]) {
            const client = clientAddress(from, hops.join(", "), isTrusted);
            expect(client.length).toBeLessThanOrEqual(45);
            expect(client === "unknown" || /^[0-9a-f.:]+$/.test(client)).toBe(true);
          }
        },
      ),
    );
  });
});

describe("what an address is counted by", () => {
  test.each([
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["64:ff9b::203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2:ffff:ffff:ffff:ffff%eth0", "2001:db8:1:2::/64"],
    ["2001:db8:1:3::1", "2001:db8:1:3::/64"],
    ["unknown", "unknown"],
    ["", "unknown"],
    ["1", "unknown"],
  ])("%s: %s", (address, source) => {
    expect(sourceOf(address)).toBe(source);
  });
});
