import type { Found, LookupApi } from "../../../src/contract/abilities/lookup.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { KeyRow, KeyStore } from "../../../src/contract/ports/key-store.ts";
import { unavailable } from "../../../src/contract/upstream.ts";
import { type Clock, DAY_MS, HOUR_MS } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import { MOST_SPELLINGS, spellingsOf } from "../../../src/kernel/numbers/phone-numbers.ts";
import type { ActiveSocket } from "../active-socket.ts";
import { jidOf } from "../address.ts";
import { completed, personOf } from "../inbound/people.ts";
import type { Limits } from "./limits/limits.ts";
import { type Failure, later, refused } from "./outcomes.ts";
import { type Answer, askNumbers, batchesOf, firstOf } from "./usync.ts";

const KIND = "address";
const KNOWN_FOR_MS = 7 * DAY_MS;

/** The network's answer about a number, and its expiry. Rows of before 2026-11-29 have no LID. */
type Row = Found & { lid?: string | null; until: number };

const rowsIn = async (
  keyStore: Pick<KeyStore, "read">,
  numbers: readonly string[],
  clock: Clock,
): Promise<Map<string, Row>> => {
  const rows = await keyStore.read(KIND, numbers);
  // written by keep alone
  const parsed = [...rows].map(([number, value]) => [number, JSON.parse(value) as Row] as const);
  return new Map(parsed.filter(([, { until }]) => until > clock.now()));
};

const knownIn = async (keyStore: KeyStore, numbers: readonly string[], clock: Clock): Promise<Map<string, Found>> =>
  foundOf(await rowsIn(keyStore, numbers, clock));

const foundOf = (answers: ReadonlyMap<string, Found>): Map<string, Found> =>
  new Map([...answers].map(([number, { exists, jid }]) => [number, { exists, jid }]));

/** The LID of a valid answer; undefined if newer information contradicts it, or may be older. */
const lidOf = async (keyStore: KeyStore, { jid, lid }: Row): Promise<string | null | undefined> => {
  const { pn, lid: paired } = await completed(keyStore, personOf(jid));
  if (lid === undefined) return paired === undefined ? null : undefined;
  if (lid === null) return null;
  const { pn: holds } = await completed(keyStore, personOf(`${lid}@lid`));
  const isPair = (paired === undefined || paired === lid) && (holds === undefined || holds === pn);
  return isPair ? lid : undefined;
};

/** Whether the network has named this LID with the number within the last hour. */
export const isNamedNow = async (
  keyStore: Pick<KeyStore, "read">,
  { number, lid }: { number: string; lid: string },
  clock: Clock,
): Promise<boolean> => {
  const rows = await rowsIn(keyStore, spellingsOf(number), clock);
  return [...rows.values()].some((row) => row.lid === lid && row.until - KNOWN_FOR_MS + HOUR_MS > clock.now());
};

/** The rows by which the answers about a number are forgotten. */
export const forgottenRows = (number: string): KeyRow[] =>
  spellingsOf(number).map((id) => ({ kind: KIND, id, value: null }));

const keep = (keyStore: KeyStore, found: ReadonlyMap<string, Answer>, clock: Clock): Promise<void> => {
  const until = clock.now() + KNOWN_FOR_MS;
  return keyStore.write({
    rows: [...found].map(([id, one]) => ({
      kind: KIND,
      id,
      value: JSON.stringify({ ...one, until } satisfies Row),
      until,
    })),
  });
};

/** An address. For a number also the LID that the network names with it; null if it names none. */
export type Resolved = { jid: string; lid?: string | null };

export type Numbers = {
  readonly lookup: LookupApi;
  /** The chat address of a canonical key; for a number the address that the network names. Never throws. */
  resolve(activeSocket: ActiveSocket, canonicalKey: string): Promise<({ ok: true } & Resolved) | Failure>;
};

