import { join } from "node:path";
import { type Connection, openReader } from "../../src/store/engine/connection.ts";
import { busyDuring } from "./process.ts";
import {
  type Institution,
  newInstitution,
  newPhone,
  newSite,
  type Recado,
  type Site,
  serve,
  startGraph,
} from "./recado.ts";
import { busyNote, type Figure, ms, type Section, tenths, whole } from "./report.ts";

const AT_ONCE = 3;
const FIRST_NUMBER = 5_511_960_000_000;
const SHORTEST_MS = 1000;
const MAX_ERROR = 0.05;
const LOOK_EVERY_MS = 500;
/** The step by which the test clock is moved: less than any requested gap. */
const STEP_MS = 500;

export type BulkPace = { recipients: number; drained: number };

type Rhythm = { delay: number; jitter: number };
type Batch = { batchId: string };
type Bench = { site: Site; recado: Recado; institution: Institution; reader: Connection };
/** The gaps between the messages of a batch, in order. */
type Gaps = readonly number[];

const mean = (values: Gaps): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The requested mean gap of a batch: no gap is shorter than a second. */
const askedMean = ({ delay, jitter }: Rhythm): number => {
  const steps = 10_000;
  const gaps = Array.from({ length: steps }, (_, n) =>
    Math.max(SHORTEST_MS, delay * (1 + jitter * ((2 * (n + 0.5)) / steps - 1))),
  );
  return mean(gaps);
};

const startBench = async (more: Record<string, string> = {}): Promise<Bench & { stop(): Promise<void> }> => {
  const graph = await startGraph();
  const site = newSite(graph);
  Object.assign(site.settings, { RECADO_PLATFORM_DEFAULT_PLAN: "ENTERPRISE" }, more);
  const recado = await serve(site);
  const reader = openReader(join(site.settings["RECADO_DATA_DIR"] ?? "", "recado.db"));
  const stop = async () => {
    reader.close();
    await Promise.all([recado.child.stop(), graph.child.stop()]);
  };
  return { site, recado, institution: await newInstitution(recado), reader, stop };
};

/** The recipients: so many people with consecutive numbers. */
type NewBatch = { channelId: string; firstNumber: number; count: number; rhythm: Rhythm };

const createBatch = (
  { recado, institution }: Bench,
  { channelId, firstNumber, count, rhythm }: NewBatch,
): Promise<Batch> => {
  const recipients = Array.from({ length: count }, (_, n) => ({
    to: String(firstNumber + n),
    variables: { name: `Cliente ${n}` },
  }));
  return recado.ask<Batch>("/v1/bulk", {
    key: institution.platformKey,
    body: { channelId, text: "Olá {{name}}, esta é a mensagem do benchmark.", recipients, ...rhythm },
  });
};

/** Whether all of these batches are complete. */
const areOver = ({ reader }: Bench, batches: readonly Batch[]): boolean =>
  reader
    .prepare("SELECT 1 FROM batches WHERE id IN (SELECT value FROM json_each(?1)) AND finished_at IS NULL")
    .rows([JSON.stringify(batches.map(({ batchId }) => batchId))]).length === 0;

const gapsOf = (times: readonly number[]): number[] => times.slice(1).map((time, n) => time - (times[n] ?? Number.NaN));

/** When the server accepted each message of a batch, by its clock, and when the network had it, by its own clock. */
const timesOf = async (
  { reader, site }: Bench,
  { batchId }: Batch,
): Promise<{ accepted: number[]; arrived: number[] }> => {
  const sent = reader
    .prepare("SELECT recipient, created_at FROM messages WHERE batch_id = ?1 ORDER BY created_at, id")
    .rows([batchId]) as [string, number][];
  const numbers = new Set(sent.map(([recipient]) => recipient.replace(/^\D+/, "")));
  const { result } = (await site.graph.notify("journal", {})) as { result: { body?: { to?: string }; at: number }[] };
  return {
    accepted: sent.map(([, at]) => at),
    arrived: result.filter(({ body }) => numbers.has(String(body?.to).replace(/\D/g, ""))).map(({ at }) => at),
  };
};

type BulkFigures = { rhythm: Rhythm; accepted: Gaps; arrived: Gaps };

/** Batches on one channel at once, in real time. */
const keepPace = async (bench: Bench, recipients: number, rhythm: Rhythm, nth: number): Promise<BulkFigures> => {
  const phone = await newPhone(bench.site, bench.recado, bench.institution);
  const batches: Batch[] = [];
  for (let n = 0; n < AT_ONCE; n++) {
    batches.push(
      await createBatch(bench, {
        channelId: phone.id,
        firstNumber: FIRST_NUMBER + (nth * AT_ONCE + n) * recipients,
        count: recipients,
        rhythm,
      }),
    );
  }
  while (!areOver(bench, batches)) await Bun.sleep(LOOK_EVERY_MS);
  const times = await Promise.all(batches.map((batch) => timesOf(bench, batch)));
  const lost = times.find(({ accepted, arrived }) => accepted.length !== recipients || arrived.length !== recipients);
  if (lost)
    throw new Error(`${lost.accepted.length} of ${recipients} messages were accepted, ${lost.arrived.length} arrived`);
  return {
    rhythm,
    accepted: times.flatMap(({ accepted }) => gapsOf(accepted)),
    arrived: times.flatMap(({ arrived }) => gapsOf(arrived)),
  };
};

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;
const below = (gaps: Gaps): number => gaps.filter((gap) => gap < SHORTEST_MS).length;
const gapsText = (gaps: Gaps): string =>
  `${ms(mean(gaps))}, shortest ${ms(Math.min(...gaps))}, longest ${ms(Math.max(...gaps))}`;

