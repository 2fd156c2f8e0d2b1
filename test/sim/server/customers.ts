import type { Chance } from "./chance.ts";
import type { Machine } from "./machine.ts";
import type { Remote } from "./network.ts";

/** How an endpoint of a customer is now. */
export type Mood = "good" | "slow" | "hangs" | "fails" | "busy" | "gone" | "wild";

/** A request that reached an endpoint. `status`: what it answered; undefined for nothing. */
export type Arrival = {
  host: string;
  eventId: string;
  attempt: number;
  body: string;
  at: number;
  status: number | undefined;
};

export type Customers = {
  readonly arrivals: readonly Arrival[];
  moodOf(host: string): Mood;
  set(host: string, mood: Mood): void;
  remote: Remote;
};

const SLOW_MS = 2500;

/** The endpoints of all customers, by their host names. */
export const createCustomers = (machine: Machine, chance: Chance): Customers => {
  const moods = new Map<string, Mood>();
  const arrivals: Arrival[] = [];
  const moodOf = (host: string): Mood => moods.get(host) ?? "good";

  const statusOf = (mood: Mood): number | undefined => {
    switch (mood) {
      case "good":
      case "slow":
        return 200;
      case "hangs":
        return undefined;
      case "fails":
        return chance.pick([500, 502, 404, 301]);
      case "busy":
        return 503;
      case "gone":
        return 410;
      case "wild":
        return chance.pick([200, 204, 200, 500, 429, undefined]);
    }
  };

  return {
    arrivals,
    moodOf,
    set: (host, mood) => void moods.set(host, mood),
    remote({ url, headers = {}, text }) {
      const { host } = new URL(url);
      const mood = moodOf(host);
      const status = statusOf(mood);
      const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
      arrivals.push({
        host,
        eventId: named["webhook-id"] ?? "",
        attempt: Number(named["x-gateway-attempt"] ?? 0),
        body: text,
        at: machine.now,
        status,
      });
      if (status === undefined) return undefined;
      const tookMs = mood === "slow" ? SLOW_MS : 1 + chance.below(40);
      return { status, body: "ok", tookMs, ...(mood === "busy" ? { headers: { "retry-after": "7" } } : {}) };
    },
  };
};
