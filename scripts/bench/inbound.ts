import type { InboundRun, Order, Upstream } from "./customer.ts";
import { busyDuring, type Child, startChild } from "./process.ts";
import {
  type Account,
  APP_SECRET,
  newAccount,
  newPhone,
  newSite,
  type Phone,
  type Recado,
  type Site,
  serve,
  startGraph,
} from "./recado.ts";
import { busyNote, cpuFigure, type Figure, ms, perSecond, type Section, spread, tenths, whole } from "./report.ts";

const MAX_IDLE_P50_MS = 1;
const WANTED_PER_SECOND = 3000;
/** A rate is sustained when at most this share of one second's messages has not arrived at the end. */
const MAX_BACKLOG_SECONDS = 0.25;
/** The rates to try for the highest sustained rate, as shares of the rate under flood. */
const SHARES = [0.95, 0.85, 0.75, 0.6, 0.45];
const DRAIN_MS = 60_000;

export type InboundPace = { samples: number; rateMs: number; searchMs: number };

/** A customer's endpoint that also plays the network. */
export type Customer = { child: Child; url: string; run(order: Order): Promise<InboundRun> };

export const startCustomer = async (): Promise<Customer> => {
  const child = await startChild("scripts/bench/customer.ts");
  const url = `http://127.0.0.1:${(child.ready as { port: number }).port}`;
  const run = async (order: Order) => {
    const response = await fetch(`${url}/run`, {
      method: "POST",
      body: JSON.stringify(order),
      signal: null,
      timeout: false,
    });
    if (!response.ok) throw new Error(`the customer's process failed: ${response.status}`);
    return (await response.json()) as InboundRun;
  };
  return { child, url: `${url}/hook`, run };
};

/** A server with a phone that has the customer's webhook. */
export type Inbound = { site: Site; recado: Recado; account: Account; phone: Phone; customer: Customer; graph: Child };

/** The same on the database of `dataDir`, or on a new one. */
export const startInbound = async (dataDir?: string): Promise<Inbound> => {
  const [graph, customer] = await Promise.all([startGraph(), startCustomer()]);
  const site = newSite(graph);
  if (dataDir !== undefined) site.settings["RECADO_DATA_DIR"] = dataDir;
  const recado = await serve(site);
  const account = await newAccount(recado);
  return {
    site,
    recado,
    account,
    phone: await newPhone(site, recado, account, customer.url),
    customer,
    graph: graph.child,
  };
};

export const upstreamOf = ({ recado, phone }: Pick<Inbound, "recado" | "phone">): Upstream => ({
  port: recado.port,
  appSecret: APP_SECRET,
  phoneNumberId: phone.phoneNumberId,
  businessAccountId: phone.businessAccountId,
  number: phone.number,
});

const isSustained = ({ received, arrived, backlog }: InboundRun, rate: number): boolean =>
  arrived === received && backlog <= rate * MAX_BACKLOG_SECONDS;

/** The highest tried rate that the server sustains; undefined if it sustains no rate. */
const highestSustained = async (
  { customer }: Inbound,
  upstream: Upstream,
  flooded: number,
  runMs: number,
): Promise<{ rate: number; run: InboundRun } | undefined> => {
  for (const share of SHARES) {
    const rate = Math.round(flooded * share);
    const run = await customer.run({ kind: "rate", upstream, perSecond: rate, runMs, drainMs: DRAIN_MS });
    if (isSustained(run, rate)) return { rate, run };
  }
  return undefined;
};

const lostNote = (runs: readonly InboundRun[]): string => {
  const sum = (pick: (run: InboundRun) => number) => runs.reduce((total, run) => total + pick(run), 0);
  return `In the runs shown ${whole(sum((one) => one.received))} messages were reported, ${whole(sum((one) => one.received - one.arrived))} not delivered in time, ${whole(sum((one) => one.repeats))} delivered twice.`;
};

