import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import type { Random } from "../../../src/kernel/random.ts";
import { type Failure, startGraph } from "../../support/graph/index.ts";
import { brokenPromises, type Disk, eventsReceivedBy, readDatabase } from "../../support/processes/aftermath.ts";
import { type Burst, createBurst, retryWebhooks } from "../../support/processes/burst.ts";
import { type Ended, processes, type Server, type Settings } from "../../support/processes/process.ts";
import { connectedPhones, settingsUnderFaults, settleWork } from "../../support/processes/under-faults.ts";
import { roundsOf } from "../../support/rounds.ts";
import { nextSeed } from "../../support/seeds.ts";
import { startReceiver } from "../../support/servers/receiver.ts";
import { afterRealTime, realTime } from "../../support/waiting.ts";

/** CI kills a hundred times; at night, and before a release, RECADO_CRASH_ROUNDS=1000. */
const ROUNDS = roundsOf(100);
const SEED = Number(process.env["RECADO_CRASH_SEED"] ?? nextSeed());
/** A customer's endpoint has its bad moments too. */
const REFUSED_SHARE = 0.03;
/** A send may be taken by the network, or not, although its answer never comes; the crash finds it so. */
const TROUBLED_SHARE = 0.06;
/** Some crashes are followed by another one while the process comes up again. */
const KILLED_AT_START_SHARE = 0.3;
const START_MS = 250;
/** Ticks until the crash: mostly few. */
const LONGEST_ROUND = 400;

const { dataDir, serve, spawn } = processes();
const graph = startGraph();
const receiver = startReceiver();
afterAll(() => Promise.all([receiver.stop(), graph.stop()]));

test(
  `kill -9 at any moment loses nothing that was answered and sends nothing twice (${ROUNDS} rounds, SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED);
    const trigger = createTrigger();
    const customer = createCustomer(random, trigger.tick);
    const settings = await settingsUnderFaults(graph, dataDir());
    let server = await serve(settings);
    const burst = createBurst(graph, await connectedPhones(graph, receiver, server), random, () => {
      if (random.float() < TROUBLED_SHARE) graph.failNext(1, troubleOf(random));
      trigger.tick();
    });
    retryWebhooks(graph, server);
    for (let round = 0; round < ROUNDS; round++) {
      const isKilled = trigger.after(Math.ceil(random.float() ** 2 * LONGEST_ROUND), () => killSoon(server, random));
      await Promise.all([isKilled, burst.run(server.url)]);
      graph.clearFailures();
      expect(faultsOf(await server.ended)).toEqual([]);
      if (random.float() < KILLED_AT_START_SHARE) await killedWhileStarting(settings, random.float() * START_MS);
      server = await serve(settings);
      await burst.repeatKeyed(server.url);
      await burst.look(server.url);
    }
    await settleWork(graph, server, settings.RECADO_DATA_DIR);
    server.signal("SIGTERM");
    const ended = await server.ended;
    expect([ended.code, faultsOf(ended)]).toEqual([0, []]);
    const disk = readDatabase(join(settings.RECADO_DATA_DIR, "recado.db"));
    console.log(
      JSON.stringify({ rounds: ROUNDS, seed: SEED, ...figuresOf(disk, burst), refusedByCustomer: customer.refused() }),
    );
    const broken = brokenPromises(disk, burst, graph, receiver.arrived);
    expect(Object.entries(broken).filter(([, cases]) => cases.length > 0)).toEqual([]);
    expect(burst.refused).toEqual([]);
    expect([burst.wanted.length, burst.inbound.length].every((count) => count > ROUNDS)).toBe(true);
  },
  ROUNDS * 15_000 + 60_000,
);

/** Something happens when as much as was ordered has been accepted and delivered. */
const createTrigger = () => {
  let left = Number.POSITIVE_INFINITY;
  let fire = () => {};
  return {
    /** Resolves when the act has been done. */
    after: <Done>(count: number, act: () => Promise<Done>) =>
      new Promise<Done>((resolve) => {
        left = count;
        fire = () => void act().then(resolve);
      }),
    tick() {
      left -= 1;
      if (left === 0) fire();
    },
  };
};

/** Not at the moment of the tick itself, which is always one at which something has just been done. */
const killSoon = (server: Server, random: Random): Promise<void> =>
  realTime(random.float() * 20).then(() => server.signal("SIGKILL"));

const killedWhileStarting = async (settings: Settings, afterMs: number): Promise<void> => {
  const { child, ended } = spawn(["serve"], settings);
  afterRealTime(afterMs, () => child.kill("SIGKILL"));
  expect(faultsOf(await ended)).toEqual([]);
};

/** What a server said beside that it is ready: only errors are logged. */
const faultsOf = ({ out, err }: Ended): string[] =>
  `${out}\n${err}`.split("\n").filter((line) => line !== "" && !line.startsWith('{"event":"ready"'));

const createCustomer = (random: Random, onArrival: () => void) => {
  let refused = 0;
  receiver.reply(() => {
    onArrival();
    const isRefused = random.float() < REFUSED_SHARE;
    if (isRefused) refused++;
    return new Response("", { status: isRefused ? 500 : 200 });
  });
  return { refused: () => refused };
};

const troubleOf = (random: Random): Failure => ({
  kind: random.float() < 0.8 ? "hang" : "reset",
  isAccepted: random.float() < 0.7,
});

const figuresOf = (disk: Disk, { wanted, inbound }: Burst) => {
  const { arrived } = receiver;
  const answered = wanted.filter((one) => one.isAnswered);
  const received = new Set(eventsReceivedBy(arrived).map(({ id }) => id)).size;
  return {
    sendsWanted: wanted.length,
    accepted: answered.length,
    keyedSends: wanted.filter((one) => one.key !== undefined).length,
    keyedSendsRepeated: wanted.filter((one) => one.repeats > 0).length,
    storedWithoutAnswer: disk.messages.length - answered.length,
    takenByNetwork: graph.sent.size,
    takenTwice: graph.sentSummary().messages.filter((one) => one.count > 1).length,
    read: disk.messages.filter((row) => row.status === "READ").length,
    failedUnknown: disk.messages.filter((row) => row.status === "FAILED").length,
    inboundPosted: inbound.length,
    inboundAnswered: inbound.filter((one) => one.isAnswered).length,
    upstreamPosts: graph.webhooks.journal.reduce((sum, { answers }) => sum + answers.length, 0),
    events: disk.events.length,
    deliveriesArrived: arrived.length,
    arrivedAgain: arrived.length - received,
  };
};
