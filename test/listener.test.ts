import { expect, test } from "bun:test";
import { manualClock } from "../src/conformance/manual-clock.ts";
import { listen } from "../src/listener.ts";

const at = (host: string, port: number) =>
  listen({ host, port, isTrusted: () => false }, () => async () => new Response(), manualClock());

const refusalAt = (host: string, port: number): string => {
  try {
    at(host, port);
  } catch (error) {
    return String(error);
  }
  return "";
};

test("an address that cannot be listened on is refused with the setting's name and what to do", async () => {
  const first = at("127.0.0.1", 0);
  expect(refusalAt("127.0.0.1", first.port)).toContain(
    `RECADO_LISTEN=127.0.0.1:${first.port}: another program listens there already`,
  );
  expect(refusalAt("203.0.113.7", 18_080)).toContain(
    "RECADO_LISTEN=203.0.113.7:18080: this machine has no such address",
  );
  await first.stop(1000);
});
