import { allConnected, each, type Fleet, type SessionView, statOf, until, viewsOf } from "./fleet.ts";
import { serve } from "./recado.ts";
import { callNetwork } from "./whatsapp.ts";

const CUT_AT_ONCE = 64;
const SAMPLED_EVERY_MS = 25;

/** The share of one core that the idle server uses. A pause before it lets earlier work end. */
export const idleShare = async (
  { recado: { child } }: Fleet,
  { pauseMs, runMs }: { pauseMs: number; runMs: number },
): Promise<number> => {
  await Bun.sleep(pauseMs);
  const [cpuMs, startedAt] = [child.cpuMs(), performance.now()];
  await Bun.sleep(runMs);
  return (child.cpuMs() - cpuMs) / (performance.now() - startedAt);
};

export type Restart = { readyMs: number; connectedMs: number; cpuMs: number; rssMb: number };

/**
 * Ends the server and starts it again. Gives the time from the start to its ready line, and until every session is
 * CONNECTED.
 */
export const restart = async (fleet: Fleet, end: "stop" | "kill", settleMs: number): Promise<Restart> => {
  const { logins } = await statOf(fleet);
  await fleet.recado.child[end]();
  const startedAt = performance.now();
  fleet.recado = await serve(fleet);
  await until("all sessions after a restart", () => allConnected(fleet, logins + fleet.sessions.length));
  const connectedMs = performance.now() - startedAt;
  const { child } = fleet.recado;
  const cpuMs = child.cpuMs();
  await Bun.sleep(settleMs);
  return { readyMs: child.readyAfterMs, connectedMs, cpuMs, rssMb: child.rssMb() };
};

/** `rssMb`: a while after each, `peakMb` while it was on. */
export type Storm = { tookMs: number; cpuMs: number; rssMb: number; peakMb: number };

/** Moves the server's clock past the minute after which an interruption counts as the first again. */
const pass = ({ recado }: Fleet): Promise<unknown> => recado.call("/v1/admin/clock", { body: { advanceMs: 61_000 } });

const storm = async (fleet: Fleet, settleMs: number): Promise<Storm> => {
  await pass(fleet);
  const { child } = fleet.recado;
  const { logins } = await statOf(fleet);
  let peakMb = child.rssMb();
  const sampling = setInterval(() => (peakMb = Math.max(peakMb, child.rssMb())), SAMPLED_EVERY_MS);
  const [cpuMs, startedAt] = [child.cpuMs(), performance.now()];
  await each(fleet.sessions, CUT_AT_ONCE, async ({ pn }) => void (await callNetwork(fleet.place, "cut", { pn })));
  await until("all sessions after a storm", () => allConnected(fleet, logins + fleet.sessions.length));
  const tookMs = performance.now() - startedAt;
  clearInterval(sampling);
  const usedMs = child.cpuMs() - cpuMs;
  await Bun.sleep(settleMs);
  return { tookMs, cpuMs: usedMs, rssMb: child.rssMb(), peakMb };
};

/** Cuts all links at once, so many times over. */
export const storms = async (fleet: Fleet, count: number, settleMs: number): Promise<Storm[]> => {
  const found: Storm[] = [];
  while (found.length < count) found.push(await storm(fleet, settleMs));
  return found;
};

/**
 * The growth per value: the lowest value of the second half minus that of the first. Garbage is freed again, leaked
 * memory is not.
 */
export const floorSlopeOf = (values: readonly number[]): number => {
  const half = Math.ceil(values.length / 2);
  return (Math.min(...values.slice(half)) - Math.min(...values.slice(0, half))) / half;
};

/** The growth from one value to the next, by least squares. */
export const slopeOf = (values: readonly number[]): number => {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const [over, under] = values.reduce(
    ([top, bottom], value, n) => [top + (n - middle) * (value - mean), bottom + (n - middle) ** 2],
    [0, 0],
  );
  return over / under;
};

const FROZEN_LOOKS_MS = 100;

/** Freezes the links of so many sessions at once; gives the real time until each has another state than CONNECTED. */
export const freeze = async (fleet: Fleet, count: number): Promise<number[]> => {
  const frozen = fleet.sessions.slice(0, count);
  const stateOf = async () => new Map((await viewsOf(fleet)).map((view) => [view.id, view]));
  const before = await stateOf();
  await each(frozen, CUT_AT_ONCE, async ({ pn }) => void (await callNetwork(fleet.place, "freeze", { pn })));
  const startedAt = performance.now();
  const noticed = new Map<string, number>();
  const hasMoved = (was: SessionView | undefined, is: SessionView | undefined) =>
    was?.updatedAt !== is?.updatedAt || is?.status !== "CONNECTED";
  await until(
    "frozen links to be noticed",
    async () => {
      const now = await stateOf();
      for (const { id } of frozen)
        if (!noticed.has(id) && hasMoved(before.get(id), now.get(id))) noticed.set(id, performance.now() - startedAt);
      return noticed.size === frozen.length;
    },
    FROZEN_LOOKS_MS,
  );
  await callNetwork(fleet.place, "heal");
  await until("frozen sessions to be back", async () =>
    (await viewsOf(fleet)).every(({ status }) => status === "CONNECTED"),
  );
  return [...noticed.values()];
};
