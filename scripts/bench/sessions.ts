import type { BaileysOrder, BaileysResult } from "./baileys.ts";
import { type Fleet, pairUpTo, startFleet, statOf, stopFleet } from "./fleet.ts";
import { busyDuring, startChild } from "./process.ts";
import { busyNote, type Figure, mb, ms, perSecond, type Section, spread, tenths, whole } from "./report.ts";
import { floorSlopeOf, freeze, idleShare, type Restart, restart, type Storm, slopeOf, storms } from "./session-life.ts";
import {
  contactNumber,
  type Flow,
  newContacts,
  type ReceiveLag,
  receiveFlow,
  receiveLag,
  sendFlow,
  sendLag,
} from "./session-traffic.ts";
import type { Spread } from "./wire.ts";

/**
 * The durations and amounts of the measurement. `settleMs`: the pause before memory is read. `idle` spans more than one
 * round of pings, one each 25 s.
 */
export type SessionsPace = {
  settleMs: number;
  idle: { pauseMs: number; runMs: number };
  messages: number;
  samples: number;
  storms: number;
};

const SIZES = [1, 10, 50, 150];
const TEN = 10;
const CONTACTS = 50;
const FROZEN = 10;
const SENT_AT_ONCE = 8;

const MAX_SLOPE_MB = 1;
const MAX_FROZEN_MS = 60_000;

/** Memory with so many idle sessions, just paired and after a restart. */
type Memory = { count: number; pairedMs: number; pairedMb: number; restarted: Restart };

const grow = async (fleet: Fleet, settleMs: number): Promise<Memory[]> => {
  const found: Memory[] = [];
  for (const count of SIZES) {
    const pairedMs = await pairUpTo(fleet, count);
    await Bun.sleep(settleMs);
    const pairedMb = fleet.recado.child.rssMb();
    found.push({ count, pairedMs, pairedMb, restarted: await restart(fleet, "stop", settleMs) });
  }
  return found;
};

const seconds = (value: number): string => `${tenths(value / 1000)} s`;
const twoPlaces = (value: number): string => value.toFixed(2);

const memoryFigures = ({ memory, noneMb }: Pick<Life, "memory" | "noneMb">): Figure[] => {
  const [one, ...more] = memory;
  const oneMb = one?.restarted.rssMb ?? Number.NaN;
  return more.map(({ count, pairedMb, restarted: { rssMb } }) => ({
    what: `memory with ${count} idle sessions after a restart, and what each beyond the first takes`,
    value: `${mb(rssMb)}; ${twoPlaces((rssMb - oneMb) / (count - 1))} MB each; just paired ${mb(pairedMb)}`,
    yardstick: `none ${mb(noneMb)}, one ${mb(oneMb)}`,
    ratio: rssMb / oneMb,
  }));
};

type Life = {
  noneMb: number;
  memory: Memory[];
  idle: number;
  idleBefore: number;
  frozen: number[];
  killed: Restart;
  storms: Storm[];
  events: string[];
};

