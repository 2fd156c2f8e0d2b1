import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { findAdvisories } from "../../scripts/check/advisories.ts";

const ROOT = resolve(import.meta.dir, "../..");

/** What the check says of a registry that answers so. */
const saidOf = async (answer: () => Response) => {
  const registry = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
  try {
    return await findAdvisories(ROOT, { ...process.env, BUN_CONFIG_REGISTRY: registry.url.href });
  } finally {
    await registry.stop(true);
  }
};

test("an advisory about a package is named, and the same commit passes as before", async () => {
  const advisory = {
    id: 1,
    url: "https://example.com/1",
    title: "It hangs",
    severity: "high",
    vulnerable_versions: "*",
  };
  expect(await saidOf(() => Response.json({ "csv-parse": [advisory] }))).toEqual({
    ok: true,
    output: "",
    note: "LOOK AT\n  csv-parse: high: It hangs, https://example.com/1",
  });
});

test("a registry that knows of none passes", async () => {
  expect(await saidOf(() => Response.json({}))).toEqual({ ok: true, output: "", note: "none is known" });
});

test.each<[string, () => Response]>([
  ["has no advisories", () => new Response("", { status: 405 })],
  ["fails", () => new Response("<html>", { status: 502 })],
  ["answers with a page", () => new Response("<html>")],
])("a registry that %s passes, and the check says that nothing was asked", async (_, answer) => {
  const { ok, note } = await saidOf(answer);
  expect([ok, note]).toEqual([true, expect.stringContaining("not asked")]);
});

test("without a network the check passes, and says that nothing was asked", async () => {
  const env = { ...process.env, BUN_CONFIG_REGISTRY: "http://127.0.0.1:1" };
  const { ok, note } = await findAdvisories(ROOT, env);
  expect([ok, note]).toEqual([true, expect.stringContaining("not asked")]);
});
