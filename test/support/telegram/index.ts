import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type Clock, systemClock } from "../../../src/kernel/clock.ts";
import { type Business, createBusiness } from "./business.ts";
import { createFailures, type Failure } from "./failures.ts";
import { createPeople, type People } from "./people.ts";
import { serveTelegram } from "./server.ts";
import type { Bot, Group, JournalEntry, Person, State, Stored } from "./state.ts";
import { createUpdates } from "./updates.ts";

export type { Failure } from "./failures.ts";
export type { JournalEntry, Stored } from "./state.ts";

/** A bot of the simulated network, and people's acts on it. */
export type SimulatedBot = Bot & { people: People; business: Business; sent(): Stored[] };

/** The simulated Bot API (https://core.telegram.org/bots/api): a client's view of the real one, and a test's orders. */
export type Telegram = {
  /** The value for RECADO_TELEGRAM_URL. */
  readonly url: string;
  /** Every call of a method, in order of arrival, with refused ones. */
  readonly journal: readonly JournalEntry[];
  addBot(seed: { id: number; secret: string; username: string }): SimulatedBot;
  addPerson(person: Person): void;
  addGroup(group: Group): void;
  /** Stores a file for messages, and gives its file id. `announcedSize`: the size that the network states. */
  addFile(id: string, bytes: Uint8Array, path: string, announcedSize?: number): void;
  person(id: number): Person;
  group(id: number): Group;
  /**
   * Of the matching calls, `skip` (default 0) succeed and the next `count` (default 1) fail like this. `file` is a
   * download.
   */
  failNext(method: RegExp, failure: Failure, count?: number, skip?: number): void;
  clearFailures(): void;
  /** Resolves when the condition holds, which is checked after every request. */
  until(condition: () => boolean): Promise<void>;
  /** From now on the simulator does not answer. */
  stop(): Promise<void>;
};

/** Starts the simulator on a free port of 127.0.0.1. */
export const startTelegram = async ({ clock = systemClock() }: { clock?: Clock } = {}): Promise<Telegram> => {
  const state: State = { clock, bots: new Map(), people: new Map(), groups: new Map(), files: new Map() };
  const failures = createFailures();
  const journal: JournalEntry[] = [];
  const waiting = new Set<() => void>();
  const look = () => setImmediate(() => [...waiting].forEach((one) => one()));
  const server = serveTelegram({ state, failures, journal, onRequest: look });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  let isUp = true;
  return {
    url: `http://127.0.0.1:${port}`,
    journal,
    addBot: (seed) => addBot(state, seed),
    addPerson: (person) => void state.people.set(person.id, person),
    addGroup: (group) => void state.groups.set(group.id, group),
    addFile: (id, bytes, path, announcedSize) =>
      void state.files.set(id, {
        bytes,
        path,
        uniqueId: `u-${id}`,
        ...(announcedSize === undefined ? {} : { announcedSize }),
      }),
    person: (id) => required(state.people.get(id), `person ${id}`),
    group: (id) => required(state.groups.get(id), `group ${id}`),
    failNext: (method, failure, count = 1, skip = 0) => failures.order(method, failure, count, skip),
    clearFailures: failures.clear,
    async until(condition) {
      if (condition()) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const check = () => condition() && resolve();
      waiting.add(check);
      await promise.finally(() => waiting.delete(check));
    },
    async stop() {
      if (!isUp) return;
      isUp = false;
      for (const bot of state.bots.values()) bot.updates.endPoll();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

const required = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new Error(`there is no ${what}`);
  return value;
};

const addBot = (
  state: State,
  { id, secret, username }: { id: number; secret: string; username: string },
): SimulatedBot => {
  const token = `${id}:${secret}`;
  const bot: Bot = {
    id,
    token,
    username,
    isRevoked: false,
    updates: createUpdates(state.clock, 870_000_001),
    messages: new Map(),
    callbacks: new Map(),
    nextMessageId: 101,
    connections: new Map(),
    polls: new Map(),
  };
  state.bots.set(token, bot);
  const [people, business] = [createPeople(state, bot), createBusiness(state, bot)];
  return Object.assign(bot, {
    people,
    business,
    sent: () => [...bot.messages.values()].filter(({ isOutgoing }) => isOutgoing),
  });
};
