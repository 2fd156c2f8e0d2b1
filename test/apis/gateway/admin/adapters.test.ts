import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { newCustomer } from "../../../support/customers/customer.ts";
import { startWorld, untilConnected, type World } from "../../../support/world.ts";

let w: World;
let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "recado-adapters-"));
  cpSync(resolve(import.meta.dir, "../../../support/adapters/faulty"), join(dir, "faulty"), { recursive: true });
  mkdirSync(join(dir, "old"));
  writeFileSync(join(dir, "old/plugin.js"), `export default { contract: 1, name: "old", create: () => ({}) };`);
  w = await startWorld({ env: { RECADO_PLUGIN_DIR: dir } });
});
afterAll(async () => {
  await w.stop();
  rmSync(dir, { recursive: true, force: true });
});

test("an operator sees the adapters of the folder: version, kind, hosts, hash, why one is unusable, and its faults", async () => {
  const c = await newCustomer(w);
  const made = await w.gateway("/v1/phones", {
    key: c.key,
    body: { type: "FAULTY", label: "front desk", credentials: { fault: "throws" } },
  });
  await untilConnected(w, made.body.id);
  const { status, body } = await w.gateway("/v1/admin/adapters", { admin: true });
  expect(status).toBe(200);
  expect(body.items).toEqual([
    {
      name: "faulty",
      state: "usable",
      fault: null,
      version: "1.0.0",
      author: null,
      homepage: null,
      kind: "FAULTY",
      label: "faulty",
      contract: "2.0",
      hosts: [],
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      warnings: [],
      faults: expect.any(Number),
    },
    expect.objectContaining({
      name: "old",
      state: "unusable",
      fault: expect.stringContaining("it was written for contract 1"),
      version: null,
      sha256: null,
    }),
  ]);
  expect(body.items[0].faults).toBeGreaterThan(0); // it reports a state that is none
});

test("nobody else sees them", async () => {
  const c = await newCustomer(w);
  expect((await w.gateway("/v1/admin/adapters", { key: c.key })).status).toBe(403);
});
