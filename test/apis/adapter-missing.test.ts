import { afterEach, expect, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { adapters } from "../../src/doctor/adapters.ts";
import { MINUTE_MS } from "../../src/kernel/clock.ts";
import { hmacSha256 } from "../../src/kernel/crypto.ts";
import type { ChannelId } from "../../src/kernel/ids.ts";
import { insertEnvelope } from "../../src/store/tables/channels/upstream.ts";
import { writeMeta } from "../../src/store/tables/meta.ts";
import { receivedBy, rowsOf } from "../support/customers/customer.ts";
import { PAGER_TOKEN, pagerNetwork, receivedPage } from "../support/networks/pager.ts";
import { places } from "../support/processes/doctor.ts";
import { gatewaySays } from "../support/refusals.ts";
import { customer, gatewayKeyOf, made } from "../support/tenants/platform.ts";
import { APP_SECRET, startWorld, untilConnected, WEBHOOK_SECRET, type World } from "../support/world.ts";

const worlds: World[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
const { installation } = places();

/** An account with keys of both APIs and a connected pager. */
const startPager = async () => {
  const network = pagerNetwork();
  const w = await startWorld({ plugins: [network.plugin] });
  worlds.push(w);
  const who = await customer(w);
  const key = await gatewayKeyOf(w, who);
  const hook = w.receiver();
  const body = {
    type: "PAGER",
    label: "Night shift",
    credentials: { token: PAGER_TOKEN },
    webhook: { url: hook.url, secret: WEBHOOK_SECRET },
  };
  const { id } = made(await w.gateway("/v1/phones", { key, body }), 201);
  await untilConnected(w, id);
  return { w, network, who, key, hook, id: id as string };
};

/**
 * The kind of a channel becomes one that no adapter here has, as when its adapter was taken away; or that of the pager
 * again.
 */
const restartAs = async (w: World, id: string, kind: "TELEX" | "PAGER"): Promise<void> => {
  await w.app.env.db.write(async (tx) => tx.run("UPDATE channels SET kind = ?2 WHERE id = ?1", [id, kind]));
  await w.restart();
  await w.settle();
};

test("a channel whose adapter is gone stays listed, FAILED with its reason; sends are refused, and the doctor says what to do", async () => {
  const { w, network, who, key, hook, id } = await startPager();
  await restartAs(w, id, "TELEX");
  const undescribed = "this server does not know the kind of the adapter that is gone";
  expect(made(await w.gateway("/v1/phones", { key, undescribed }), 200)).toMatchObject([
    { id, type: "TELEX", status: "FAILED", stateReason: "ADAPTER_MISSING" },
  ]);
  expect(made(await w.platform("/v1/channels", { key: who.key, undescribed }), 200).data).toMatchObject([
    { id, type: "CHAT_TELEX", status: "DISCONNECTED", statusReason: "ADAPTER_MISSING" },
  ]);
  expect(receivedBy(hook).at(-1)).toMatchObject({ reason: "ADAPTER_MISSING" });

  const message = { phoneId: id, to: "anna.7", type: "text", content: { text: "x" } };
  expect(gatewaySays(await w.gateway("/v1/messages", { key, body: message }))).toBe("503 ADAPTER_MISSING");
  for (const answer of [
    await w.platform(`/v1/channels/${id}/messages/text`, { key: who.key, body: { to: "anna.7", text: "x" } }),
    await w.platform(`/v1/channels/${id}/connect`, { key: who.key, method: "POST" }),
  ])
    expect([answer.status, answer.text]).toEqual([503, expect.stringContaining("ADAPTER_MISSING")]);
  expect(await rowsOf(w, "SELECT count(*) AS n FROM messages")).toEqual([{ n: 0 }]);
  expect(network.sent).toEqual([]);

  const looked = installation({ RECADO_DATA_DIR: w.dataDir });
  const found = await adapters.run(looked);
  expect(found).toMatchObject({
    outcome: "fault",
    found: expect.stringContaining("TELEX"),
    remedy: expect.stringContaining("RECADO_PLUGIN_DIR"),
  });
  expect((await w.gateway(`/v1/phones/${id}`, { key, method: "DELETE" })).status).toBe(204);
});

test("a channel whose adapter is back connects again by itself, and one that its owner had disconnected stays so", async () => {
  const { w, network, who, key, id } = await startPager();
  const { id: idle } = made(
    await w.platform("/v1/channels", { key: who.key, body: { name: "Idle", type: "CHAT_PAGER" } }),
    201,
  );
  await w.app.env.db.write(async (tx) => tx.run("UPDATE channels SET kind = 'TELEX'", []));
  await restartAs(w, id, "TELEX");
  await w.app.env.db.write(async (tx) => tx.run("UPDATE channels SET kind = 'PAGER'", []));
  await restartAs(w, id, "PAGER");
  await untilConnected(w, id);
  await network.notify(id, receivedPage({ id: "in-1", from: "bert.3", text: "still there?" }));
  expect(made(await w.gateway(`/v1/phones/${id}`, { key }), 200)).toMatchObject({
    status: "CONNECTED",
    stateReason: null,
  });
  expect(made(await w.gateway(`/v1/phones/${idle}`, { key }), 200)).toMatchObject({ status: "DISCONNECTED" });
});

const page = { id: "in-2", from: "bert.3", text: "meanwhile" };
const signed = { "x-pager-token": PAGER_TOKEN };

test("what a network delivers while the adapter is away is refused for now, not for good, and taken once it is back", async () => {
  const { w, hook, id } = await startPager();
  const path = `/v1/upstream-webhook/${id}`;
  await restartAs(w, id, "TELEX");
  for (const headers of [signed, {}]) {
    const answer = await w.gateway(path, { body: page, headers });
    expect([gatewaySays(answer), answer.headers.get("retry-after")]).toEqual(["503 ADAPTER_MISSING", "300"]);
  }
  const stranger = await w.gateway(`/v1/upstream-webhook/${crypto.randomUUID()}`, { body: page, headers: signed });
  expect(gatewaySays(stranger)).toBe("403 SIGNATURE_INVALID");
  expect(await rowsOf(w, "SELECT count(*) AS n FROM upstream_envelopes")).toEqual([{ n: 0 }]);

  await restartAs(w, id, "PAGER");
  await untilConnected(w, id);
  expect((await w.gateway(path, { body: page, headers: signed })).status).toBe(200);
  await w.settle();
  expect(receivedBy(hook, "message:received").map(({ content }) => content.text)).toEqual(["meanwhile"]);
});

const telexed = { line: "7", id: "in-3", from: "bert", text: "by the shared address" };
const sealed = { "x-telex-secret": "tx-1" };
const SHARED = "/v1/upstream-webhook";

/** A connected channel of an adapter in a folder, whose network calls the address of all channels. */
const startTelex = async () => {
  const dir = mkdtempSync(join(tmpdir(), "recado-telex-"));
  folders.push(dir);
  const put = () =>
    cpSync(resolve(import.meta.dir, "../support/adapters/telex"), join(dir, "telex"), { recursive: true });
  put();
  const w = await startWorld({ env: { RECADO_PLUGIN_DIR: dir } });
  worlds.push(w);
  const hook = w.receiver();
  const { key } = await w.account();
  const body = {
    type: "TELEX",
    label: "Line 7",
    credentials: { line: telexed.line },
    webhook: { url: hook.url, secret: WEBHOOK_SECRET },
  };
  const { id } = made(await w.gateway("/v1/phones", { key, body }), 201);
  await untilConnected(w, id);
  return { w, hook, key, id: id as string, put, remove: () => rmSync(join(dir, "telex"), { recursive: true }) };
};

test("what a network delivers at the address of all channels is refused for now while its adapter is away, and taken once it is back", async () => {
  const { w, hook, put, remove, id } = await startTelex();
  expect(gatewaySays(await w.gateway(SHARED, { body: telexed }))).toBe("403 SIGNATURE_INVALID");
  remove();
  await w.restart();
  for (const headers of [sealed, {}]) {
    const answer = await w.gateway(SHARED, { body: telexed, headers });
    expect([gatewaySays(answer), answer.headers.get("retry-after")]).toEqual(["503 ADAPTER_MISSING", "300"]);
    expect(answer.text).not.toContain("TELEX"); // a stranger may ask, and learns no kind
  }
  // of another network that signs with the same secret as one that is here
  const raw = JSON.stringify(telexed);
  const alsoSigned = { "x-hub-signature-256": `sha256=${hmacSha256(APP_SECRET, raw, "hex")}` };
  expect(gatewaySays(await w.gateway(SHARED, { raw, headers: alsoSigned }))).toBe("503 ADAPTER_MISSING");
  expect(await rowsOf(w, "SELECT count(*) AS n FROM upstream_envelopes")).toEqual([{ n: 0 }]);

  put();
  await w.restart();
  await untilConnected(w, id);
  expect((await w.gateway(SHARED, { body: telexed, headers: sealed })).status).toBe(200);
  await w.settle();
  expect(receivedBy(hook, "message:received").map(({ content }) => content.text)).toEqual(["by the shared address"]);
});

test("a wrong signature is refused for good where no absent adapter has channels that its network would reach so", async () => {
  const { w, key, remove, id } = await startTelex();
  remove();
  await w.restart();
  expect((await w.gateway(`/v1/phones/${id}`, { key, method: "DELETE" })).status).toBe(204);
  await w.settle();
  expect(gatewaySays(await w.gateway(SHARED, { body: telexed, headers: sealed }))).toBe("403 SIGNATURE_INVALID");
});

test("of an adapter that was away before this was remembered, what its network delivers is refused for now", async () => {
  const { w, id } = await startPager();
  await restartAs(w, id, "TELEX");
  expect(gatewaySays(await w.gateway(SHARED, { body: telexed, headers: sealed }))).toBe("503 ADAPTER_MISSING");
});

test("the networks of adapters that are called at addresses of their channels change nothing at the address of all", async () => {
  const { w, id } = await startPager();
  await w.app.env.db.write(async (tx) => writeMeta(tx, "adapter-receivers", JSON.stringify({ TELEX: false })));
  await restartAs(w, id, "TELEX");
  expect(gatewaySays(await w.gateway(SHARED, { body: telexed, headers: sealed }))).toBe("403 SIGNATURE_INVALID");
});

test("an envelope that was accepted before its adapter went away waits for it", async () => {
  const { w, hook, id } = await startPager();
  const { jobs, db, clock } = w.app.env;
  await db.write(async (tx) => {
    const body = { body: JSON.stringify(page), encoding: "utf-8" } as const;
    const envelope = { plugin: "telex", channelId: id as ChannelId, hash: "h", head: "", ...body };
    const envelopeId = await insertEnvelope(tx, { ...envelope, receivedAt: clock.now() });
    if (envelopeId === undefined) throw new Error("the envelope is there already");
    jobs.enqueue(tx, "upstream.process", { envelopeId });
  });
  await w.settle();
  const waiting = () => rowsOf(w, "SELECT attempts FROM jobs WHERE kind = 'upstream.process'");
  expect(await waiting()).toEqual([{ attempts: 0 }]);
  expect(receivedBy(hook, "message:received")).toEqual([]);

  await db.write(async (tx) => tx.run("UPDATE upstream_envelopes SET plugin = 'pager'", []));
  w.clock.advance(10 * MINUTE_MS);
  await w.settle();
  expect(receivedBy(hook, "message:received").map(({ content }) => content.text)).toEqual(["meanwhile"]);
  expect(await waiting()).toEqual([]);
});