const paceFigures = (recipients: number, { rhythm, accepted, arrived }: BulkFigures): Figure[] => {
  const asked = askedMean(rhythm);
  const figureOf = (what: string, gaps: Gaps, aim?: Figure["aim"]): Figure => ({
    what,
    value: `mean gap ${gapsText(gaps)}; ${below(gaps)} of ${gaps.length} below ${SHORTEST_MS} ms`,
    yardstick: `asked for ${ms(asked)}`,
    ratio: mean(gaps) / asked,
    ...(aim ? { aim } : {}),
  });
  const error = Math.abs(mean(accepted) / asked - 1);
  return [
    figureOf(
      `${AT_ONCE} batches of ${recipients} on one channel, delay ${rhythm.delay} ms, jitter ${rhythm.jitter}: accepted`,
      accepted,
      {
        text: `error of the pace below ${percent(MAX_ERROR)}, no gap below ${SHORTEST_MS} ms`,
        isMet: error < MAX_ERROR && below(accepted) === 0,
      },
    ),
    figureOf("the same, as they reached the network", arrived),
  ];
};

const realTime = async (recipients: number): Promise<Figure[]> => {
  const bench = await startBench();
  const rhythms = [0, 0.3].map((jitter) => ({ delay: SHORTEST_MS, jitter }));
  const kept = await Promise.all(rhythms.map((rhythm, nth) => keepPace(bench, recipients, rhythm, nth)));
  await bench.stop();
  return kept.flatMap((one) => paceFigures(recipients, one));
};

const DRAINED: Rhythm = { delay: 3000, jitter: 0.3 };

const ON_ITS_WAY = "SELECT 1 FROM batch_recipients WHERE batch_id = ?1 AND status = 'QUEUED'";

/**
 * Runs a whole batch while the test clock moves, step by step. The network runs by another clock, so each step waits
 * for it.
 */
const drain = async (bench: Bench, count: number): Promise<{ gaps: Gaps; tookMs: number }> => {
  const { recado, reader } = bench;
  const phone = await newPhone(bench.site, recado, bench.institution);
  const startedAt = performance.now();
  const batch = await createBatch(bench, { channelId: phone.id, firstNumber: FIRST_NUMBER, count, rhythm: DRAINED });
  while (!areOver(bench, [batch])) {
    await recado.call("/v1/admin/clock", { body: { advanceMs: STEP_MS } });
    while (reader.prepare(ON_ITS_WAY).rows([batch.batchId]).length > 0) await Bun.sleep(1);
  }
  const tookMs = performance.now() - startedAt;
  const { accepted, arrived } = await timesOf(bench, batch);
  if (arrived.length !== count) throw new Error(`${arrived.length} of ${count} messages arrived`);
  return { gaps: gapsOf(accepted), tookMs };
};

/** How well batches keep the requested pace. */
export const bulkSection = async ({ recipients, drained }: BulkPace): Promise<Section> => {
  const figures = await realTime(recipients);
  const bench = await startBench({ RECADO_TEST_CLOCK: "1" });
  const cpuBefore = bench.recado.child.cpuMs();
  const { result, busy } = await busyDuring({ recado: bench.recado.child }, () => drain(bench, drained));
  const cpuMs = bench.recado.child.cpuMs() - cpuBefore;
  await bench.stop();
  const asked = askedMean(DRAINED);
  const error = Math.abs(mean(result.gaps) / asked - 1);
  return {
    title: "Bulk: the pace of batches",
    figures: [
      ...figures,
      {
        what: `one batch of ${whole(drained)} drained on the test clock, delay ${DRAINED.delay} ms, jitter ${DRAINED.jitter}`,
        value: `mean gap ${gapsText(result.gaps)}; ${below(result.gaps)} of ${result.gaps.length} below ${SHORTEST_MS} ms`,
        yardstick: `asked for ${ms(asked)}`,
        ratio: mean(result.gaps) / asked,
        aim: {
          text: `error of the pace below ${percent(MAX_ERROR)}, no gap below ${SHORTEST_MS} ms`,
          isMet: error < MAX_ERROR && below(result.gaps) === 0,
        },
      },
    ],
    notes: [
      `Those of one second in real time, with both jitters at once on two channels of one WABA upstream; with a jitter the mean asked for is more than the delay, for no gap may be shorter than a second.`,
      `The drain in ${tenths(result.tookMs / 1000)} s, the clock moved on by ${STEP_MS} ms at a time, so that each message is late by up to that; ${ms(cpuMs / drained)} of processor for each message, the steps of the clock included; ${busyNote(busy)}.`,
    ],
  };
};
