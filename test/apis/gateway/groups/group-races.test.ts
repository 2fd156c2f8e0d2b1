import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { newGroupRow } from "../../../../src/core/groups/groups.ts";
import { HOUR_MS } from "../../../../src/kernel/clock.ts";
import type { ChannelId, TenantId } from "../../../../src/kernel/ids.ts";
import type { ChannelRow } from "../../../../src/store/tables/channels/channels.ts";
import { insertGroup } from "../../../../src/store/tables/groups.ts";
import { type Customer, newCustomer, receivedBy, rowsOf } from "../../../support/customers/customer.ts";
import { type GroupUser, groupUser, heldRequest } from "../../../support/customers/groups.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { type Between, startBetween } from "../../../support/servers/between.ts";
import { startWorld, type World } from "../../../support/world.ts";

let w: World;
let between: Between;
let c: Customer;
let g: GroupUser;
beforeAll(async () => {
  between = startBetween();
  w = await startWorld({ env: { RECADO_META_GRAPH_URL: between.url } });
  between.leadTo(w.graph.url);
});
afterAll(async () => {
  await w.stop();
  await between.stop();
});
beforeEach(async () => {
  w.clock.advance(60_000); // a new rate window
  c = await newCustomer(w);
  g = groupUser(w, c);
  w.graph.configure({ groupUpdate: "held" });
});

const USER = "5511999990001";
const rows = () => rowsOf(w, "SELECT * FROM groups WHERE tenant_id = ?1", [c.accountId]);
const isCreation = ({ method, path }: { method: string; path: string }) =>
  method === "POST" && path.endsWith("/groups");
/** A group that is there, as if nothing had been held back. */
const group = async (): Promise<any> => {
  w.graph.configure({ groupUpdate: "at-once" });
  const made = await g.group();
  w.graph.configure({ groupUpdate: "held" });
  c.hook.arrived.length = 0;
  return made;
};

test("X-175 an update of a group that comes before the answer to its request is not missed", async () => {
  between.during(isCreation, async () => {
    await w.graph.groups.finish(await heldRequest(w, c));
    await w.settle();
  });
  const { status, body } = await g.create();
  expect([status, w.graph.groups.all.has(body.upstreamGroupId)]).toEqual([201, true]);
  await w.settle();
  expect((await g.call(`?phoneId=${c.phone.id}`)).body.items).toEqual([body]);
  expect(receivedBy(c.hook)).toEqual([{ groupId: body.id, upstreamGroupId: body.upstreamGroupId, action: "created" }]);
});

test("X-175 a refusal that comes before the answer is not missed either, and leaves nothing", async () => {
  between.during(isCreation, async () => {
    await w.graph.groups.refuse(await heldRequest(w, c), 131214);
    await w.settle();
  });
  expect(gatewaySays(await g.create())).toBe("400 UPSTREAM_BAD_REQUEST");
  expect(await rows()).toEqual([]);
});

test("X-175 an update that comes when the time is over, and before the answer, still makes the group known", async () => {
  between.during(isCreation, async () => {
    w.clock.advance(10_000);
    await w.graph.groups.finish(await heldRequest(w, c));
    await w.settle();
  });
  const { status, body } = await g.create();
  expect([status, (await g.call(`?phoneId=${c.phone.id}`)).body.items]).toEqual([201, [body]]);
});

test("X-170 a phone that is deleted while its group is asked for has none", async () => {
  between.during(isCreation, () => w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" }));
  expect(gatewaySays(await g.create())).toBe("404 PHONE_NOT_FOUND");
  await w.settle();
  expect(await rows()).toEqual([]);
});

test("X-184 what the network reports during a refresh is newer than what it answers", async () => {
  const made = await group();
  between.during(
    ({ method, path }) => method === "GET" && path.endsWith(`/${made.upstreamGroupId}`),
    async () => {
      w.clock.advance(1);
      await g.joined(made, USER);
    },
  );
  expect((await g.call(`/${made.id}?refresh=true`)).body).toMatchObject({
    participants: [{ waId: USER }],
    totalParticipantCount: 1,
  });
  expect((await g.call(`/${made.id}`)).body).toMatchObject({
    participants: [{ waId: USER }],
    totalParticipantCount: 1,
  });
});

test("X-186 an update of a deletion that comes before its answer is published once", async () => {
  const made = await group();
  between.during(
    ({ method }) => method === "DELETE",
    async () => {
      await w.graph.groups.finish(await heldRequest(w, c));
      await w.settle();
    },
  );
  expect((await g.call(`/${made.id}`, { method: "DELETE" })).status).toBe(204);
  await w.settle();
  expect(receivedBy(c.hook)).toEqual([{ groupId: made.id, upstreamGroupId: made.upstreamGroupId, action: "deleted" }]);
  expect(gatewaySays(await g.call(`/${made.id}`))).toBe("404 GROUP_NOT_FOUND");
});

test("GAP-X22 a group that goes while it is changed is unknown", async () => {
  const made = await group();
  between.during(
    ({ method, path }) => method === "POST" && path.endsWith(`/${made.upstreamGroupId}`),
    () => g.call(`/${made.id}`, { method: "DELETE" }),
  );
  expect(gatewaySays(await g.call(`/${made.id}`, { method: "PATCH", body: { subject: "Novo" } }))).toBe(
    "404 GROUP_NOT_FOUND",
  );
});

test("the place that a request took whose process died is free again after an hour, and no other's is", async () => {
  const { env } = w.app;
  const channel = { id: c.phone.id as ChannelId, tenantId: c.accountId as TenantId } as ChannelRow;
  const [abandoned, underWay] = [newGroupRow(env, channel), newGroupRow(env, channel)];
  const hourAgo = w.clock.now() - HOUR_MS;
  await env.db.write(async (tx) => {
    await insertGroup(tx, { ...abandoned, createdAt: hourAgo - 1 });
    await insertGroup(tx, { ...underWay, createdAt: hourAgo });
  });
  const made = await group();
  expect(new Set((await rows()).map(({ id }) => id))).toEqual(new Set([underWay.id, made.id]));
});
