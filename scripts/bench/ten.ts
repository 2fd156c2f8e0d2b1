import { pairUpTo, startFleet, stopFleet } from "./fleet.ts";
import { type Customer, type Inbound, startCustomer, upstreamOf } from "./inbound.ts";
import { startChild } from "./process.ts";
import {
  type Account,
  type Institution,
  newAccount,
  newInstitution,
  newPhone,
  newSite,
  type Phone,
  type Recado,
  type Site,
  serve,
  startGraph,
} from "./recado.ts";
import { type Figure, mb, ms, perSecond, type Section, spread, tenths, whole } from "./report.ts";
import { probeHealth } from "./scheduled.ts";
import { idleShare, restart } from "./session-life.ts";
import type { StreamsReady } from "./streams.ts";

/**
 * `phones`: in one account. `streams`: clients of the event stream. `batches`: of 1,000 recipients each. `sessions`:
 * linked phones of one account.
 */
export type TenPace = { phones: number; streams: number; batches: number; sessions: number; runMs: number };

const SLOW_MS = [100, 2000];
const SLOW_PER_SECOND = 1000;
const FAST_PER_SECOND = 50;
const RECIPIENTS = 1000;
const MESSAGES = 500;
/** The maximum number of open streams of an account. */
const STREAMS_OF_ACCOUNT = 100;
/** The maximum number of unfinished batches of a channel. */
const BATCHES_OF_CHANNEL = 3;
/** The number of batches per minute, below the limit of 10 of an account. */
const BATCHES_OF_ACCOUNT = 9;
const DRAIN_MS = 60_000;
const SETTLE_MS = 3000;
/** More than one round of pings, one each 25 s. */
const IDLE = { pauseMs: 15_000, runMs: 30_000 };
const FIRST_NUMBER = 5_511_960_000_000;

type Place = { site: Site; recado: Recado; graph: Inbound["graph"] };

const openPlace = async (more: Record<string, string> = {}): Promise<Place> => {
  const graph = await startGraph();
  const site = newSite(graph);
  Object.assign(site.settings, more);
  return { site, recado: await serve(site), graph: graph.child };
};

const closePlace = async ({ recado, graph }: Place): Promise<void> => {
  await recado.child.stop();
  await graph.stop();
};

/** The processor time of one received message, until the customer has it. */
const costOfInbound = async (inbound: Inbound): Promise<number> => {
  const { customer, recado } = inbound;
  const upstream = upstreamOf(inbound);
  await customer.run({ kind: "flood", upstream, connections: 8, runMs: 500, drainMs: DRAIN_MS });
  const before = recado.child.cpuMs();
  const { arrived } = await customer.run({ kind: "flood", upstream, connections: 8, runMs: 2000, drainMs: DRAIN_MS });
  return (recado.child.cpuMs() - before) / arrived;
};

const untilSent = async ({ call }: Recado, { key }: Account, phoneId: string): Promise<void> => {
  for (let tries = 0; tries < 600; tries++) {
    const { items } = await call<{ items: unknown[] }>(`/v1/messages?phoneId=${phoneId}&status=QUEUED&limit=1`, {
      key,
    });
    if (items.length === 0) return;
    await Bun.sleep(50);
  }
  throw new Error("not every message was sent");
};

/** The processor time of one accepted and sent message. */
const costOfSend = async (recado: Recado, account: Account, phone: Phone): Promise<number> => {
  const before = recado.child.cpuMs();
  for (let n = 0; n < MESSAGES; n++)
    await recado.call("/v1/messages", {
      key: account.key,
      body: { phoneId: phone.id, to: String(FIRST_NUMBER + n), type: "text", content: { text: `message ${n}` } },
    });
  await untilSent(recado, account, phone.id);
  return (recado.child.cpuMs() - before) / MESSAGES;
};