const lifeFigures = ({ noneMb, memory, idle, idleBefore, frozen, killed, storms: found, events }: Life): Figure[] => {
  const total = SIZES.at(-1) ?? 0;
  const pairedMs = memory.reduce((sum, { pairedMs: took }) => sum + took, 0);
  const afterStorms = found.map(({ rssMb }) => rssMb);
  const slope = floorSlopeOf(afterStorms);
  const took = found.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  const slowest = Math.max(...frozen);
  const restartFigure = (what: string, { readyMs, connectedMs, rssMb }: Restart): Figure => ({
    what,
    value: `ready line ${ms(readyMs)}, all CONNECTED ${seconds(connectedMs)}; then ${mb(rssMb)}`,
  });
  return [
    {
      what: `${total} sessions created, scanned and CONNECTED, 8 at a time`,
      value: `${seconds(pairedMs)}; ${ms(pairedMs / total)} each`,
    },
    ...memoryFigures({ memory, noneMb }),
    {
      what: `processor with ${total} idle sessions`,
      value: `${twoPlaces(idle * 100)} % of a core`,
      yardstick: `without sessions ${twoPlaces(idleBefore * 100)} %`,
    },
    {
      what: `${frozen.length} links frozen at once, until not CONNECTED`,
      value: `first ${seconds(Math.min(...frozen))}, last ${seconds(slowest)}`,
      aim: { text: `below ${MAX_FROZEN_MS / 1000} s`, isMet: slowest < MAX_FROZEN_MS },
    },
    ...memory
      .slice(-1)
      .map(({ restarted }) => restartFigure(`start with ${total} paired sessions, after SIGTERM`, restarted)),
    restartFigure("the same after SIGKILL", killed),
    {
      what: `all ${total} links cut at once, until all are CONNECTED, ${found.length} times`,
      value: `median ${seconds(took[Math.floor(took.length / 2)] ?? Number.NaN)}, slowest ${seconds(took.at(-1) ?? Number.NaN)}`,
    },
    {
      what: "memory over these storms",
      value: `peak ${mb(Math.max(...found.map(({ peakMb }) => peakMb)))}; after them it grows by ${twoPlaces(slope)} MB a storm (by least squares ${twoPlaces(slopeOf(afterStorms))})`,
      aim: { text: `below ${MAX_SLOPE_MB} MB a storm`, isMet: slope < MAX_SLOPE_MB },
    },
    {
      what: "events about channels published for frozen links, restarts and storms",
      value: whole(events.length),
      aim: { text: "none", isMet: events.length === 0 },
    },
  ];
};

const lifeSection = (life: Life): Section => ({
  title: "Sessions: pairing, memory, reconnects",
  figures: lifeFigures(life),
  notes: [
    "Paired through the gateway's API: created, its QR code asked for, scanned by a simulated phone, CONNECTED. Memory is RSS, a pause after the last change. What pairing (a drawn code and 812 one-time keys each) took for a moment is not given back before a restart.",
    `Growth is that of the lowest value after a storm, first half to second, as garbage comes and goes. Memory after each: ${life.storms.map(({ rssMb }) => Math.round(rssMb)).join(", ")} MB; processor time of one: ${life.storms.map(({ cpuMs }) => Math.round(cpuMs)).join(", ")} ms.`,
    "Before each storm the server's clock is moved on by 61 s, so that each interruption is the first of a session that was stable: it waits up to 1 s, and at most 8 open at a time, each after up to 0.25 s. Nothing else goes by a moved clock.",
    "Contract, other machine, in-process prototype without a gateway: baseline 77 MB, 2.1 MB a session at 10, 0.81 at 50, 0.47 at 150; idle 0.25 to 0.34 % of a core; a pairing 68 to 80 ms and a reopening about 50 ms of processor time; memory below 1 MB a storm; a frozen link noticed within 60 s.",
  ],
});

type Traffic = {
  bare: BaileysResult;
  first: Flow;
  one: Flow;
  ten: Flow;
  lag: Spread;
  inOne: Flow;
  inTen: Flow;
  inLag: ReceiveLag;
};

const flowFigure = (
  what: string,
  { perSecond: rate, cpuMs }: Pick<Flow, "perSecond" | "cpuMs">,
  bare: { perSecond: number; cpuMs: number },
): Figure => ({
  what,
  value: `${perSecond(rate)}; ${twoPlaces(cpuMs)} ms of processor each`,
  yardstick: `bare Baileys, one session: ${perSecond(bare.perSecond)}; ${twoPlaces(bare.cpuMs)} ms`,
  ratio: rate / bare.perSecond,
});

const trafficFigures = ({ bare, first, one, ten, lag, inOne, inTen, inLag }: Traffic): Figure[] => [
  flowFigure(`first message to each of ${first.count} contacts`, first, bare.first),
  flowFigure(`${whole(one.count)} texts over one session, accepted until SENT`, one, bare.sent),
  flowFigure(`${whole(ten.count)} over ten`, ten, bare.sent),
  { what: "one at a time, from the request to SENT", value: spread(lag) },
  flowFigure(`${whole(inOne.count)} texts to one session, until at the customer's webhook`, inOne, bare.received),
  flowFigure(`${whole(inTen.count)} to ten`, inTen, bare.received),
  {
    what: "one at a time, from being said to the customer's webhook",
    value: spread(inLag.lag),
    yardstick: `until the network has handed it over ${spread(inLag.network)}`,
    ratio: inLag.lag.p50 / inLag.network.p50,
  },
];

