import { describe, expect, test } from "bun:test";
import type { Arrived, Receiver } from "../../../support/servers/receiver.ts";
import { changeWebhook, simulatedSender, webhookAt, webhookOf } from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";

const w = useWorld();

const HOUR = 3_600_000;
const idsOf = (arrived: readonly Arrived[]): string[] => arrived.map(({ body }) => body.messageId);

describe("a webhook that loses events", () => {
  test("P-264 P-265 P-269 counts events whose attempts all failed; the fifth in a row disables it", async () => {
    const { who, hook, id } = await failing({ maxRetries: 1, retryDelay: 5000 });
    for (let lost = 1; lost <= 5; lost++) {
      await who.send();
      expect(await webhookOf(w, who.key, id)).toMatchObject({
        consecutiveFailures: lost - 1,
        active: true,
        lastFailedAt: new Date(w.clock.now()).toISOString(),
      });
      await w.advance(5000);
      expect(await webhookOf(w, who.key, id)).toMatchObject({ consecutiveFailures: lost, active: lost < 5 });
      await w.advance(HOUR); // long enough for the breaker to have closed
    }
    expect(hook.arrived).toHaveLength(10);
    expect((await w.platform("/v1/webhooks", { key: who.key })).body.data[0]).toMatchObject({
      consecutiveFailures: 5,
      active: false,
    });
  });

  test("P-269 a success in between sets the count to zero", async () => {
    const { who, hook, id } = await failing({ maxRetries: 0 });
    for (let n = 0; n < 4; n++) await who.send();
    expect((await webhookOf(w, who.key, id)).consecutiveFailures).toBe(4);
    hook.reply(() => new Response("ok"));
    await who.send();
    expect((await webhookOf(w, who.key, id)).consecutiveFailures).toBe(0);
    hook.reply(() => new Response(null, { status: 500 }));
    for (let n = 0; n < 4; n++) await who.send();
    expect(await webhookOf(w, who.key, id)).toMatchObject({ consecutiveFailures: 4, active: true });
    await who.send();
    expect(await webhookOf(w, who.key, id)).toMatchObject({ consecutiveFailures: 5, active: false });
  });

  test("P-282 one that is disabled does not keep others from receiving", async () => {
    const { who } = await disabled();
    const healthy = w.receiver();
    await webhookAt(w, who.key, healthy);
    await who.send();
    expect(healthy.arrived).toHaveLength(1);
  });
});

