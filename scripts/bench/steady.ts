import { statSync } from "node:fs";
import { join } from "node:path";
import { type Inbound, startInbound, upstreamOf } from "./inbound.ts";
import { requestsDuring, type Stream, type Taken } from "./open-model.ts";
import { type Figure, mb, ms, type Section, spread, tenths, whole } from "./report.ts";
import { sendsOf, untilSent } from "./sends.ts";
import { postsOf } from "./wire.ts";

export type SteadyPace = { windowMs: number };

const WINDOWS = 6;
const PER_SECOND = 100;
const RECIPIENTS = 1000;
const DRAIN_MS = 60_000;
const MAX_GROWTH = 1.1;
/** The second part may still return memory of the first part's warm-up. */
const FIRST_COMPARED = 1;
const MB = 1024 * 1024;

type Look = { rssMb: number; openFiles: number; walMb: number; databaseMb: number };
type Part = Look & Pick<Taken<void>, "took" | "count">;

const lookAt = ({ recado, site }: Inbound): Look => {
  const path = join(site.settings["RECADO_DATA_DIR"] ?? "", "recado.db");
  const sizeOf = (file: string) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) / MB;
  return {
    rssMb: recado.child.rssMb(),
    openFiles: recado.child.openFiles(),
    walMb: sizeOf(`${path}-wal`),
    databaseMb: sizeOf(path),
  };
};

const figureOf = ({ took, count, rssMb, openFiles, walMb, databaseMb }: Part, n: number): Figure => ({
  what: `part ${n + 1} of ${WINDOWS}: ${whole(count)} sends accepted`,
  value: `${spread(took)}, slowest ${ms(took.max)}; memory ${mb(rssMb)}, ${openFiles} open files, WAL ${mb(walMb)}, database ${mb(databaseMb)}`,
});

/** Sends and received messages at one rate for a long time: only the database may grow. */
export const steadySection = async ({ windowMs }: SteadyPace): Promise<Section> => {
  const inbound = await startInbound();
  const { recado, account, customer, graph } = inbound;
  const stream: Stream = {
    port: recado.port,
    requests: postsOf(sendsOf(inbound, inbound.phone), RECIPIENTS),
    perSecond: PER_SECOND,
  };
  const parts: Part[] = [];
  let last = "";
  const coming = customer.run({
    kind: "rate",
    upstream: upstreamOf(inbound),
    perSecond: PER_SECOND,
    runMs: windowMs * WINDOWS,
    drainMs: DRAIN_MS,
  });
  for (let n = 0; n < WINDOWS; n++) {
    const taken = await requestsDuring(stream, () => Bun.sleep(windowMs));
    parts.push({ took: taken.took, count: taken.count, ...lookAt(inbound) });
    last = taken.last;
  }
  await untilSent({ recado, account }, [last]);
  const came = await coming;
  await Promise.all([recado.child.stop(), customer.child.stop(), graph.stop()]);

  const share = (pick: (look: Look) => number): number => {
    const [early, late] = [parts[FIRST_COMPARED], parts.at(-1)];
    return early && late ? pick(late) / pick(early) : Number.NaN;
  };
  const growth = (what: string, pick: (look: Look) => number): Figure => ({
    what: `${what}: the last part's end to that of part ${FIRST_COMPARED + 1}`,
    value: share(pick).toFixed(2),
    aim: { text: `at most ${MAX_GROWTH.toFixed(2)}`, isMet: share(pick) <= MAX_GROWTH },
  });
  return {
    title: `Steady load for ${tenths((windowMs * WINDOWS) / 60_000)} minutes: ${PER_SECOND} sends and ${PER_SECOND} messages that come in, each second (open model)`,
    figures: [
      ...parts.map(figureOf),
      growth("memory", ({ rssMb }) => rssMb),
      growth("open files", ({ openFiles }) => openFiles),
      growth("WAL", ({ walMb }) => walMb),
      {
        what: "came in; not delivered; delivered twice",
        value: `${whole(came.received)}; ${whole(came.received - came.arrived)}; ${whole(came.repeats)}`,
        aim: { text: "all, once", isMet: came.arrived === came.received && came.repeats === 0 },
      },
      { what: "from the network to the customer", value: `${spread(came.lag)}, slowest ${ms(came.lag.max)}` },
    ],
    notes: [
      "The last send was SENT at the end, and a phone's sends go in order. The customer's webhook gets the events of both directions.",
    ],
  };
};