/** The cost of a message in an account with one phone, and with many. */
const manyPhones = async (count: number): Promise<Figure[]> => {
  const place = await openPlace();
  const { site, recado } = place;
  const customer = await startCustomer();
  const account = await newAccount(recado);
  const phone = await newPhone(site, recado, account, customer.url);
  const inbound: Inbound = { ...place, account, phone, customer };
  await costOfSend(recado, account, phone); // code that is not compiled yet is not measured
  const alone = { sent: await costOfSend(recado, account, phone), received: await costOfInbound(inbound) };
  for (let n = 1; n < count; n++) await newPhone(site, recado, account, customer.url);
  const among = { sent: await costOfSend(recado, account, phone), received: await costOfInbound(inbound) };
  const askedAt = performance.now();
  const list = JSON.stringify(await recado.call("/v1/phones", { key: account.key }));
  const listMs = performance.now() - askedAt;
  await customer.child.stop();
  await closePlace(place);
  const figure = (what: string, one: number, many: number): Figure => ({
    what: `${whole(count)} phones in one account: ${what}`,
    value: `${ms(many)} of processor`,
    yardstick: `one phone ${ms(one)}`,
    ratio: many / one,
  });
  return [
    figure("a message accepted, sent and reported", alone.sent, among.sent),
    figure("a message received and delivered", alone.received, among.received),
    { what: `the list of ${whole(count)} phones`, value: `${ms(listMs)}, ${whole(list.length / 1024)} kB` },
  ];
};

type Hook = Pick<Inbound, "recado" | "phone" | "customer">;

const hookOf = async ({ site, recado }: Place, slowMs: number): Promise<Hook & { customer: Customer }> => {
  const customer = await startCustomer();
  const account = await newAccount(recado);
  const phone = await newPhone(site, recado, account, `${customer.url}${slowMs === 0 ? "" : `?waitMs=${slowMs}`}`);
  return { recado, phone, customer };
};

/**
 * An endpoint that answers late and gets more events than it takes, beside another account's endpoint that answers at
 * once.
 */
const slowEndpoint = async (slowMs: number, runMs: number): Promise<Figure[]> => {
  const place = await openPlace();
  const [slow, fast] = [await hookOf(place, slowMs), await hookOf(place, 0)];
  const run = ({ customer, ...hook }: Hook, perSecondWanted: number, drainMs: number) =>
    customer.run({ kind: "rate", upstream: upstreamOf(hook), perSecond: perSecondWanted, runMs, drainMs });
  const alone = await run(fast, FAST_PER_SECOND, DRAIN_MS);
  const [crowd, beside] = await Promise.all([run(slow, SLOW_PER_SECOND, 1), run(fast, FAST_PER_SECOND, DRAIN_MS)]);
  await Promise.all([slow.customer.child.stop(), fast.customer.child.stop()]);
  await closePlace(place);
  const taken = crowd.arrived / (crowd.reportedMs / 1000);
  return [
    {
      what: `an endpoint that answers after ${whole(slowMs)} ms gets ${perSecond(SLOW_PER_SECOND)}`,
      value: `takes ${perSecond(taken)}; ${whole(crowd.backlog)} of ${whole(crowd.received)} wait at the end`,
    },
    {
      what: `meanwhile, ${perSecond(FAST_PER_SECOND)} to one that answers at once, of another account`,
      value: `lag ${spread(beside.lag)}; ${whole(beside.received - beside.arrived)} not delivered`,
      yardstick: `alone ${spread(alone.lag)}`,
      ratio: beside.lag.p50 / alone.lag.p50,
    },
  ];
};

/** So many clients of the event stream, and one event for each of them. */
const manyStreams = async (count: number): Promise<Figure[]> => {
  const place = await openPlace();
  const { site, recado } = place;
  const owners: { account: Account; phone: Phone }[] = [];
  while (owners.length * STREAMS_OF_ACCOUNT < count) {
    const account = await newAccount(recado);
    owners.push({ account, phone: await newPhone(site, recado, account) });
  }
  const before = recado.child.rssMb();
  const clients = await startChild("scripts/bench/streams.ts", {
    input: { port: recado.port, keys: owners.map(({ account }) => account.key), each: STREAMS_OF_ACCOUNT },
  });
  const { port, open } = clients.ready as StreamsReady;
  const after = recado.child.rssMb();
  const asked = fetch(`http://127.0.0.1:${port}/next`).then((answer) => answer.json()) as Promise<[number, number]>;
  const cpuBefore = recado.child.cpuMs();
  const sentAt = Date.now();
  const to = String(FIRST_NUMBER);
  const content = { text: "to everybody" };
  for (const { account, phone } of owners)
    await recado.call("/v1/messages", { key: account.key, body: { phoneId: phone.id, to, type: "text", content } });
  const [first, last] = await asked;
  const cpuMs = recado.child.cpuMs() - cpuBefore;
  await clients.stop();
  await closePlace(place);
  return [
    {
      what: `${whole(open)} stream clients of ${whole(owners.length)} accounts`,
      value: `${tenths(((after - before) * 1024) / open)} kB each; server ${mb(after)}`,
    },
    {
      what: `${whole(owners.length)} messages, each an event for ${whole(STREAMS_OF_ACCOUNT)} of them`,
      value: `first after ${ms(first - sentAt)}, last after ${ms(last - sentAt)}; ${ms(cpuMs)} of processor`,
    },
  ];
};

