import { expect, test } from "bun:test";
import { sourceOf } from "../../src/kernel/client-address.ts";

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::1%eth0", "2001:db8:1:2::/64"],
  ["unknown", "unknown"],
  ["", "unknown"],
])("limits count %s as %s", (address, source) => expect(sourceOf(address)).toBe(source));
