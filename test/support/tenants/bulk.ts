import { afterEach } from "bun:test";
import type { PlatformPlan } from "../../../src/core/tenancy/accounts/accounts.ts";
import { MINUTE_MS } from "../../../src/kernel/clock.ts";
import { rowsOf } from "../customers/customer.ts";
import { newSessionPhone, type SessionNetwork, sessionNetwork } from "../session/scripted-sends.ts";
import { useEach, useWorld } from "../use-world.ts";
import { attempts } from "../waiting.ts";
import type { Answer, World } from "../world.ts";
import { type Customer, customer, gatewayKeyOf, made } from "./platform.ts";

export type Sender = Customer & { channelId: string };

/** An institution with a CHAT_SESSION channel that is connected to the scripted network. */
export const bulkSender = async (w: World, plan?: PlatformPlan): Promise<Sender> => {
  const who = await customer(w, plan);
  return { ...who, channelId: await newSessionPhone(w, await gatewayKeyOf(w, who)) };
};

/** A world with the scripted network for the tests of a file, and before each test a new sender. */
export const useSender = (): { w: World; network: SessionNetwork; who: Sender } => {
  const network = sessionNetwork();
  const w = useWorld({ plugins: [network.plugin] });
  const who = useEach(async () => {
    await w.advance(MINUTE_MS);
    return bulkSender(w);
  });
  afterEach(() => w.platform(`/v1/channels/${who.channelId}`, { key: who.key, method: "DELETE" }));
  return { w, network, who };
};

/** So many different numbers. */
export const numbers = (count: number, first = 0): string[] =>
  Array.from({ length: count }, (_, index) => `55118${String(10_000_000 + first + index)}`);

/** POST /v1/bulk: by default a text to two people, 1000 ms apart without jitter. */
export const postBatch = (
  w: World,
  { key, channelId }: Pick<Sender, "key" | "channelId">,
  fields: object = {},
): Promise<Answer> =>
  w.platform("/v1/bulk", {
    key,
    body: { channelId, text: "olá", recipients: numbers(2), delay: 1000, jitter: 0, ...fields },
  });

/** Makes a batch, and gives its id. Throws if it is refused. */
export const newBatch = async (
  w: World,
  who: Pick<Sender, "key" | "channelId">,
  fields: object = {},
): Promise<string> => made(await postBatch(w, who, fields), 202).batchId;

/** GET /v1/bulk/{batchId}, or its row in the store, because calls are limited. */
export const batchOf = async (w: World, { key }: Pick<Sender, "key">, id: string) =>
  made(await w.platform(`/v1/bulk/${id}`, { key }), 200);

export const cancel = (w: World, { key }: Pick<Sender, "key">, id: string): Promise<Answer> =>
  w.platform(`/v1/bulk/${id}/cancel`, { key, method: "POST" });

/** The texts that a channel's recipients got, in order, with their times. */
export const sentBy = (network: SessionNetwork, channelId: string): { at: number; to: string; text: string }[] =>
  network.sent.flatMap(({ at, order, channelId: id }) =>
    id === channelId && order.type === "text"
      ? [{ at, to: order.to.replace("pn:", ""), text: order.content.text }]
      : [],
  );

/** The milliseconds between each of these times and the time before. */
export const gaps = (times: readonly number[]): number[] => times.slice(1).map((at, index) => at - (times[index] ?? 0));

/**
 * Lets time pass from one due job to the next, so that each runs at its exact moment. Ends when no further job is due
 * within the span.
 */
export const passes = async (w: World, spanMs: number): Promise<void> => {
  const until = w.clock.now() + spanMs;
  await w.settle();
  for (const checkLimit = attempts(); ; checkLimit()) {
    const [next] = await rowsOf<{ at: number | null }>(
      w,
      "SELECT min(next_at) AS at FROM queues WHERE next_at IS NOT NULL",
    );
    const at = next?.at ?? until;
    if (at >= until) return w.advance(until - w.clock.now());
    await w.advance(Math.max(0, at - w.clock.now()));
  }
};

/** All traces of batches, which a refusal must not change. */
export const batchRows = (w: World, { id }: Pick<Customer, "id">) =>
  rowsOf(
    w,
    "SELECT b.*, r.*, j.id AS job FROM batches b LEFT JOIN batch_recipients r ON r.batch_id = b.id LEFT JOIN jobs j ON j.unique_key = 'bulk:' || b.id WHERE b.tenant_id = ?1 ORDER BY b.id, r.position",
    [id],
  );
