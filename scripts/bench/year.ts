import { join } from "node:path";
import { composeOffline } from "../../src/app.ts";
import { createLog } from "../../src/kernel/log.ts";
import { openReader } from "../../src/store/engine/connection.ts";
import { configOf } from "../seed/config.ts";
import { seedYear } from "../seed/year.ts";
import { startInbound, upstreamOf } from "./inbound.ts";
import { newDir } from "./process.ts";
import { newSettings, type Recado, serve } from "./recado.ts";
import { type Figure, ms, perSecond, type Section, spread, whole } from "./report.ts";
import { load, type Pace, pausedPhone, sendsOf } from "./sends.ts";
import { percentile, type Spread, spreadOf } from "./wire.ts";
import { type Question, questionsOf } from "./year-questions.ts";

export type YearPace = { messages: number; samples: number; sends: Pace; floodMs: number };

const MAX_P99_MS = 50;
const MAX_START_MS = 500;
const LEAST_SHARE = 0.9;
const SLOWEST_SHOWN = 12;
/** The maximum number of requests for an operation of the platform in a minute. Then the server's clock is moved on. */
const PER_MINUTE = 50;
const MINUTE_MS = 60_000;
const CONNECTIONS = 64;
const DRAIN_MS = 60_000;
const ROUNDS = 3;

type Answered = Spread & { what: string };

/** Asks each question again and again, one at a time. */
const askAll = async (recado: Recado, questions: readonly Question[], samples: number): Promise<Answered[]> => {
  const all: Answered[] = [];
  for (const { what, ask } of questions) {
    const taken: number[] = [];
    for (let n = 0; n < samples; n++) {
      if (n % PER_MINUTE === 0) await recado.call("/v1/admin/clock", { body: { advanceMs: MINUTE_MS } });
      const startedAt = performance.now();
      await ask();
      taken.push(performance.now() - startedAt);
    }
    all.push({ what, ...spreadOf(taken) });
  }
  return all;
};

type Traffic = { accepted: number; inbound: number };

/**
 * The rates of accepted sends, and of received messages until the customer has them, on the database of a directory.
 */
const trafficOn = async (
  dataDir: string,
  { sends, floodMs }: YearPace,
): Promise<{ accepted: number; inbound: number }> => {
  const inbound = await startInbound(dataDir);
  const { recado, account, customer, graph } = inbound;
  const upstream = upstreamOf(inbound);
  const flood = (runMs: number) =>
    customer.run({ kind: "flood", upstream, connections: CONNECTIONS, runMs, drainMs: DRAIN_MS });
  await flood(1000); // code that is not compiled yet is not measured
  const { arrived, arrivedMs } = await flood(floodMs);
  const accepted = await load({ ...sendsOf({ recado, account }, await pausedPhone(inbound)), ...sends });
  await Promise.all([recado.child.stop(), customer.child.stop(), graph.stop()]);
  return { accepted: accepted.perSecond, inbound: arrived / (arrivedMs / 1000) };
};

/** The median of some rounds that take turns, because other work on the machine affects each of them. */
const traffic = async (dataDir: string, pace: YearPace): Promise<{ empty: Traffic; full: Traffic }> => {
  const rounds: { empty: Traffic; full: Traffic }[] = [];
  for (let n = 0; n < ROUNDS; n++)
    rounds.push({ empty: await trafficOn(newDir(), pace), full: await trafficOn(dataDir, pace) });
  const middle = (of: "empty" | "full"): Traffic => ({
    accepted: percentile(rounds.map((round) => round[of].accepted).toSorted(ascending), 0.5),
    inbound: percentile(rounds.map((round) => round[of].inbound).toSorted(ascending), 0.5),
  });
  return { empty: middle("empty"), full: middle("full") };
};

const ascending = (a: number, b: number): number => a - b;

/** The bytes of each message in each table with its indexes, largest first. */
const bytesEach = (path: string, messages: number): string => {
  const reader = openReader(path);
  const rows = reader
    .prepare(
      "SELECT tbl_name, sum(pgsize) AS bytes FROM dbstat JOIN sqlite_schema USING (name) GROUP BY 1 ORDER BY 2 DESC LIMIT 8",
    )
    .rows([]) as [string, number][];
  reader.close();
  return rows.map(([table, bytes]) => `${table} ${whole(bytes / messages)}`).join(", ");
};

const shareFigure = (what: string, measured: number, empty: number): Figure => ({
  what,
  value: perSecond(measured),
  yardstick: `empty database ${perSecond(empty)}`,
  ratio: measured / empty,
  aim: { text: `at least ${LEAST_SHARE} of the empty one`, isMet: measured >= empty * LEAST_SHARE },
});

/** Recado on the database of a large company after a year: every read of both APIs, the start, and the traffic. */
export const yearSection = async (pace: YearPace): Promise<Section> => {
  const { messages, samples } = pace;
  const dataDir = newDir();
  // else a year of events would be deleted while its lists are read
  const settings = {
    ...newSettings(),
    RECADO_DATA_DIR: dataDir,
    RECADO_TEST_CLOCK: "1",
    RECADO_KEEP_EVENTS: "24mo",
  };
  const path = join(dataDir, "recado.db");
  const { env, close } = await composeOffline(configOf(dataDir), createLog("error"));
  const keys = await seedYear(env, { messages, endMs: Date.now() }, () => {});
  await close();

  const recado = await serve({ settings });
  const questions = [
    ...(await questionsOf(recado, { api: "gateway", key: keys.key })),
    ...(await questionsOf(recado, { api: "platform", key: keys.platformKey })),
  ];
  const slowest = (await askAll(recado, questions, samples)).toSorted((a, b) => b.p99 - a.p99);
  const rssMb = recado.child.rssMb();
  await recado.child.stop();
  const sizeBytes = Bun.file(path).size;
  const bytes = bytesEach(path, messages);
  const { empty, full } = await traffic(dataDir, pace);

  const inTime = slowest.filter(({ p99 }) => p99 <= MAX_P99_MS).length;
  return {
    title: `A year: ${whole(messages)} messages`,
    figures: [
      {
        what: "start to the ready line, from source",
        value: ms(recado.child.readyAfterMs),
        aim: { text: `below ${MAX_START_MS} ms`, isMet: recado.child.readyAfterMs < MAX_START_MS },
      },
      {
        what: `reads of both APIs with p99 up to ${MAX_P99_MS} ms`,
        value: `${inTime} of ${questions.length}`,
        aim: { text: "all", isMet: inTime === questions.length },
      },
      ...slowest.slice(0, SLOWEST_SHOWN).map((one) => ({ what: `\`${one.what.slice(0, 100)}\``, value: spread(one) })),
      shareFigure("sends accepted, on disk, delivery paused", full.accepted, empty.accepted),
      shareFigure("inbound flooded, until at the customer's webhook", full.inbound, empty.inbound),
    ],
    notes: [
      `One tenant has six tenths of it. ${whole(sizeBytes / 2 ** 20)} MiB: ${whole(sizeBytes / messages)} bytes a message with its events, deliveries, attempts, contacts and indexes; of them ${bytes}. ${whole(rssMb)} MB of memory after the reads.`,
      `Each read ${samples} times, one at a time, with the processor time of asking; the ${SLOWEST_SHOWN} slowest of ${questions.length} are shown. The traffic is the middle one of ${ROUNDS} rounds that take turns. A deep page lies 50 pages behind the first one, or behind 95 % of the rows.`,
    ],
  };
};
