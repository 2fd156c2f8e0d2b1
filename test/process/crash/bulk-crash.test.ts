import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { clientOf } from "../../support/client.ts";
import { startGraph } from "../../support/graph/index.ts";
import { readDatabase, waitingJobs } from "../../support/processes/aftermath.ts";
import { retryWebhooks, settingsUnderFire } from "../../support/processes/burst.ts";
import { processes, quietPort, type Server } from "../../support/processes/process.ts";
import { roundsOf } from "../../support/rounds.ts";
import { nextSeed } from "../../support/seeds.ts";
import { startReceiver } from "../../support/servers/receiver.ts";
import { numbers } from "../../support/tenants/bulk.ts";
import { afterRealTime, pauses, untilTrue } from "../../support/waiting.ts";
import { ADMIN_TOKEN, addWabaNumber, WEBHOOK_SECRET } from "../../support/world.ts";

const ROUNDS = roundsOf(8);
const SEED = Number(process.env["RECADO_CRASH_SEED"] ?? nextSeed());
const BATCHES = 3;
const PER_BATCH = 8 * ROUNDS;
const LONGEST_ROUND_MS = 400;
/** Less than the pace of a batch: the crash may come while nobody is written to. */
const STEP_MS = 400;
/** Longer than the pace of a batch. */
const MOST_STEPS = 10;
const WAIT_MS = 61_000;

const { dataDir, serve } = processes(afterAll);
const graph = startGraph();
const receiver = startReceiver();
afterAll(() => Promise.all([receiver.stop(), graph.stop()]));

type BatchView = {
  batchId: string;
  status: string;
  total: number;
  sent: number;
  failed: number;
  pending: number;
  errors: { to: string; code: string }[];
};

test(
  `kill -9 at any moment of three batches: nobody is written to twice, everybody is or is named, and the counts are the network's (${ROUNDS} rounds, SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED);
    const settings = await settingsOf(dataDir());
    let server = await serve(settings);
    retryWebhooks(graph, server);
    const { key, channelId } = await connectedChannel(server);
    const ids: string[] = [];
    for (let n = 0; n < BATCHES; n++) {
      const recipients = people(n).map((to) => ({ to, variables: { to } }));
      ids.push(
        (
          await platform<BatchView>(server, "/v1/bulk", key, {
            channelId,
            text: "Olá {{to}}",
            recipients,
            delay: 1000,
            jitter: 0.3,
          })
        ).batchId,
      );
    }
    for (let round = 0; round < ROUNDS; round++) {
      const killed = server;
      const sentBefore = graph.sent.size;
      // else a slow machine dies again and again before it sends anything; at the end nothing may be left to send
      for (let step = 0; step < MOST_STEPS && graph.sent.size === sentBefore; step++) await passes(killed, STEP_MS);
      afterRealTime(random.float() * LONGEST_ROUND_MS, () => killed.signal("SIGKILL"));
      await untilTrue(async () => !(await passes(server, STEP_MS).catch(() => undefined))); // until nobody answers
      await server.ended;
      server = await serve(settings);
    }
    const underFire = graph.sent.size;
    await settle(server, settings.RECADO_DATA_DIR);
    const batches: BatchView[] = [];
    for (const id of ids) batches.push(await platform<BatchView>(server, `/v1/bulk/${id}`, key));
    server.signal("SIGTERM");
    expect((await server.ended).code).toBe(0);
    const disk = readDatabase(join(settings.RECADO_DATA_DIR, "recado.db"));
    expect([disk.integrity, disk.discardedJobs]).toEqual([["ok"], []]);
    const figures = {
      rounds: ROUNDS,
      seed: SEED,
      people: BATCHES * PER_BATCH,
      taken: graph.sent.size,
      underFire,
      uncertain: batches.reduce((sum, { failed }) => sum + failed, 0),
    };
    console.log(JSON.stringify(figures));
    expect(underFire).toBeGreaterThanOrEqual(ROUNDS);
    for (const [n, batch] of batches.entries()) expectKept(people(n), batch);
    const received = new Map(receiver.arrived.map(({ body }) => [body.id, `${body.type} ${body.batchId}`]));
    expect([...received.values()].toSorted()).toEqual(ids.map((id) => `bulk.completed ${id}`).toSorted());
  },
  ROUNDS * 15_000 + 60_000,
);

const people = (batch: number): string[] => numbers(PER_BATCH, batch * 1_000_000);

/** What the network has of a batch, and what the batch says. */
const expectKept = (wanted: readonly string[], { status, total, sent, failed, pending, errors }: BatchView): void => {
  const written = [...graph.sent.values()]
    .map(({ body }) => (body["text"] as { body: string }).body.replace("Olá ", ""))
    .filter((to) => wanted.includes(to));
  expect(written.toSorted()).toEqual([...new Set(written)].toSorted());
  // killed between the note that a try begins and the call
  expect(errors.filter(({ code }) => code !== "OUTCOME_UNKNOWN")).toEqual([]);
  expect([...written, ...errors.map(({ to }) => to)].toSorted()).toEqual(wanted.toSorted());
  expect({ status, total, sent, failed, pending }).toEqual({
    status: "COMPLETED",
    total: wanted.length,
    sent: written.length,
    failed: errors.length,
    pending: 0,
  });
};

const settingsOf = async (dir: string) => ({
  RECADO_DATA_DIR: dir,
  RECADO_LISTEN: `127.0.0.1:${await quietPort()}`,
  ...settingsUnderFire(graph),
  RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
  RECADO_PLATFORM_DEFAULT_PLAN: "ENTERPRISE",
});

/** Asks the platform; a body makes it a POST. Throws when it is not answered with 2xx. */
const platform = async <View>(
  { url }: Pick<Server, "url">,
  path: string,
  credential: string,
  body?: object,
): Promise<View> => {
  const headers = {
    "content-type": "application/json",
    ...(credential === "" ? {} : { authorization: `Bearer ${credential}` }),
  };
  const answer = await fetch(`${url}/platform${path}`, {
    method: body ? "POST" : "GET",
    headers,
    keepalive: false,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${text}`);
  return JSON.parse(text) as View;
};

