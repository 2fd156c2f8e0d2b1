import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { clientOf } from "../../support/client.ts";
import { addStrictPhone } from "../../support/customers/strict-phone.ts";
import { startGraph } from "../../support/graph/index.ts";
import { type Disk, readDatabase } from "../../support/processes/aftermath.ts";
import { retryWebhooks, settingsUnderFire } from "../../support/processes/burst.ts";
import { processes, quietPort } from "../../support/processes/process.ts";
import { settleWork } from "../../support/processes/under-faults.ts";
import { roundsOf } from "../../support/rounds.ts";
import { nextSeed } from "../../support/seeds.ts";
import { startReceiver } from "../../support/servers/receiver.ts";
import { realTime } from "../../support/waiting.ts";
import { ADMIN_TOKEN } from "../../support/world.ts";

const ROUNDS = roundsOf(4);
const SEED = Number(process.env["RECADO_CRASH_SEED"] ?? nextSeed());
const CHATS = Array.from({ length: 6 }, (_, index) => `551199999020${index}`);
const PER_ROUND = 5;
const REFUSED_SHARE = 0.25;

const { dataDir, serve } = processes();
const graph = startGraph();
const receiver = startReceiver();
afterAll(() => Promise.all([receiver.stop(), graph.stop()]));

test(
  `kill -9 at any moment never changes the order of a chat (${ROUNDS} rounds, SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED);
    receiver.reply(() => new Response("", { status: random.float() < REFUSED_SHARE ? 500 : 200 }));
    const settings = {
      RECADO_DATA_DIR: dataDir(),
      RECADO_LISTEN: `127.0.0.1:${await quietPort()}`,
      ...settingsUnderFire(graph),
      RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
      RECADO_GATEWAY_RATE: "1000000",
    };
    let server = await serve(settings);
    const phoneNumberId = (await addStrictPhone(clientOf(server, ADMIN_TOKEN), { graph, url: receiver.url }))
      .phoneNumberId;
    retryWebhooks(graph, server);
    for (let round = 0; round < ROUNDS; round++) {
      const posted = post(phoneNumberId, round);
      await realTime(random.float() * 150);
      server.signal("SIGKILL");
      await server.ended;
      server = await serve(settings);
      await posted;
    }
    await settleWork(graph, server, settings.RECADO_DATA_DIR);
    server.signal("SIGTERM");
    await server.ended;
    const disk = readDatabase(join(settings.RECADO_DATA_DIR, "recado.db"));
    expect([disk.deliveries.length, disk.discardedJobs]).toEqual([ROUNDS * CHATS.length * PER_ROUND, []]);
    expect(disk.deliveries.filter(({ status }) => status !== "DELIVERED")).toEqual([]);
    expect(chatsOutOfOrder(disk)).toEqual([]);
  },
  ROUNDS * 20_000 + 90_000,
);

const post = (phoneNumberId: string, round: number): Promise<unknown> =>
  Promise.all(
    CHATS.map(async (from) => {
      for (let n = 0; n < PER_ROUND; n++) await graph.inbound.text({ to: phoneNumberId, from, text: `${round}-${n}` });
    }),
  );

/** The chats of which an event arrived after a later one. A repeat of the last one is allowed. */
const chatsOutOfOrder = ({ events }: Disk): string[] => {
  const seqOf = new Map(events.map(({ id, seq }) => [id, seq]));
  const arrived = Map.groupBy(receiver.arrived, ({ body }) => body.data.chat.canonicalKey as string);
  return [...arrived].flatMap(([chat, of]) => {
    const seqs = of.map(({ body }) => seqOf.get(body.id) ?? Number.NaN);
    return seqs.every((seq, index) => index === 0 || seq >= (seqs[index - 1] ?? 0))
      ? []
      : [`${chat}: ${seqs.join(" ")}`];
  });
};
