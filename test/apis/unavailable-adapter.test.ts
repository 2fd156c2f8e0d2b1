import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { adapters } from "../../src/doctor/adapters.ts";
import { type Customer, newCustomer } from "../support/customers/customer.ts";
import { places } from "../support/processes/doctor.ts";
import { gatewaySays } from "../support/refusals.ts";
import { startWorld, untilConnected, type World } from "../support/world.ts";

// an adapter that worked, and cannot be loaded at the next start, beside one that never could

const { report } = places();
let w: World;
let c: Customer;
let dir: string;
/** Whether the adapter throws when it is made. A process imports its file once. */
const broken = { is: false };
Object.assign(globalThis, { adapterOfTest: broken });
const BREAKABLE = `import whole from "./whole.js";
export default {
  ...whole,
  create(given) {
    if (globalThis.adapterOfTest.is) throw new Error("boom at /a/path/of/the/operator");
    return whole.create(given);
  },
};`;
const put = (name: string, text: string, file = "plugin.js") => {
  mkdirSync(join(dir, name), { recursive: true });
  writeFileSync(join(dir, name, file), text);
};
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "recado-unavailable-"));
  const from = resolve(import.meta.dir, "../support/adapters/faulty/plugin.js");
  put("faulty", readFileSync(from, "utf8"), "whole.js");
  put("faulty", BREAKABLE);
  put("telex", `export default { contract: "3.0", name: "telex", create: () => ({}) };`);
  const env = { RECADO_PLUGIN_DIR: dir, RECADO_PLUGIN_GONE_URL: "https://gone.example" };
  w = await startWorld({ logLevel: "debug", env });
  c = await newCustomer(w);
});
afterAll(async () => {
  await w.stop();
  rmSync(dir, { recursive: true, force: true });
});

const ready = async () => {
  const { status, body } = await w.gateway("/health/ready");
  return [status, body.status, body.degraded];
};
const phone = async (id: string) =>
  (await w.gateway(`/v1/phones/${id}`, { key: c.key, undescribed: "its kind is not loaded" })).body;

test("an adapter that cannot be loaded costs its own channels alone, which say why; they connect again once it can", async () => {
  expect(await ready()).toEqual([200, "ready", ["telex"]]);
  expect(w.logs.some((line) => line.includes("RECADO_PLUGIN_GONE_URL is not a setting"))).toBe(true);
  const made = await w.gateway("/v1/phones", {
    key: c.key,
    body: { type: "FAULTY", label: "front desk", credentials: { fault: "hangs" } },
  });
  const id: string = made.body.id;
  await untilConnected(w, id);

  broken.is = true;
  await w.restart();
  expect(await ready()).toEqual([200, "ready", ["faulty", "telex"]]);
  const stateReason = "ADAPTER_FAULT: faulty: it failed while it was loaded";
  expect(await phone(id)).toMatchObject({ status: "FAILED", stateReason });
  expect(gatewaySays(await c.send({ phoneId: id, to: "ana" }))).toBe("503 ADAPTER_MISSING");
  expect(w.logs.some((line) => line.includes("an adapter cannot be used") && line.includes("boom at /a/path"))).toBe(
    true,
  );
  expect((await c.send()).status).toBe(202); // another network goes on
  const found = await report(adapters, {
    RECADO_DATA_DIR: w.dataDir,
    RECADO_PLUGIN_DIR: dir,
    RECADO_PLUGIN_GONE_URL: "https://gone.example",
  });
  expect(found.outcome).toBe("fault");
  for (const text of [join(dir, "faulty/plugin.js"), "boom at /a/path", "contract 3.0, and Recado"])
    expect(found.found).toContain(text);

  broken.is = false;
  rmSync(join(dir, "telex"), { recursive: true });
  await w.restart();
  await untilConnected(w, id);
  expect(await ready()).toEqual([200, "ready", undefined]);
  expect(await phone(id)).toMatchObject({ status: "CONNECTED", stateReason: null });
});
