import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { adapterFile, buildAdapter, packagesIn } from "../../../scripts/build/adapters.ts";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { manualClock } from "../../../src/conformance/manual-clock.ts";
import { recordingHost } from "../../../src/conformance/recording-host.ts";
import { loadFolder } from "../../../src/loading/loader.ts";
import { MESSAGE_ID, PERSON, seededMessenger, VAULT } from "../../support/networks/messenger-channel.ts";

const ROOT = resolve(import.meta.dir, "../../..");
let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "recado-messenger-"));
  await buildAdapter("messenger");
  mkdirSync(join(dir, "messenger"));
  cpSync(dirname(adapterFile("messenger")), join(dir, "messenger"), { recursive: true });
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("the file imports nothing but parts of the runtime, and names no place of this machine", () => {
  const text = readFileSync(join(dir, "messenger", "plugin.js"), "utf8");
  const imports = [...text.matchAll(/^import .* from "([^"]+)";$/gm)].map(([, name]) => name);
  expect(imports).toEqual(["crypto"]);
  expect(text).not.toContain(ROOT);
  expect(text).not.toMatch(/\brequire\(|\bimport\(/);
});

test("a package that a built file really needs is found, whether it is loaded at once or later", () => {
  const text = `import { createHmac } from "crypto";\nimport { a } from "jose";\nexport const b = () => [a, createHmac, import("pino")];`;
  expect(packagesIn(text)).toEqual(["jose", "pino"]);
});

test("the plugin folder loads it, and it sends over the address that the operator names", async () => {
  const clock = manualClock();
  const { messenger, page } = await seededMessenger(clock);
  const http = createHttp({ allow: [], extraCa: undefined });
  try {
    const { loaded } = await loadFolder(dir, [], { RECADO_PLUGIN_MESSENGER_GRAPH_URL: messenger.url });
    const plugin = loaded[0]?.plugin;
    expect([plugin?.name, plugin?.kind]).toEqual(["messenger", "MESSENGER"]);
    const link = plugin?.open(recordingHost({ http, vault: VAULT, clock }));
    expect(
      await link?.send({ type: "text", content: { text: "oi" }, messageId: MESSAGE_ID, to: `uid:${PERSON}` }),
    ).toMatchObject({ ok: true });
    expect(page.sent.map(({ message }) => message["text"])).toEqual(["oi"]);
  } finally {
    http.close();
    await messenger.stop();
  }
});
