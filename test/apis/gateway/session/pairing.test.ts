import { afterEach, describe, expect, test } from "bun:test";
import { create } from "qrcode";
import sharp from "sharp";
import { receivedBy, tracesOf } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { NUMBER, newScriptedPhone } from "../../../support/session/scripted-phone.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";
import { untilTrue } from "../../../support/waiting.ts";

const w = useWorld({ logLevel: "debug" });
const p = useEach(() => newScriptedPhone(w));
// a number that stays linked has no code in the next test
afterEach(() => w.gateway(`/v1/phones/${p.id}`, { key: p.key, method: "DELETE" }));

/** The dark modules of a code as its PNG shows them: four pixels each, within a border of four modules. */
const modulesIn = async (dataUrl: string): Promise<boolean[]> => {
  const { data, info } = await sharp(Buffer.from(dataUrl.replace("data:image/png;base64,", ""), "base64"))
    .grayscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const size = info.width / 4 - 8;
  const at = (module: number) => (module + 4) * 4 + 2;
  return Array.from(
    { length: size * size },
    (_, index) => (data[(at(Math.floor(index / size)) * info.width + at(index % size)) * info.channels] ?? 255) < 128,
  );
};

describe("GET /v1/phones/{id}/qrcode", () => {
  test("G-170 it is the raw code and a PNG of it, which nobody may store", async () => {
    await p.qr();
    const { status, body, headers } = await p.ask("qrcode");
    expect([status, Object.keys(body), headers.get("cache-control")]).toEqual([200, ["qr", "dataUrl"], "no-store"]);
    expect(body.dataUrl).toStartWith("data:image/png;base64,");
    expect(p.device.shown).toContain(body.qr);
    expect(await modulesIn(body.dataUrl)).toEqual([...create(body.qr).modules.data].map((one) => one === 1));
  });

  test("G-176 GAP-G19 there is none right after the phone is made, and then there is", async () => {
    const slow = await newScriptedPhone(w, { isQrHidden: true });
    expect(gatewaySays(await slow.ask("qrcode"))).toBe("425 QR_NOT_READY");
    expect(await slow.status()).toBe("PENDING_QR");
    slow.device.showQr();
    expect((await slow.ask("qrcode")).status).toBe(200);
  });

  test("G-171 GAP-G18 the code changes every 20 s; when nobody has asked for 5 minutes the next one begins anew", async () => {
    const { qr: first } = await p.qr();
    w.clock.advance(19_999);
    expect((await p.qr()).qr).toBe(first);
    w.clock.advance(1);
    expect((await p.qr()).qr).not.toBe(first);
    w.clock.advance(300_001);
    expect(gatewaySays(await p.ask("qrcode"))).toBe("425 QR_NOT_READY");
    const { qr } = await p.qr();
    expect(p.device.shown.filter((one) => one === qr)).toHaveLength(1);
  });

  test("G-172 G-177 G-175 a code that was scanned is not given again: pairing is in progress, then the phone is connected", async () => {
    const { qr } = await p.qr();
    await p.device.scan();
    await p.until("CONNECTING");
    const during = await p.ask("qrcode");
    expect([gatewaySays(during), during.text.includes(qr)]).toEqual(["425 PAIRING_IN_PROGRESS", false]);
    p.device.open();
    await p.until("CONNECTED");
    expect(gatewaySays(await p.ask("qrcode"))).toBe("409 ALREADY_CONNECTED");
  });

  test("G-172 nor while the phone's row does not say yet that it was scanned", async () => {
    await p.qr();
    const scanned = p.device.scan();
    expect((await p.ask("qrcode")).status).toBe(425);
    await scanned;
  });

  test("G-051 GAP-G19 G-215 a phone whose identity is kept shows none, and asking wakes nothing", async () => {
    await p.pair();
    for (const reason of ["BANNED", "REPLACED"]) {
      p.device.end(reason);
      await p.until("DISCONNECTED");
      const before = [...p.device.calls];
      expect(gatewaySays(await p.ask("qrcode"))).toBe("425 QR_NOT_READY");
      expect(gatewaySays(await p.ask("pairing-code"))).toBe("425 PAIRING_NOT_READY");
      expect(gatewaySays(await p.code({ phoneNumber: NUMBER }))).toBe("425 PAIRING_NOT_READY");
      expect([p.device.calls, await p.status()]).toEqual([before, "DISCONNECTED"]);
    }
    expect(receivedBy(p.hook, "channel:qrcode")).toEqual([]);
  });

  test("a phone of another account has none", async () => {
    await p.qr();
    const other = await newScriptedPhone(w);
    for (const path of ["qrcode", "pairing-code"])
      expect(gatewaySays(await w.gateway(`/v1/phones/${p.id}/${path}`, { key: other.key }))).toBe(
        "404 PHONE_NOT_FOUND",
      );
    expect(
      gatewaySays(
        await w.gateway(`/v1/phones/${p.id}/pairing-code`, { key: other.key, body: { phoneNumber: NUMBER } }),
      ),
    ).toBe("404 PHONE_NOT_FOUND");
    expect(p.device.codeFor).toBeUndefined();
  });
});

