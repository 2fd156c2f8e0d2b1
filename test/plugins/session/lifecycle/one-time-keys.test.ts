import { describe, expect, test } from "bun:test";
import { SECOND_MS } from "../../../../src/kernel/clock.ts";
import { CONNECTED, type UnpairedChannel, unpairedChannel } from "../../../support/session/unpaired.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { type Stanza, stanza } from "../../../support/whatsapp/index.ts";

const channel = unpairedChannel();

const isAbout =
  (tag: string) =>
  ({ attrs, content }: Stanza): boolean =>
    attrs["xmlns"] === "encrypt" && Array.isArray(content) && content.some((inner) => inner.tag === tag);
const isUpload = isAbout("list");
const REFUSED = stanza("iq", { type: "error" }, [stanza("error", { code: "503", text: "service-unavailable" })]);

/** The upload of the keys is lost on its way. Resolves when it has been. */
const lostUpload = ({ net, phone }: UnpairedChannel) => {
  let isLost = false;
  const heal = net.faults.dropIq(
    (iq) => {
      if (!isUpload(iq)) return false;
      isLost = true;
      return true;
    },
    { phone },
  );
  return { heal, lost: () => untilTrue(() => isLost) };
};

/** The owner scans, and the session gets as far as the network lets it. */
const scanned = async ({ link, phone, qr }: UnpairedChannel) => {
  link.connect();
  await phone.scan(await qr());
};
/** The process dies: nothing is closed or written any more, and another one begins with what is on disk. */
const killed = async (all: UnpairedChannel) => {
  all.phone.cut();
  const closed = all.link.close();
  await all.pass(2 * SECOND_MS); // the wait for a goodbye
  await closed;
  await all.net.until(() => all.net.stat.connections === 0);
  return all.openAgain();
};

describe("a login is not CONNECTED before the one-time keys of the device are at the network", () => {
  test("which took the upload and has none of them: the login is tried again, and ends with keys", async () => {
    const all = channel();
    const { net, phone, host, reported, states } = all;
    const heal = net.faults.answerIq((iq) => (isUpload(iq) ? stanza("iq") : undefined), { phone });
    await scanned(all);
    await untilTrue(() => host.logLines.some((line) => line.includes("no one-time keys of this device")));
    expect([states(), phone.devices.map(({ preKeys }) => preKeys)]).toEqual([
      ["PENDING_QR", "CONNECTING"],
      [undefined],
    ]);
    heal();
    await all.pass(SECOND_MS);
    await reported(CONNECTED);
    expect([states(), net.stat.pairings]).toEqual([["PENDING_QR", "CONNECTING", "CONNECTED"], 1]);
    expect(phone.devices[0]?.preKeys).toBeGreaterThan(0);
  });

  test("which does not say how many it has", async () => {
    const all = channel();
    const { net, phone, host, reported, states } = all;
    net.faults.answerIq((iq) => (isAbout("count")(iq) ? REFUSED : undefined), { phone, times: 1 });
    await scanned(all);
    await untilTrue(() => host.logLines.some((line) => line.includes("no one-time keys of this device")));
    expect(states()).toEqual(["PENDING_QR", "CONNECTING"]);
    await all.pass(SECOND_MS);
    await reported(CONNECTED);
    expect(phone.devices[0]?.preKeys).toBeGreaterThan(0);
  });

  test("and an identity that has logged in before is connected even if the network does not say how many it has", async () => {
    const all = channel();
    await all.pair();
    all.net.faults.answerIq((iq) => (isAbout("count")(iq) || isAbout("digest")(iq) ? REFUSED : undefined));
    all.phone.cut();
    await all.reported({ state: "CONNECTING" });
    await all.pass(SECOND_MS);
    await all.reported(CONNECTED);
  });
});

describe("a process that dies while its phone is being linked", () => {
  test("between the pairing and the first login resumes with the same identity, and uploads its keys", async () => {
    const all = channel();
    all.net.faults.noRestart({ phone: all.phone });
    await scanned(all);
    await all.reported({ state: "CONNECTING" });
    expect([all.phone.devices[0]?.preKeys, all.net.stat.logins]).toEqual([undefined, 0]);
    const link = await killed(all);
    link.connect();
    await all.reported(CONNECTED);
    expect([all.net.stat.pairings, all.phone.devices.length]).toEqual([1, 1]);
    expect(all.phone.devices[0]?.preKeys).toBeGreaterThan(0);
  });

  test("before the upload of its keys resumes too, and was not CONNECTED meanwhile", async () => {
    const all = channel();
    const { heal, lost } = lostUpload(all);
    await scanned(all);
    await lost();
    expect(all.states()).toEqual(["PENDING_QR", "CONNECTING"]);
    const link = await killed(all);
    heal();
    link.connect();
    await all.reported(CONNECTED);
    expect([all.net.stat.pairings, all.states().filter((state) => state === "CONNECTED").length]).toEqual([1, 1]);
    expect(all.phone.devices[0]?.preKeys).toBeGreaterThan(0);
  });

  test("G-214 asks for another scan where the network has dropped the device meanwhile, and is never CONNECTED", async () => {
    const all = channel();
    all.net.faults.unlinkKeyless({ phone: all.phone });
    const { lost } = lostUpload(all);
    await scanned(all);
    await lost();
    const link = await killed(all);
    link.connect();
    await all.reported({ state: "PENDING_QR", reason: "LOGGED_OUT" });
    expect(all.states()).not.toContain("CONNECTED");
    expect(all.phone.devices).toEqual([]);
  });

  test("is tried twice at its first login, as any identity that was just accepted", async () => {
    const all = channel();
    all.net.faults.noRestart({ phone: all.phone });
    await scanned(all);
    await all.reported({ state: "CONNECTING" });
    const link = await killed(all);
    all.net.faults.failLogin({ reason: "401" }, { phone: all.phone, times: 1 });
    link.connect();
    await all.net.until(() => all.net.stat.refused.length === 1 && all.net.stat.connections === 0);
    await all.pass(0);
    await all.pass(2 * SECOND_MS);
    await all.reported(CONNECTED);
    expect(all.net.stat.pairings).toBe(1);
  });
});
