import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Type } from "@sinclair/typebox";
import { adapterFile, buildAdapter } from "../../../scripts/build/adapters.ts";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { manualClock } from "../../../src/conformance/manual-clock.ts";
import { recordingHost } from "../../../src/conformance/recording-host.ts";
import type { AdapterModule } from "../../../src/contract/adapter.ts";
import { MESSAGE_ID, PERSON, seededSms, TWILIO_VAULT, ZENVIA_VAULT } from "../../support/networks/sms-channel.ts";

const ROOT = resolve(import.meta.dir, "../../..");
let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "recado-sms-"));
  await buildAdapter("sms");
  cpSync(dirname(adapterFile("sms")), dir, { recursive: true });
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("the file imports nothing but parts of the runtime, and names no place of this machine", () => {
  const text = readFileSync(join(dir, "plugin.js"), "utf8");
  const imports = [...text.matchAll(/^import .* from "([^"]+)";$/gm)].map(([, name]) => name);
  expect(new Set(imports)).toEqual(new Set(["crypto"]));
  expect(text).not.toContain(ROOT);
  expect(text).not.toMatch(/\brequire\(|\bimport\(/);
});

test("the built file sends through both providers at the addresses that the operator names", async () => {
  const clock = manualClock();
  const { sms, twilio, zenvia } = await seededSms(clock);
  const http = createHttp({ allow: [], extraCa: undefined });
  try {
    const adapter: AdapterModule = (await import(join(dir, "plugin.js"))).default;
    const plugin = adapter.create({ Type, settings: { TWILIO_URL: `${sms.url}/`, ZENVIA_URL: sms.url } });
    for (const vault of [TWILIO_VAULT, ZENVIA_VAULT]) {
      const link = plugin.open(recordingHost({ http, vault, clock }));
      expect(
        await link.send({ type: "text", content: { text: "oi" }, messageId: MESSAGE_ID, to: `pn:${PERSON}` }),
      ).toMatchObject({ ok: true });
    }
    expect([twilio.sent, zenvia.sent].flat().map(({ text }) => text)).toEqual(["oi", "oi"]);
  } finally {
    http.close();
    await sms.stop();
  }
});
