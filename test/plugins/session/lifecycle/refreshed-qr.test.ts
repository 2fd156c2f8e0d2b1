import { describe, expect, test } from "bun:test";
import { decode } from "../../../../plugins/session/keys/rows.ts";
import { nextTurn } from "../../../../src/conformance/recording-host.ts";
import { MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { CONNECTED, PN, type UnpairedChannel, unpairedChannel } from "../../../support/session/unpaired.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { RefusedByPhone } from "../../../support/whatsapp/index.ts";

const channel = unpairedChannel();
const SECRET = 3;

const partsOf = (qr: string): string[] => qr.slice(qr.indexOf("#") + 1).split(",");
const secretOnDisk = ({ host }: UnpairedChannel): string =>
  (decode(host.keyRows.get("creds/creds") ?? "") as { advSecretKey: string }).advSecretKey;

describe("a QR code that the phone distrusts", () => {
  for (const child of ["companion_reg_refresh", "pair-device-rotate-qr"])
    test(`W26-2 ${child}: another secret under the same ref is shown at once; the second scan links`, async () => {
      const all = channel();
      const { link, qr, phone, net, host, reported } = all;
      link.connect();
      const first = await qr();
      await phone.distrust(first, child);
      const second = link.pairing.qr()?.text ?? "";
      const changed = partsOf(second).flatMap((part, index) => (part === partsOf(first)[index] ? [] : [index]));
      expect(changed).toEqual([SECRET]);
      expect(secretOnDisk(all)).toBe(partsOf(second)[SECRET] ?? "");
      expect(net.stat.linkAcks.map(({ type }) => type)).toEqual(["companion_reg_refresh"]);
      expect(link.pairing.hint?.("qr")).toEqual({ code: "SCAN_AGAIN" });
      expect(host.reports.at(-1)?.pairing?.code).toBe("SCAN_AGAIN");
      await phone.scan(second);
      await reported(CONNECTED);
      expect(link.pairing.hint?.("qr")).toBeUndefined();
      expect(net.stat.connections).toBe(1);
    });

  test("W26-2 the old code fails and ends nothing: the network gets a 401, and the new code still links", async () => {
    const all = channel();
    const { link, host, qr, phone, net, reported } = all;
    link.connect();
    const first = await qr();
    await phone.distrust(first);
    const refusal = await phone.scan(first).catch((thrown: unknown) => thrown);
    expect(refusal).toBeInstanceOf(RefusedByPhone);
    expect(String(refusal)).toContain("the companion refused: 401");
    expect([net.stat.attempts, host.state]).toEqual([1, "PENDING_QR"]);
    await phone.scan(await qr());
    await reported(CONNECTED);
  });

  test("W26-2 the new secret is on disk before the network may count on it", async () => {
    const { plugin, phone, net, host } = channel();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    let writes = 0;
    const slow = plugin.open({
      ...host,
      vault: {
        ...host.vault,
        async openKeyStore() {
          const keyStore = await host.vault.openKeyStore();
          return {
            ...keyStore,
            async write(changes) {
              writes += 1;
              await gate;
              await keyStore.write(changes);
            },
          };
        },
      },
    });
    const first = (await slow.pairing?.nextQr(MINUTE_MS))?.text ?? "";
    const distrusted = phone.distrust(first);
    await untilTrue(() => writes > 0);
    await nextTurn();
    expect(net.stat.linkAcks).toEqual([]);
    open();
    await distrusted;
    expect(partsOf(slow.pairing?.qr()?.text ?? "")[SECRET]).toBe(secretOnDisk(channel()));
    const closed = slow.close();
    host.clock.advance(5 * SECOND_MS);
    await closed;
  });

  test("W26-2 the present code stays for 40 s more, the later ones have the new secret, and no ref is lost", async () => {
    const all = channel();
    const { link, qr, phone, host } = all;
    link.connect();
    const first = await qr();
    host.clock.advance(19 * SECOND_MS);
    await phone.distrust(first);
    expect(link.pairing.qr()?.expiresAt).toBe(host.clock.now() + 40 * SECOND_MS);
    host.clock.advance(39 * SECOND_MS);
    expect(partsOf(link.pairing.qr()?.text ?? "")[0]).toBe(partsOf(first)[0] ?? "");
    host.clock.advance(SECOND_MS);
    const next = partsOf(link.pairing.qr()?.text ?? "");
    expect(next[0]).not.toBe(partsOf(first)[0] ?? "");
    expect(next[SECRET]).toBe(secretOnDisk(all));
    host.clock.advance(80 * SECOND_MS);
    expect(link.pairing.qr()).toBeDefined();
  });

  test("W26-2 it may happen at each scan", async () => {
    const all = channel();
    const { link, qr, phone, reported, host } = all;
    link.connect();
    const texts = [await qr()];
    for (let scan = 0; scan < 3; scan += 1) {
      await phone.distrust(texts.at(-1) ?? "");
      texts.push(await qr());
    }
    expect(new Set(texts).size).toBe(4);
    expect(host.reports.filter(({ pairing }) => pairing?.code === "SCAN_AGAIN")).toHaveLength(3);
    await phone.scan(texts.at(-1) ?? "");
    await reported(CONNECTED);
  });

  test("W26-2 a notification without either child changes nothing, and is acknowledged", async () => {
    const { link, qr, phone, host } = channel();
    link.connect();
    const first = await qr();
    await phone.distrust(first, "something-else");
    expect([await qr(), link.pairing.hint?.("qr"), host.reports.length]).toEqual([first, undefined, 1]);
  });

  test("W26-2 while a phone that took a code has to vouch, the secret stays; afterwards it may change again", async () => {
    const all = channel();
    const { link, qr, phone, net, host } = all;
    net.faults.abandonCode({ times: 1 });
    link.pairing.requestCode(PN);
    await untilTrue(() => link.pairing.code() !== undefined);
    const first = await qr();
    void phone.typeCode(link.pairing.code() ?? "").catch(() => {});
    await untilTrue(() => net.stat.finished === 1);
    await phone.distrust(first);
    expect(await qr()).toBe(first);
    host.clock.advance(MINUTE_MS);
    const later = await qr();
    await phone.distrust(later);
    expect(await qr()).not.toBe(later);
  });

  test("W26-2 the secret of a linked identity is never touched", async () => {
    const all = channel();
    await all.pair();
    const before = secretOnDisk(all);
    const { stanza } = await import("../../../support/whatsapp/index.ts");
    all.phone.notify(
      stanza("notification", { from: "s.whatsapp.net", type: "companion_reg_refresh", id: "REFRESH" }, [
        stanza("companion_reg_refresh"),
      ]),
    );
    await all.net.until(() => all.net.stat.acks.some(({ id }) => id === "REFRESH"));
    expect(secretOnDisk(all)).toBe(before);
    expect(all.host.reports.at(-1)).toEqual(CONNECTED);
  });

  test("W26-2 neither secret is on a log", async () => {
    const all = channel();
    all.link.connect();
    const first = await all.qr();
    await all.phone.distrust(first);
    const secrets = [first, await all.qr()].map((qr) => partsOf(qr)[SECRET] ?? "");
    for (const secret of secrets) expect(all.host.logLines.join("")).not.toContain(secret);
  });
});
