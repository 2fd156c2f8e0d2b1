import { expect, test } from "bun:test";
import type { Arrived } from "../../../support/servers/receiver.ts";
import {
  changeWebhook,
  logsOf,
  made,
  sendText,
  simulatedSender,
  webhookAt,
  webhookOf,
} from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";
import { untilTrue } from "../../../support/waiting.ts";

const w = useWorld();

const idsOf = (arrived: readonly Arrived[]): string[] => arrived.map(({ body }) => body.messageId);

test("P-271 what happens while a backlog goes out comes after it: every event arrives once, in its order", async () => {
  const { who, hook, id } = await disabled();
  const missed = [];
  for (let n = 0; n < 250; n++) missed.push(await who.send());
  const sends = Array.from({ length: 30 }, () => sendText(w, who.testKey, who.channelId));
  const activated = changeWebhook(w, who.key, id, { active: true });
  for (const send of await Promise.all(sends)) missed.push(made(send, 202).messageId);
  await activated;
  await w.settle();
  expect(idsOf(hook.arrived).slice(0, 250)).toEqual(missed.slice(0, 250));
  expect([hook.arrived.length, new Set(idsOf(hook.arrived))]).toEqual([missed.length, new Set(missed)]);
});

test("P-270 P-271 one that is disabled again while its backlog is sent keeps the rest, and gets nothing", async () => {
  const { who, hook, id } = await disabled();
  const missed = [];
  for (let n = 0; n < 250; n++) missed.push(await who.send());
  await Promise.all([
    changeWebhook(w, who.key, id, { active: true }),
    changeWebhook(w, who.key, id, { active: false }),
  ]);
  await w.settle();
  const arrived = hook.arrived.length;
  expect(arrived).toBeLessThan(250);
  await changeWebhook(w, who.key, id, { active: true });
  await w.settle();
  expect(idsOf(hook.arrived)).toEqual(missed);
});

test("P-269 P-271 one whose endpoint still fails is disabled after five more, and loses only those", async () => {
  const { who, hook, id } = await disabled();
  const missed = [];
  for (let n = 0; n < 250; n++) missed.push(await who.send());
  hook.reply(() => new Response(null, { status: 500 }));
  await changeWebhook(w, who.key, id, { active: true });
  await w.settle();
  expect((await webhookOf(w, who.key, id)).active).toBe(false);
  const lost = new Set(idsOf(hook.arrived));
  hook.arrived.length = 0;
  hook.reply(() => new Response("ok"));
  await changeWebhook(w, who.key, id, { active: true });
  await w.settle();
  expect(idsOf(hook.arrived)).toEqual(missed.filter((one) => !lost.has(one)));
  expect(lost.size).toBe(5);
});

test("P-269 P-270 P-271 deliveries in flight while a webhook is disabled and activated end; each event comes once", async () => {
  const who = await simulatedSender(w);
  const hook = w.receiver();
  const id = await webhookAt(w, who.key, hook, { retryPolicy: { maxRetries: 0 } });
  await who.send(); // a good answer: from now on eight at once
  const answers: ((response: Response) => void)[] = [];
  hook.reply(() => new Promise<Response>((resolve) => void answers.push(resolve)));
  for (let n = 0; n < 10; n++) made(await sendText(w, who.testKey, who.channelId, { to: `551199999000${n}` }), 202);
  await hook.received(9);
  const answer = async (n: number, status: number) => {
    answers[n]?.(new Response(null, { status }));
    await untilTrue(async () => (await logsOf(w, who.key, id)).length >= n + 2);
  };
  for (let n = 0; n < 5; n++) await answer(n, 500);
  expect(await webhookOf(w, who.key, id)).toMatchObject({ active: false, consecutiveFailures: 5 });
  await answer(5, 500);
  await answer(6, 200);
  expect(await webhookOf(w, who.key, id)).toMatchObject({ active: false, consecutiveFailures: 6 });

  hook.reply(() => new Response("ok"));
  expect(await changeWebhook(w, who.key, id, { active: true })).toMatchObject({ active: true, consecutiveFailures: 0 });
  await answer(7, 500);
  await w.settle();
  expect((await webhookOf(w, who.key, id)).active).toBe(true);
  expect(hook.arrived.slice(1).map(({ body }) => body.to)).toEqual(
    Array.from({ length: 10 }, (_, n) => `551199999000${n}`),
  );
});

/** A customer with a webhook that five lost events have disabled; its endpoint works by now and has forgotten them. */
const disabled = async () => {
  const who = await simulatedSender(w);
  const hook = w.receiver();
  hook.reply(() => new Response(null, { status: 500 }));
  const id = await webhookAt(w, who.key, hook, { retryPolicy: { maxRetries: 0 } });
  for (let n = 0; n < 5; n++) await who.send();
  if ((await webhookOf(w, who.key, id)).active !== false) throw new Error("the webhook is not disabled");
  hook.reply(() => new Response("ok"));
  hook.arrived.length = 0;
  return { who, hook, id };
};