describe("a disabled webhook", () => {
  test("P-270 receives nothing, neither new events nor the retries that waited, however long it stays so", async () => {
    const { who, hook, id } = await failing({ maxRetries: 1, retryDelay: 300_000 });
    await who.send(); // its retry waits
    await changeWebhook(w, who.key, id, { retryPolicy: { maxRetries: 0 } });
    for (let n = 0; n < 5; n++) await who.send();
    expect((await webhookOf(w, who.key, id)).active).toBe(false);
    const before = hook.arrived.length;
    await who.send();
    await w.advance(24 * HOUR);
    expect(hook.arrived).toHaveLength(before);
  });

  test("P-271 when it is activated it gets each missed and each waiting event once, in order", async () => {
    const { who, hook, id } = await disabled();
    const missed = [await who.send(), await who.send(), await who.send()];
    await w.advance(24 * HOUR);
    expect(hook.arrived).toEqual([]);
    expect(await changeWebhook(w, who.key, id, { active: true })).toMatchObject({
      active: true,
      consecutiveFailures: 0,
    });
    await w.settle();
    expect(idsOf(hook.arrived)).toEqual(missed);
    expect(hook.arrived.map(({ headers }) => headers["x-webhook-attempt"])).toEqual(["1", "1", "1"]);
    await w.advance(HOUR);
    const next = await who.send();
    expect(idsOf(hook.arrived)).toEqual([...missed, next]);
  });

  test("P-271 it does so at once, even when its endpoint had failed so often that it was given a pause", async () => {
    const { who, hook, id } = await failing({ maxRetries: 1, retryDelay: 5000 });
    for (let n = 0; n < 5; n++) await who.send();
    await w.advance(5000); // ten failures within two minutes, and five events lost
    expect((await webhookOf(w, who.key, id)).active).toBe(false);
    const missed = await who.send();
    hook.reply(() => new Response("ok"));
    const before = hook.arrived.length;
    await changeWebhook(w, who.key, id, { active: true });
    await w.settle();
    expect(idsOf(hook.arrived.slice(before))).toEqual([missed]);
  });

  test("P-273 EP-P08 when it is deleted its paused deliveries are deleted, and no others", async () => {
    const [gone, kept] = [await disabled(), await disabled()];
    await gone.who.send();
    const missed = await kept.who.send();
    const paused = () =>
      w.app.env.db.read((reader) =>
        reader.rows(
          "SELECT subscription_id AS id FROM deliveries WHERE status = 'PAUSED' AND subscription_id IN (?1, ?2)",
          [gone.id, kept.id],
        ),
      );
    expect(await paused()).toHaveLength(2);
    expect((await w.platform(`/v1/webhooks/${gone.id}`, { key: gone.who.key, method: "DELETE" })).status).toBe(204);
    await w.settle();
    expect(await paused()).toEqual([{ id: kept.id }]);
    await changeWebhook(w, kept.who.key, kept.id, { active: true });
    await w.settle();
    expect([gone.hook.arrived, idsOf(kept.hook.arrived)]).toEqual([[], [missed]]);
  });

  test("P-271 what was kept for it survives a restart", async () => {
    const { who, hook, id } = await disabled();
    const missed = await who.send();
    await w.restart();
    await changeWebhook(w, who.key, id, { active: true });
    await w.settle();
    expect(idsOf(hook.arrived)).toEqual([missed]);
  });

  test("P-270 P-271 other changes leave it disabled; repeated activation sends nothing twice", async () => {
    const { who, hook, id } = await disabled();
    const missed = await who.send();
    expect(await changeWebhook(w, who.key, id, { name: "Renamed" })).toMatchObject({
      active: false,
      consecutiveFailures: 5,
    });
    await w.settle();
    expect(hook.arrived).toEqual([]);
    for (let n = 0; n < 3; n++) await changeWebhook(w, who.key, id, { active: true });
    await w.settle();
    await changeWebhook(w, who.key, id, { active: true });
    await w.settle();
    expect(idsOf(hook.arrived)).toEqual([missed]);
  });

  test("P-269 P-271 one that fails on is disabled again after five more, and keeps again", async () => {
    const { who, hook, id } = await disabled();
    await changeWebhook(w, who.key, id, { active: true });
    hook.reply(() => new Response(null, { status: 500 }));
    for (let n = 0; n < 5; n++) await who.send();
    expect(await webhookOf(w, who.key, id)).toMatchObject({ active: false, consecutiveFailures: 5 });
    hook.reply(() => new Response("ok"));
    const before = hook.arrived.length;
    const missed = await who.send();
    expect(hook.arrived).toHaveLength(before);
    await changeWebhook(w, who.key, id, { active: true });
    await w.settle();
    expect(idsOf(hook.arrived.slice(before))).toEqual([missed]);
  });
});

test("P-271 what waited for a retry when its owner switched the webhook off is sent once it is on again", async () => {
  const { who, hook, id } = await failing({ maxRetries: 3, retryDelay: 5000 });
  const waiting = await who.send();
  await changeWebhook(w, who.key, id, { active: false });
  await w.advance(HOUR);
  expect(hook.arrived).toHaveLength(1);
  hook.reply(() => new Response("ok"));
  await changeWebhook(w, who.key, id, { active: true });
  await w.settle();
  expect(idsOf(hook.arrived)).toEqual([waiting, waiting]);
});

type Failing = { who: Awaited<ReturnType<typeof simulatedSender>>; hook: Receiver; id: string };

/** A customer with a webhook whose endpoint answers 500. */
const failing = async (retryPolicy: object): Promise<Failing> => {
  const who = await simulatedSender(w);
  const hook = w.receiver();
  hook.reply(() => new Response(null, { status: 500 }));
  return { who, hook, id: await webhookAt(w, who.key, hook, { retryPolicy }) };
};

/** The same, disabled by five lost events; its endpoint works by now and has forgotten them. */
const disabled = async (): Promise<Failing> => {
  const broken = await failing({ maxRetries: 0 });
  for (let n = 0; n < 5; n++) await broken.who.send();
  if ((await webhookOf(w, broken.who.key, broken.id)).active !== false) throw new Error("the webhook is not disabled");
  broken.hook.reply(() => new Response("ok"));
  broken.hook.arrived.length = 0;
  return broken;
};
