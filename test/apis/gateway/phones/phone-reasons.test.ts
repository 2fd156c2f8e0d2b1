import { beforeEach, expect, test } from "bun:test";
import { MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { type Customer, newCustomer } from "../../../support/customers/customer.ts";
import { accountOf, post } from "../../../support/networks/waba-posts.ts";
import { connectedChannel, customer, made } from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";
import { untilStatus } from "../../../support/world.ts";

const w = useWorld({ logLevel: "debug" });
let c: Customer;
beforeEach(async () => {
  w.clock.advance(MINUTE_MS);
  c = await newCustomer(w);
  w.logs.length = 0;
});

const phone = async () => (await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key })).body;
const notify = async (value: object) =>
  post(w, [{ field: "account_update", value }], { accountId: await accountOf(w, c), at: w.clock.now() });
const lines = (text: string) =>
  w.logs
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg, channelId }) => msg === text && channelId === c.phone.id);
const now = () => new Date(w.clock.now()).toISOString();

test("a phone says why it is away and since when, and nothing of it once it is back", async () => {
  const connectedAt = now();
  expect(await phone()).toMatchObject({ status: "CONNECTED", stateReason: null, stateSince: connectedAt });
  w.clock.advance(MINUTE_MS);
  const goneAt = now();
  await notify({ event: "PARTNER_REMOVED" });
  w.clock.advance(MINUTE_MS);
  await notify({ event: "PARTNER_REMOVED", extra: "said again" });
  expect(await phone()).toMatchObject({ status: "DISCONNECTED", stateReason: "PARTNER_REMOVED", stateSince: goneAt });
  await notify({ event: "PARTNER_ADDED" });
  await untilStatus(w, c.phone.id, "CONNECTED");
  expect(await phone()).toMatchObject({ status: "CONNECTED", stateReason: null, stateSince: now() });
});

test("a token that has expired is a reason too", async () => {
  w.graph.expireToken(c.phone.accessToken);
  await c.send();
  await untilStatus(w, c.phone.id, "TOKEN_EXPIRED");
  expect(await phone()).toMatchObject({ status: "TOKEN_EXPIRED", stateReason: "TOKEN_EXPIRED", stateSince: now() });
});

test("a lost phone is one warning with its name and account, and that it is back one line", async () => {
  await notify({ event: "PARTNER_REMOVED" });
  await notify({ event: "PARTNER_REMOVED", extra: "said again" });
  const known = { label: "A phone", kind: "WABA", tenantId: c.accountId };
  expect(lines("a channel is lost")).toEqual([
    expect.objectContaining({ level: "warn", ...known, reason: "PARTNER_REMOVED" }),
  ]);
  await notify({ event: "PARTNER_ADDED" });
  await untilStatus(w, c.phone.id, "CONNECTED");
  expect(lines("a channel is connected")).toEqual([expect.objectContaining({ level: "info", ...known })]);
});

test("a phone that its owner disconnects is no warning", async () => {
  await w.gateway(`/v1/phones/${c.phone.id}/logout`, { key: c.key, method: "POST" });
  await w.settle();
  expect([(await phone()).stateReason, lines("a channel is lost")]).toEqual(["LOGOUT", []]);
});

test("a channel of the platform says it too, where it is known", async () => {
  const who = await customer(w);
  const channel = await connectedChannel(w, who);
  const read = async () => made(await w.platform(`/v1/channels/${channel.id}`, { key: who.key }), 200);
  expect(await read()).not.toHaveProperty("statusReason");
  w.graph.expireToken(channel.accessToken);
  await w.platform(`/v1/channels/${channel.id}/messages/text`, {
    key: who.key,
    body: { to: "5511999990001", text: "olá" },
  });
  await untilStatus(w, channel.id, "TOKEN_EXPIRED");
  expect(await read()).toMatchObject({ status: "DISCONNECTED", statusReason: "TOKEN_EXPIRED", statusSince: now() });
});