/** So many batches, made one after the other, during requests for /health. */
const manyBatches = async (count: number): Promise<Figure[]> => {
  const place = await openPlace({ RECADO_PLATFORM_DEFAULT_PLAN: "ENTERPRISE" });
  const { site, recado } = place;
  const owners: { institution: Institution; phones: Phone[] }[] = [];
  for (let left = count; left > 0; left -= BATCHES_OF_ACCOUNT) {
    const institution = await newInstitution(recado);
    const phones: Phone[] = [];
    while (phones.length * BATCHES_OF_CHANNEL < Math.min(left, BATCHES_OF_ACCOUNT))
      phones.push(await newPhone(site, recado, institution));
    owners.push({ institution, phones });
  }
  let isOver = false;
  const health = probeHealth(recado.port, () => isOver);
  const samples: number[] = [];
  for (let batch = 0; batch < count; batch++) {
    const recipients = Array.from({ length: RECIPIENTS }, (_, n) => ({
      to: String(FIRST_NUMBER + n), // the network lets a number write to so many new people a day
      variables: { name: `Cliente ${n}` },
    }));
    const { institution, phones } = owners[Math.floor(batch / BATCHES_OF_ACCOUNT)] as (typeof owners)[number];
    const startedAt = performance.now();
    await recado.ask("/v1/bulk", {
      key: institution.platformKey,
      body: {
        channelId: phones[Math.floor((batch % BATCHES_OF_ACCOUNT) / BATCHES_OF_CHANNEL)]?.id,
        text: "Olá {{name}}",
        recipients,
        delay: 1000,
      },
    });
    samples.push(performance.now() - startedAt);
  }
  isOver = true;
  const probed = await health;
  const rss = recado.child.rssMb();
  await closePlace(place);
  const sorted = samples.toSorted((a, b) => a - b);
  return [
    {
      what: `${whole(count)} batches of ${whole(RECIPIENTS)} made one after the other: each`,
      value: `p50 ${ms(sorted[Math.floor(count / 2)] ?? Number.NaN)}, slowest ${ms(sorted.at(-1) ?? Number.NaN)}; server ${mb(rss)}`,
    },
    { what: "GET /health meanwhile", value: `${spread(probed)}, slowest ${ms(probed.max)}` },
  ];
};

/** So many sessions of one account: their linking, their return after a kill, and their rest. */
const manySessions = async (count: number): Promise<Figure[]> => {
  const fleet = await startFleet();
  const noneMb = fleet.recado.child.rssMb();
  const pairedMs = await pairUpTo(fleet, count);
  const { readyMs, connectedMs, cpuMs, rssMb } = await restart(fleet, "kill", SETTLE_MS);
  const idle = await idleShare(fleet, IDLE);
  await stopFleet(fleet);
  return [
    {
      what: `${whole(count)} sessions linked, 8 at a time`,
      value: `${tenths(pairedMs / 1000)} s; ${ms(pairedMs / count)} each`,
    },
    {
      what: "the same sessions after SIGKILL and a start",
      value: `ready line ${ms(readyMs)}, all CONNECTED ${tenths(connectedMs / 1000)} s, ${ms(cpuMs / count)} of processor each; ${mb(rssMb)}`,
      yardstick: `a server without sessions ${mb(noneMb)}`,
      ratio: rssMb / noneMb,
    },
    { what: "processor while they are idle", value: `${tenths(idle * 100)} % of a core` },
  ];
};

/** The behaviour of a server under ten times the load that it was made for. */
export const tenSection = async ({ phones, streams, batches, sessions, runMs }: TenPace): Promise<Section> => {
  const figures = await manyPhones(phones);
  for (const slowMs of SLOW_MS) figures.push(...(await slowEndpoint(slowMs, runMs)));
  figures.push(...(await manyStreams(streams)), ...(await manyBatches(batches)), ...(await manySessions(sessions)));
  return {
    title: "Ten times as much",
    figures,
    notes: [
      "Each figure comes from a server of its own. docs/sizing.md says which limit protects the others.",
      "Stream clients run in one process on the same cores; an event's time counts from the request that causes it.",
    ],
  };
};
