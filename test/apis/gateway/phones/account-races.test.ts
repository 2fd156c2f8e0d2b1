import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { type Customer, newCustomer, rowsOf } from "../../../support/customers/customer.ts";
import { accountOf, post } from "../../../support/networks/waba-posts.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { type Between, startBetween } from "../../../support/servers/between.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { startWorld, type World } from "../../../support/world.ts";

let w: World;
let between: Between;
let c: Customer;
beforeAll(async () => {
  between = startBetween();
  w = await startWorld({ env: { RECADO_META_GRAPH_URL: between.url }, logLevel: "debug" });
  between.leadTo(w.graph.url);
});
afterAll(async () => {
  await w.stop();
  await between.stop();
});
beforeEach(async () => {
  c = await newCustomer(w);
});

const notify = async (value: object, field = "account_update") =>
  post(w, [{ field, value }], { accountId: await accountOf(w, c), at: w.clock.now() });
const inDoubt = () =>
  notify(
    { display_phone_number: c.phone.number, event: "FLAGGED", current_limit: "TIER_2K" },
    "phone_number_quality_update",
  );
const phone = async () => (await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key })).body;
const received = () => c.hook.arrived.map(({ body }) => [body.type, body.data.reason ?? body.data.phoneNumber]);
/** The check of the phone's number: what follows happens before its answer comes. */
const duringCheck = (happens: () => Promise<unknown>) =>
  between.during(({ method, path }) => method === "GET" && path.endsWith(`/${c.phone.phoneNumberId}`), happens);
/** Resolves when the link has reported what came of its check. */
const checked = async () => {
  const reports = () => w.logs.filter((line) => line.includes("link reported") && line.includes(c.phone.id)).length;
  const before = reports();
  return async () => {
    await untilTrue(() => reports() !== before);
    await w.app.env.supervisor.recorded(c.phone.id as never);
    await w.settle();
  };
};

test("an end that the network says while the phone's own check is under way is not undone by the check", async () => {
  const reported = await checked();
  duringCheck(() => notify({ event: "PARTNER_REMOVED" }));
  await inDoubt();
  await reported();
  expect([(await phone()).status, received()]).toEqual(["DISCONNECTED", [["channel:disconnected", "PARTNER_REMOVED"]]]);
  expect(gatewaySays(await c.send())).toBe("409 PHONE_NOT_CONNECTED");
});

test("nor is one that comes while the phone connects for the first time since a restart", async () => {
  const [{ id } = { id: "" }] = await rowsOf<{ id: string }>(w, "SELECT id FROM channels WHERE id = ?1", [c.phone.id]);
  const reported = await checked();
  duringCheck(() => notify({ event: "ACCOUNT_DELETED" }));
  await w.app.env.db.write(async (tx) => tx.rows("UPDATE channels SET state = 'PENDING_WEBHOOK' WHERE id = ?1", [id]));
  await w.restart();
  await reported();
  expect((await phone()).status).toBe("DISCONNECTED");
});

test("a check that is asked for after the end counts: the network and the owner bring the phone back", async () => {
  await notify({ event: "PARTNER_REMOVED" });
  const reported = await checked();
  await notify({ event: "PARTNER_ADDED" });
  await reported();
  expect((await phone()).status).toBe("CONNECTED");
  await notify({ event: "PARTNER_REMOVED", extra: "again" });
  expect((await phone()).status).toBe("DISCONNECTED");
  const again = await checked();
  await w.gateway(`/v1/phones/${c.phone.id}/reconnect`, { key: c.key, method: "POST" });
  await again();
  expect((await phone()).status).toBe("CONNECTED");
});

test("an end that comes during the check that an earlier one had asked for holds", async () => {
  await notify({ event: "PARTNER_REMOVED" });
  const reported = await checked();
  duringCheck(() => notify({ event: "PARTNER_REMOVED", extra: "again" }));
  await notify({ event: "PARTNER_ADDED" });
  await reported();
  expect((await phone()).status).toBe("DISCONNECTED");
});