/** From the network's webhook to the customer's. */
export const inboundSection = async (pace: InboundPace, inbound: Inbound, echoPerSecond: number): Promise<Section> => {
  const { customer, recado } = inbound;
  const children = { recado: recado.child, "network and customer": customer.child };
  const upstream = upstreamOf(inbound);
  // code that is not compiled yet is not measured
  await customer.run({ kind: "flood", upstream, connections: 8, runMs: 1000, drainMs: DRAIN_MS });
  const idle = await customer.run({ kind: "single", upstream, count: pace.samples, drainMs: DRAIN_MS });
  const wanted = await busyDuring(children, () =>
    customer.run({ kind: "rate", upstream, perSecond: WANTED_PER_SECOND, runMs: pace.rateMs, drainMs: DRAIN_MS }),
  );
  const cpuBefore = recado.child.cpuMs();
  const flood = await customer.run({
    kind: "flood",
    upstream,
    connections: 64,
    runMs: pace.searchMs,
    drainMs: DRAIN_MS,
  });
  const cpuMs = (recado.child.cpuMs() - cpuBefore) / flood.arrived;
  const flooded = flood.arrived / (flood.arrivedMs / 1000);
  const highest = await highestSustained(inbound, upstream, flooded, pace.searchMs);
  const isMet = isSustained(wanted.result, WANTED_PER_SECOND);
  const beside = (rate: number): Pick<Figure, "yardstick" | "ratio"> => ({
    yardstick: `echo ${perSecond(echoPerSecond)}`,
    ratio: rate / echoPerSecond,
  });
  const wantedRate = wanted.result.arrived / (Math.max(wanted.result.reportedMs, wanted.result.arrivedMs) / 1000);
  return {
    title: "Inbound: the network's webhook to the customer's",
    figures: [
      {
        what: "idle, one at a time",
        value: spread(idle.lag),
        aim: { text: `p50 below ${MAX_IDLE_P50_MS} ms`, isMet: idle.lag.p50 < MAX_IDLE_P50_MS },
      },
      {
        what: `${perSecond(WANTED_PER_SECOND)} for ${tenths(pace.rateMs / 1000)} s, open model`,
        value: `${perSecond(wantedRate)}; lag ${spread(wanted.result.lag)}; backlog at the end ${whole(wanted.result.backlog)}`,
        ...beside(wantedRate),
        aim: { text: `${perSecond(WANTED_PER_SECOND)} sustained`, isMet },
      },
      { what: "flooded over 64 connections, until all have arrived", value: perSecond(flooded), ...beside(flooded) },
      cpuFigure("the same: processor of each", cpuMs),
      highest
        ? {
            what: `highest rate sustained for ${tenths(pace.searchMs / 1000)} s, of ${SHARES.length} tried`,
            value: `${perSecond(highest.rate)}; lag ${spread(highest.run.lag)}`,
            ...beside(highest.rate),
          }
        : { what: "highest rate sustained", value: "none of those tried" },
    ],
    notes: [
      `The network's webhook was answered (on disk) after ${spread(idle.ack)} when idle, ${spread(wanted.result.ack)} at ${perSecond(WANTED_PER_SECOND)}, ${spread(flood.ack)} when flooded at ${perSecond(flood.received / (flood.reportedMs / 1000))}.`,
      `At ${perSecond(WANTED_PER_SECOND)}, ${busyNote(wanted.busy)}. A rate counts as sustained when at its end no more than ${MAX_BACKLOG_SECONDS} s of it are on their way.`,
      "Lag counts from the moment when a message was due to be reported. 1,000 chats, one phone, one endpoint: at most 8 deliveries at once.",
      lostNote([idle, wanted.result, flood, ...(highest ? [highest.run] : [])]),
      `Slowest: ${ms(wanted.result.lag.max)} at ${perSecond(WANTED_PER_SECOND)}.`,
    ],
  };
};