/** An institution with a connected channel, and a webhook that receives how batches end. */
const connectedChannel = async (server: Server): Promise<{ key: string; channelId: string }> => {
  const register = { name: "A", email: "a@example.com", password: "password-1", institutionName: "B" };
  const { token } = await platform<{ token: string }>(server, "/v1/auth/register", "", register);
  const permissions = ["channels.write", "channels.read", "bulk-send.write", "bulk-send.read", "webhooks.write"];
  const { key } = await platform<{ key: string }>(server, "/v1/api-keys", token, {
    name: "A key",
    permissions,
    rateLimit: 10_000,
  });
  const { number: _, ...credentials } = addWabaNumber(graph);
  const { id } = await platform<{ id: string }>(server, "/v1/channels", key, {
    name: "A channel",
    type: "CHAT_WABA",
    credentials,
  });
  const events = ["bulk.completed", "bulk.failed"];
  await platform(server, "/v1/webhooks", key, { name: "A webhook", url: receiver.url, events, secret: WEBHOOK_SECRET });
  await platform(server, `/v1/channels/${id}/connect`, key, {});
  await untilTrue(
    async () => (await platform<{ status: string }>(server, `/v1/channels/${id}`, key)).status === "CONNECTED",
  );
  return { key, channelId: id };
};

/** Lets time pass; the time it is then. */
const passes = async (server: Server, advanceMs: number): Promise<number> =>
  Date.parse((await clientOf(server, ADMIN_TOKEN).admin<{ now: string }>("/clock", { advanceMs })).now);

/** Until nothing is left to do: what is due first, and then time passes for what waits. */
const settle = async (server: Server, dir: string): Promise<void> => {
  for (const pause = pauses(); ; await pause()) {
    await graph.webhooks.settled();
    const { all, due } = waitingJobs(join(dir, "recado.db"), await passes(server, 0));
    if (all === 0) return;
    if (due === 0) await passes(server, WAIT_MS);
  }
};