describe("a pairing code", () => {
  test("G-189 G-190 is asked for with a number, with or without +, and made later", async () => {
    for (const phoneNumber of ["12345678", `+${NUMBER}`, "1".repeat(20)]) {
      const { status, body } = await p.code({ phoneNumber });
      expect([status, body]).toEqual([202, { status: "pending", phoneNumber: phoneNumber.replace("+", "") }]);
      expect(p.device.codeFor).toBe(phoneNumber.replace("+", ""));
    }
    expect(await p.status()).toBe("PENDING_QR");
  });

  test("G-193 G-194 G-195 G-196 GAP-G20 is there for two minutes once it is made, and nobody may store it", async () => {
    expect(gatewaySays(await p.ask("pairing-code"))).toBe("425 PAIRING_NOT_READY");
    await p.code({ phoneNumber: NUMBER });
    expect(gatewaySays(await p.ask("pairing-code"))).toBe("425 PAIRING_NOT_READY");
    p.device.makeCode("ABCD2345");
    w.clock.advance(120_000);
    const { status, body, headers } = await p.ask("pairing-code");
    expect([status, body, headers.get("cache-control")]).toEqual([
      200,
      { code: "ABCD2345", formatted: "ABCD-2345" },
      "no-store",
    ]);
    w.clock.advance(1);
    expect(gatewaySays(await p.ask("pairing-code"))).toBe("425 PAIRING_NOT_READY");
  });

  test("G-197 G-198 G-211 is used once: typed, it connects the phone, which is published", async () => {
    await p.code({ phoneNumber: NUMBER });
    p.device.makeCode("ABCD2345");
    await p.device.typeCode();
    await p.until("CONNECTING");
    expect(gatewaySays(await p.ask("pairing-code"))).toBe("425 PAIRING_NOT_READY");
    expect(gatewaySays(await p.code({ phoneNumber: NUMBER }))).toBe("425 PAIRING_IN_PROGRESS");
    p.device.open();
    await p.until("CONNECTED");
    await p.hook.received(1);
    expect(receivedBy(p.hook)).toEqual([{ phoneNumber: NUMBER }]);
  });

  test("G-192 GAP-G20 a connected phone needs none", async () => {
    await p.pair();
    const before = await tracesOf(w, p);
    expect(gatewaySays(await p.code({ phoneNumber: "5511900000000" }))).toBe("409 ALREADY_CONNECTED");
    expect(gatewaySays(await p.ask("pairing-code"))).toBe("409 ALREADY_CONNECTED");
    expect([await tracesOf(w, p), p.device.codeFor]).toEqual([before, undefined]);
  });
});

test("no code is ever logged", async () => {
  await p.qr();
  await p.code({ phoneNumber: NUMBER });
  p.device.makeCode("ABCD2345");
  await p.ask("pairing-code");
  await p.pair();
  await p.order("logout");
  await p.hook.received(2);
  await w.settle();
  const logs = w.logs.join("");
  expect(logs).toContain(p.id);
  for (const secret of ["ABCD2345", "ABCD-2345", ...p.device.shown]) expect(logs).not.toContain(secret);
});

describe("a code for a number that is linked already", () => {
  /** A second phone of the account, or one of another account, which waits to be paired. */
  const waiting = async (key: string) => {
    const { id } = (await w.gateway("/v1/phones", { key, body: { type: "SESSION", label: "Another" } })).body;
    await w.gateway(`/v1/phones/${id}/qrcode`, { key });
    await untilTrue(() => w.sessions.of(id).showsQr());
    const code = (body: object) => w.gateway(`/v1/phones/${id}/pairing-code`, { key, body });
    return { id, code, device: w.sessions.of(id) };
  };

  test("G-188 by another phone of the account is refused, by any spelling, and none is asked for, unless it is forced", async () => {
    await p.pair();
    const second = await waiting(p.key);
    for (const phoneNumber of [NUMBER, `+${NUMBER}`, NUMBER.replace("55119", "5511")]) {
      const refused = await second.code({ phoneNumber });
      expect(gatewaySays(refused)).toBe("409 PHONE_ALREADY_LINKED");
      expect(refused.body.error.details).toEqual({ phoneId: p.id });
    }
    expect(gatewaySays(await second.code({ phoneNumber: NUMBER, force: false }))).toBe("409 PHONE_ALREADY_LINKED");
    expect([second.device.codeFor, await p.status()]).toEqual([undefined, "CONNECTED"]);
    expect((await second.code({ phoneNumber: "5511900000000" })).status).toBe(202);
    expect((await second.code({ phoneNumber: NUMBER, force: true })).status).toBe(202);
    expect(second.device.codeFor).toBe(NUMBER);
  });

  test("G-188 EP-G05 by another account is refused without a word of it, forced or not", async () => {
    await p.pair();
    const other = await w.account();
    const second = await waiting(other.key);
    for (const body of [{ phoneNumber: NUMBER }, { phoneNumber: NUMBER, force: true }]) {
      const refused = await second.code(body);
      expect([gatewaySays(refused), refused.text.includes(p.id)]).toEqual(["409 ALREADY_EXISTS", false]);
    }
    expect(second.device.codeFor).toBeUndefined();
  });

  test("G-188 through a pairing link, whose page is for strangers, is refused in the same words", async () => {
    await p.pair();
    const second = await waiting(p.key);
    const { url } = (await w.gateway(`/v1/phones/${second.id}/pairing-links`, { key: p.key, body: { label: "Ana" } }))
      .body;
    const refused = await fetch(`${w.app.url}${new URL(url).pathname}/code`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ phoneNumber: NUMBER }),
    });
    const text = await refused.text();
    expect([refused.status, text.includes("CHANNEL_EXISTS"), text.includes(p.id)]).toEqual([409, true, false]);
    expect(second.device.codeFor).toBeUndefined();
  });

  test("G-188 is made when the phone that was linked with it is no longer connected", async () => {
    await p.pair();
    await p.order("logout");
    await p.until("PENDING_QR");
    const second = await waiting(p.key);
    expect((await second.code({ phoneNumber: NUMBER })).status).toBe(202);
  });
});
