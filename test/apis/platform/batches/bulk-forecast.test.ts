import { describe, expect, test } from "bun:test";
import { planLimits } from "../../../../src/core/tenancy/accounts/plans.ts";
import { DAY_MS, HOUR_MS, iso, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import type { ChannelId } from "../../../../src/kernel/ids.ts";
import { updateChannel } from "../../../../src/store/tables/channels/channels.ts";
import { EVERY_TENANT } from "../../../../src/store/tables/scope.ts";
import { addContact } from "../../../support/customers/contacts.ts";
import { knownTemplate } from "../../../support/customers/templates.ts";
import { newSessionPhone, sessionNetwork } from "../../../support/session/scripted-sends.ts";
import { newBatch, numbers } from "../../../support/tenants/bulk.ts";
import { type Customer, customer, gatewayKeyOf, wabaChannel } from "../../../support/tenants/platform.ts";
import { everyRow } from "../../../support/tenants/tenant.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const network = sessionNetwork();
const w = useWorld({ plugins: [network.plugin] });

type Sender = Customer & { gatewayKey: string; session: string; official: Awaited<ReturnType<typeof w.wabaPhone>> };
const who = useEach(async (): Promise<Sender> => {
  const one = await customer(w, "STARTER");
  const gatewayKey = await gatewayKeyOf(w, one);
  const official = await w.wabaPhone(gatewayKey);
  await knownTemplate(w, official.id);
  await knownTemplate(w, official.id, { name: "offer", category: "MARKETING" });
  return { ...one, gatewayKey, official, session: await newSessionPhone(w, gatewayKey) };
});
const changed = (id: string, changes: object) =>
  w.app.env.db.write((tx) => updateChannel(tx, EVERY_TENANT, id as ChannelId, changes));

const forecast = async (body: object) => {
  const before = await everyRow(w);
  const answer = await w.platform("/v1/bulk/forecast", {
    key: who.key,
    body: { channelId: who.official.id, to: numbers(3), ...body },
  });
  expect(await everyRow(w)).toEqual(before);
  return answer;
};
const of = async (body: object) => {
  const { status, body: found, text } = await forecast(body);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return found;
};

describe("POST /v1/bulk/forecast", () => {
  test("has the price by country in millionths, and counts what is not known apart from it", async () => {
    const to = [...numbers(3), "14155550100"]; // no price in BRL is known for the last one
    expect((await of({ template: { name: "offer" }, to })).cost).toEqual({
      isCharged: true,
      category: "MARKETING",
      currency: "BRL",
      amountMicros: 3 * 321_700,
      rated: 3,
      unrated: 1,
      byCountry: [{ country: "BR", count: 3, amountMicros: 3 * 321_700 }],
    });
  });

  test("adds up as many as a batch may have, and what a session sends costs nothing", async () => {
    const to = numbers(10_000);
    const { cost, recipients } = await of({ template: { name: "offer" }, to });
    expect([recipients, cost.rated, cost.amountMicros]).toEqual([10_000, 10_000, 10_000 * 321_700]);
    expect((await of({ channelId: who.session, to })).cost).toMatchObject({ isCharged: false, amountMicros: 0 });
    expect((await forecast({ to: [...to, "5511999999999"] })).status).toBe(400);
  });

  test("has the price of the fallback, when everybody needs it", async () => {
    const fallback = { channelId: who.official.id, template: { name: "offer" } };
    const found = await of({ channelId: who.session, fallback });
    expect([found.cost.isCharged, found.fallbackCost.amountMicros]).toEqual([false, 3 * 321_700]);
  });

  test("names who is left out, once each", async () => {
    const [one = "", two = ""] = numbers(2);
    const found = await of({ template: { name: "hello" }, to: [one, two, one, "abc", "12"] });
    expect(found).toMatchObject({
      recipients: 2,
      refused: [
        { code: "RECIPIENT_INVALID", count: 2, isWhole: false },
        { code: "DUPLICATE_RECIPIENT", count: 1, isWhole: false },
      ],
    });
  });

  test("counts those who opted out, in any spelling of their number", async () => {
    const to = ["5511987654321", "551187650000", ...numbers(1100)];
    for (const phoneNumber of ["551187654321", "5511987650000", numbers(1, 1099)[0]]) {
      const { body } = await addContact(w, who, { phoneNumber });
      await w.platform(`/v1/contacts/${body.id}/opt-out`, { key: who.key, method: "PUT" });
    }
    const channelId = who.session;
    const { refused } = await of({ to, channelId });
    expect(refused).toContainEqual({ code: "RECIPIENT_OPTED_OUT", count: 3, isWhole: false });
    expect((await of({ to: numbers(2), channelId })).refused).toEqual([]);
  });

  test("names those whom a text does not reach, because they have not written within the network's window", async () => {
    const to = numbers(3);
    await w.graph.inbound.text({ to: who.official.phoneNumberId, from: to[0] ?? "", text: "oi", at: w.clock.now() });
    await w.settle();
    expect((await of({ to })).refused).toEqual([{ code: "ANSWER_WINDOW_CLOSED", count: 2, isWhole: false }]);
    expect((await of({ to, template: { name: "hello" } })).refused).toEqual([]);
    expect((await of({ to, channelId: who.session })).refused).toEqual([]);
  });

  test("says what refuses the batch as a whole: the day, new people, batches under way, a template", async () => {
    const codes = async (body: object) => (await of(body)).refused.map(({ code }: { code: string }) => code);
    const template = { name: "hello" };
    const left = (sends: number) =>
      w.app.env.db.write(async (tx) =>
        tx.run("INSERT OR REPLACE INTO daily_sends (tenant_id, day, sends) VALUES (?1, ?2, ?3)", [
          who.id,
          Math.floor(w.clock.now() / DAY_MS),
          planLimits("STARTER").messagesPerDay - sends,
        ]),
      );
    await left(1);
    expect((await of({ template })).refused).toEqual([{ code: "DAY_LIMIT_REACHED", count: 2, isWhole: true }]);
    await left(1000);
    await changed(who.official.id, { profile: { newPeoplePerDay: 2 } });
    expect((await of({ template })).refused).toEqual([{ code: "NEW_PEOPLE_LIMIT_REACHED", count: 1, isWhole: true }]);
    await w.app.env.db.write(async (tx) =>
      tx.run("UPDATE templates SET status = 'PAUSED' WHERE channel_id = ?1", [who.official.id]),
    );
    expect(await codes({ template, to: numbers(2) })).toEqual(["TEMPLATE_NOT_APPROVED"]);
    for (let at = 0; at < 3; at++)
      await newBatch(w, { key: who.key, channelId: who.session }, { paused: true, recipients: numbers(1, at) });
    expect(await codes({ channelId: who.session })).toEqual(["BATCH_LIMIT_REACHED"]);
  });

  test("counts new people over all batches of 24 hours, without those who wrote, however much came in between", async () => {
    const template = { name: "hello" };
    const excess = async (to: readonly string[]) => (await of({ template, to })).refused;
    await changed(who.official.id, { profile: { newPeoplePerDay: 1500 } });
    const sender = { key: who.key, channelId: who.official.id };
    for (const recipients of [numbers(1000), numbers(400, 1000)])
      await newBatch(w, sender, { paused: true, text: undefined, template, recipients });
    const more = (count: number) => numbers(1700).slice(-count);
    expect(await excess(more(100))).toEqual([]);
    expect(await excess([...numbers(50), ...more(100)])).toEqual([]); // 50 of them are in the batch already
    expect(await excess(more(103))).toEqual([{ code: "NEW_PEOPLE_LIMIT_REACHED", count: 3, isWhole: true }]);
    await w.app.env.db.write(async (tx) =>
      tx.run(
        `INSERT INTO inbox (channel_id, provider_message_id, message_id, sender, received_at)
          SELECT 'another', value, value, 'pn:' || value, ?1 FROM json_each(?2)`,
        [w.clock.now() - HOUR_MS, JSON.stringify(numbers(1500))],
      ),
    );
    for (const from of more(3))
      await w.graph.inbound.text({ to: who.official.phoneNumberId, from, text: "oi", at: w.clock.now() });
    await w.settle();
    expect(await excess(more(103))).toEqual([]);
    w.clock.advance(DAY_MS);
    expect(await excess(more(103))).toEqual([]);
    const beyond = { code: "NEW_PEOPLE_LIMIT_REACHED", count: 2, isWhole: true };
    expect(await excess(numbers(1502))).toContainEqual(beyond); // the plan's day does not suffice either
  });

  test("says when the last message goes out, at the pace, from the start on", async () => {
    const startsAt = w.clock.now() + DAY_MS;
    expect(
      await of({ template: { name: "hello" }, startsAt: iso(startsAt), delay: MINUTE_MS, to: numbers(61) }),
    ).toMatchObject({
      startsAt: iso(startsAt),
      endsAt: iso(startsAt + HOUR_MS),
      latestEndsAt: null,
    });
  });

  test("respects the business hours, over the night too", async () => {
    const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
    const weekly = Object.fromEntries(days.map((day) => [day, [{ from: "09:00", to: "10:00" }]]));
    const put = await w.gateway(`/v1/phones/${who.official.id}/business-hours`, {
      key: who.gatewayKey,
      method: "PUT",
      body: { timeZone: "UTC", weekly },
    });
    expect(put.status).toBe(200);
    const nine = Math.ceil(w.clock.now() / DAY_MS) * DAY_MS + DAY_MS + 9 * HOUR_MS;
    const found = await of({
      template: { name: "hello" },
      startsAt: iso(nine - HOUR_MS),
      delay: MINUTE_MS,
      to: numbers(91),
      respectHours: true,
    });
    expect(found.endsAt).toBe(iso(nine + DAY_MS + 30 * MINUTE_MS));
  });

  test("says until when it takes at most, where a phone may begin so many chats a day", async () => {
    network.quota = { ok: true, value: { network: null, own: { limit: 2, used: 1, resetsAt: null } } };
    const now = w.clock.now();
    const found = await of({ channelId: who.session, to: numbers(4), startsAt: iso(now + HOUR_MS) });
    expect(found.latestEndsAt).toBe(iso(now + HOUR_MS + 2 * DAY_MS));
    network.quota = { ok: true, value: { network: null, own: null } };
  });

  test("refuses what it cannot know, by its field, and another institution's channel", async () => {
    expect((await forecast({ template: { name: "nobody" } })).body.errors[0].path).toBe("template.name");
    expect((await forecast({ startsAt: iso(w.clock.now() - 1000) })).body.errors[0].path).toBe("startsAt");
    const theirs = await wabaChannel(w, (await customer(w)).key);
    expect((await forecast({ channelId: theirs.id })).status).toBe(404);
    expect((await forecast({ fallback: { channelId: theirs.id, template: { name: "hello" } } })).status).toBe(404);
  });
});
