import { afterEach, expect, test } from "bun:test";
import { adapters } from "../../src/doctor/adapters.ts";
import { receivedBy, rowsOf } from "../support/customer.ts";
import { places } from "../support/doctor.ts";
import { PAGER_TOKEN, pagerNetwork, receivedPage } from "../support/pager.ts";
import { customer, gatewayKeyOf, made } from "../support/platform.ts";
import { gatewaySays } from "../support/refusals.ts";
import { startWorld, untilConnected, WEBHOOK_SECRET, type World } from "../support/world.ts";

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.stop();
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