/**
 * Finds which numbers are on the network, and their addresses there. Answers are kept in the key store; a request
 * without an answer changes nothing. Lookups keep to the hourly allowance. Sends have a pace of their own: they count
 * towards the allowance and never wait for it.
 */
export const createNumbers = (
  { clock, log }: Pick<ChannelHost, "clock" | "log">,
  limits: Pick<Limits, "allowance" | "rowOf">,
  activeSocketOf: () => ActiveSocket | undefined,
): Numbers => {
  const { allowance } = limits;

  const ask = async ({ sock, keyStore }: ActiveSocket, numbers: readonly string[]): Promise<Map<string, Answer>> => {
    allowance.spend(numbers.flatMap(spellingsOf).length);
    await keyStore.write({ rows: [limits.rowOf("allowance")] }); // before the network counts it, too
    const found = (await askNumbers(sock, numbers)) ?? new Map<string, Answer>();
    const pairs = [...found.values()].flatMap(({ jid, lid }) =>
      jid === null || lid === null ? [] : [{ pn: jid, lid: `${lid}@lid` }],
    );
    await sock.signalRepository.lidMapping.storeLIDPNMappings(pairs);
    if (found.size > 0) await keep(keyStore, found, clock);
    return found;
  };

  const find = async (activeSocket: ActiveSocket, numbers: readonly string[]): ReturnType<LookupApi["find"]> => {
    const known = await knownIn(activeSocket.keyStore, numbers, clock);
    const unasked = [...new Set(numbers)].filter((number) => !known.has(number));
    const affordable = firstOf(unasked, allowance.left());
    if (unasked.length > 0 && affordable.length === 0)
      return { ...TOO_MANY, retryAfterMs: allowance.waitMs(MOST_SPELLINGS) };
    const found = new Map<string, Found>();
    for (const batch of batchesOf(affordable)) {
      const said = await ask(activeSocket, batch);
      if (said.size === 0) break;
      for (const [number, one] of foundOf(said)) found.set(number, one);
    }
    return affordable.length > 0 && found.size === 0 ? NO_ANSWER : { ok: true, value: new Map([...known, ...found]) };
  };

  /** The known answer for a number, or else the network's present answer. */
  const answerFor = async (activeSocket: ActiveSocket, number: string): Promise<Answer | undefined> => {
    const row = (await rowsIn(activeSocket.keyStore, [number], clock)).get(number);
    const lid = row && (await lidOf(activeSocket.keyStore, row));
    return row && lid !== undefined ? { ...row, lid } : (await ask(activeSocket, [number])).get(number);
  };

  const resolve: Numbers["resolve"] = async (activeSocket, canonicalKey) => {
    const number = /^pn:(\d+)$/.exec(canonicalKey)?.[1];
    const jid = jidOf(canonicalKey);
    if (jid === undefined) return refused("this is not an address of the network");
    if (number === undefined) return { ok: true, jid };
    try {
      const found = await answerFor(activeSocket, number);
      if (!found) return later("the network did not say whether it has the number");
      return found.jid === null
        ? refused("the number is not on the network", { code: "RECIPIENT_NOT_ON_NETWORK" })
        : { ok: true, jid: found.jid, lid: found.lid };
    } catch (thrown) {
      return later(`the number could not be looked up: ${reasonOf(thrown)}`);
    }
  };

  return {
    lookup: {
      async known(numbers) {
        const activeSocket = activeSocketOf();
        return activeSocket ? knownIn(activeSocket.keyStore, numbers, clock).catch(() => new Map()) : new Map();
      },
      async find(numbers) {
        const activeSocket = activeSocketOf();
        if (!activeSocket) return unavailable("the channel is not connected");
        return find(activeSocket, numbers).catch((thrown: unknown) => {
          log.warn({ error: reasonOf(thrown) }, "numbers could not be looked up");
          return NO_ANSWER;
        });
      },
    },
    resolve,
  };
};

const NO_ANSWER = unavailable("the network did not answer");
const TOO_MANY = unavailable("more numbers were looked up than the network allows in an hour");
