import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { adapterFile, buildAdapter } from "../../../scripts/build/adapters.ts";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { manualClock } from "../../../src/conformance/manual-clock.ts";
import { recordingHost } from "../../../src/conformance/recording-host.ts";
import { loadFolder } from "../../../src/loading/loader.ts";
import { MESSAGE_ID, PERSON, seededTelegram, TOKEN } from "../../support/networks/telegram-channel.ts";

const ROOT = resolve(import.meta.dir, "../../..");
let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "recado-telegram-"));
  await buildAdapter("telegram");
  mkdirSync(join(dir, "telegram"));
  cpSync(dirname(adapterFile("telegram")), join(dir, "telegram"), { recursive: true });
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("the file imports nothing but parts of the runtime, and names no place of this machine", () => {
  const text = readFileSync(join(dir, "telegram", "plugin.js"), "utf8");
  const imports = [...text.matchAll(/^import .* from "([^"]+)";$/gm)].map(([, name]) => name);
  expect(imports).toEqual(["crypto"]);
  expect(text).not.toContain(ROOT);
  expect(text).not.toMatch(/\brequire\(|\bimport\(/);
});

test("two builds are the same to the byte", async () => {
  const before = readFileSync(join(dir, "telegram", "plugin.js"), "utf8");
  expect(readFileSync(await buildAdapter("telegram"), "utf8")).toBe(before);
});

test("the plugin folder loads it, and it sends over the address that the operator names", async () => {
  const clock = manualClock();
  const { telegram, bot } = await seededTelegram(clock);
  const http = createHttp({ allow: [], extraCa: undefined });
  try {
    const { loaded } = await loadFolder(dir, [], { RECADO_PLUGIN_TELEGRAM_URL: telegram.url });
    const plugin = loaded[0]?.plugin;
    expect([plugin?.name, plugin?.kind]).toEqual(["telegram", "TELEGRAM"]);
    const link = plugin?.open(recordingHost({ http, vault: { token: TOKEN }, clock }));
    expect(
      await link?.send({ type: "text", content: { text: "oi" }, messageId: MESSAGE_ID, to: `uid:${PERSON}` }),
    ).toMatchObject({ ok: true });
    expect(bot.sent().map(({ text }) => text)).toEqual(["oi"]);
  } finally {
    http.close();
    await telegram.stop();
  }
});
