import { expect, test } from "bun:test";
import { MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { unpairedChannel } from "../../../support/session/unpaired.ts";
import { untilTrue } from "../../../support/waiting.ts";

const channel = unpairedChannel();

test("a pairing says why no code comes, for both ways, and no longer once there is one", async () => {
  const { link, net, qr, pass } = channel();
  const heal = net.faults.failLogin({ reason: "500" });
  link.pairing.qr();
  link.connect();
  await untilTrue(() => link.pairing.hint?.("qr") !== undefined);
  expect(link.pairing.hint?.("qr")).toEqual({ code: "NETWORK_NOT_REACHED" });
  expect(link.pairing.hint?.("code")).toEqual({ code: "NETWORK_NOT_REACHED" });
  heal();
  await pass();
  await qr();
  expect(link.pairing.hint?.("qr")).toBeUndefined();
});

test("a network that is out of order is named so, not as one that was not reached", async () => {
  const { link, net } = channel();
  net.faults.failLogin({ reason: "503" }, { times: 1 });
  link.pairing.qr();
  link.connect();
  await untilTrue(() => link.pairing.hint?.("qr")?.code === "NETWORK_DOWN");
});

test("a failure from before the session idled is not shown to the person who asks next", async () => {
  const { link, net, qr, host, pass } = channel();
  const heal = net.faults.failLogin({ reason: "500" });
  link.pairing.qr();
  link.connect();
  await untilTrue(() => link.pairing.hint?.("qr") !== undefined);
  await pass(6 * MINUTE_MS);
  await untilTrue(() => host.clock.pendingTimers === 0);
  heal();
  expect(link.pairing.qr()).toBeUndefined();
  expect(link.pairing.hint?.("qr")).toBeUndefined();
  await qr();
});