const bareBaileys = async ({ place }: Fleet, messages: number): Promise<BaileysResult> => {
  const contacts = await newContacts(place, 0, CONTACTS);
  const order: BaileysOrder = { place, pn: "5511988880000", contacts, count: messages, sentAtOnce: SENT_AT_ONCE };
  const child = await startChild("scripts/bench/baileys.ts", { input: order });
  return child.ready as BaileysResult;
};

const trafficSection = async (fleet: Fleet, { messages, samples }: SessionsPace): Promise<Section> => {
  const bare = await bareBaileys(fleet, messages);
  const contacts = Array.from({ length: CONTACTS }, (_, n) => contactNumber(n));
  const [session, ten] = [fleet.sessions.slice(0, 1), fleet.sessions.slice(0, TEN)];
  const [only] = session;
  if (!only) throw new Error("there is no session");
  const children = { recado: fleet.recado.child, network: fleet.network };
  const first = await sendFlow(fleet, { sessions: session, contacts, count: CONTACTS });
  const lag = await sendLag(fleet, { session: only, contacts, count: samples });
  const one = await busyDuring(children, () => sendFlow(fleet, { sessions: session, contacts, count: messages }));
  await sendFlow(fleet, { sessions: ten, contacts, count: CONTACTS * TEN }); // so that no person is new to another
  const overTen = await busyDuring(children, () => sendFlow(fleet, { sessions: ten, contacts, count: messages }));
  const inLag = await receiveLag(fleet, { session: only, contacts, count: samples });
  const inOne = await receiveFlow(fleet, { sessions: session, contacts, count: messages });
  const inTen = await receiveFlow(fleet, { sessions: ten, contacts, count: messages });
  const { unhandled, refused } = await statOf(fleet);
  return {
    title: "Sessions: messages",
    figures: trafficFigures({ bare, first, one: one.result, ten: overTen.result, lag, inOne, inTen, inLag }),
    notes: [
      `The yardstick is unmodified Baileys in a process of its own, its keys in memory, ${SENT_AT_ONCE} sends at once, as many as Recado has on its way per session; it writes nothing to a disk and sends no events. Recado's processor time holds everything from the HTTP request, or to the webhook, with all keys on disk first, and the receipts.`,
      `The simulated network encrypts and decrypts for every contact on the same cores. Over one session, ${busyNote(one.busy)}; over ten, ${busyNote(overTen.busy)} (until the statuses were read).`,
      "Received texts wait in the network encrypted, and are delivered all at once. RECADO_SESSION_RATE is at its highest, 100,000 a minute, so that pacing is not what is measured: it is 20 by default.",
      `Delivered twice: ${fleet.customer.repeats}; refused by the network: ${refused.length}; unknown to it: ${unhandled.length}.`,
      "Contract, other machine, in-process prototype on bun:sqlite without a gateway: 670/s over one session and 763/s over ten, 1.0 to 1.9 ms of processor each; first contact 25 ms of processor; received 170 to 630/s, 0.93 to 1.0 ms each. With keys in memory 0.88 to 1.43 ms sent, 0.75 ms received.",
    ],
  };
};

/**
 * 150 sessions of WhatsApp Web on the simulated network: their memory, their traffic, and their return after a restart.
 */
export const sessionsSections = async (pace: SessionsPace): Promise<Section[]> => {
  const fleet = await startFleet();
  const idleBefore = await idleShare(fleet, pace.idle);
  const noneMb = fleet.recado.child.rssMb();
  const memory = await grow(fleet, pace.settleMs);
  const idle = await idleShare(fleet, pace.idle);
  const traffic = await trafficSection(fleet, pace);
  fleet.customer.channelEvents = [];
  const frozen = await freeze(fleet, FROZEN);
  const killed = await restart(fleet, "kill", pace.settleMs);
  const found = await storms(fleet, pace.storms, pace.settleMs / 5);
  await Bun.sleep(pace.settleMs);
  const { channelEvents: events } = fleet.customer;
  await stopFleet(fleet);
  return [lifeSection({ noneMb, memory, idle, idleBefore, frozen, killed, storms: found, events }), traffic];
};
