import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { seededRandom } from "../../src/conformance/seeded-random.ts";
import { startGraph } from "../support/graph/index.ts";
import { brokenPromises, readDatabase } from "../support/processes/aftermath.ts";
import { createBurst, retryWebhooks } from "../support/processes/burst.ts";
import { type Ended, processes } from "../support/processes/process.ts";
import { connectedPhones, settingsUnderFaults, settleWork } from "../support/processes/under-faults.ts";
import { roundsOf } from "../support/rounds.ts";
import { nextSeed } from "../support/seeds.ts";
import { startReceiver } from "../support/servers/receiver.ts";
import { createTicks } from "../support/ticks.ts";

const ROUNDS = roundsOf(20);
const SEED = Number(process.env["RECADO_CRASH_SEED"] ?? nextSeed());
/** So much is accepted and delivered before the stop. */
const LONGEST_ROUND = 200;

const { dataDir, serve } = processes();
const graph = startGraph();
const receiver = startReceiver();
afterAll(() => Promise.all([receiver.stop(), graph.stop()]));

test(
  `a stop in the middle of traffic logs no error, loses nothing, and leaves no send uncertain (${ROUNDS} rounds, SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED);
    const ticks = createTicks();
    receiver.reply(() => (ticks.tick(), new Response("")));
    const settings = await settingsUnderFaults(graph, dataDir());
    let server = await serve(settings);
    const burst = createBurst(graph, await connectedPhones(graph, receiver, server), random, ticks.tick);
    retryWebhooks(graph, server);
    for (let round = 0; round < ROUNDS; round++) {
      const isStopped = ticks.after(Math.ceil(random.float() * LONGEST_ROUND)).then(() => server.signal("SIGTERM"));
      await Promise.all([isStopped, burst.run(server.url)]);
      const ended = await server.ended;
      expect([ended.code, errorsOf(ended)]).toEqual([0, []]);
      server = await serve(settings);
      await burst.repeatKeyed(server.url);
    }
    await settleWork(graph, server, settings.RECADO_DATA_DIR);
    server.signal("SIGTERM");
    const ended = await server.ended;
    expect([ended.code, errorsOf(ended)]).toEqual([0, []]);
    const disk = readDatabase(join(settings.RECADO_DATA_DIR, "recado.db"));
    const broken = brokenPromises(disk, burst, graph, receiver.arrived);
    expect(Object.entries(broken).filter(([, cases]) => cases.length > 0)).toEqual([]);
    expect(disk.messages.filter(({ status }) => status === "FAILED")).toEqual([]);
    expect([burst.wanted.length, burst.inbound.length].every((count) => count > ROUNDS)).toBe(true);
  },
  ROUNDS * 15_000 + 60_000,
);

/** What a server printed beside that it is ready: only errors are logged. */
const errorsOf = ({ out, err }: Ended): string[] =>
  `${out}\n${err}`.split("\n").filter((line) => line !== "" && !line.startsWith('{"event":"ready"'));
