import type { Found, LookupApi } from "../../../src/contract/abilities/lookup.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { KeyStore } from "../../../src/contract/ports/key-store.ts";
import { unavailable } from "../../../src/contract/upstream.ts";
import { type Clock, DAY_MS } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import { MOST_SPELLINGS, spellingsOf } from "../../../src/kernel/numbers/phone-numbers.ts";
import type { ActiveSocket } from "../active-socket.ts";
import { jidOf } from "../address.ts";
import type { Limits } from "./limits.ts";
import { type Failure, later, refused } from "./outcomes.ts";
import { askNumbers, batchesOf, firstOf } from "./usync.ts";

const KIND = "address";
const KNOWN_FOR_MS = 7 * DAY_MS;

/** What the network said of a number, and until when that holds. */
type Row = Found & { until: number };

const knownIn = async (keyStore: KeyStore, numbers: readonly string[], clock: Clock): Promise<Map<string, Found>> => {
  const rows = await keyStore.read(KIND, numbers);
  // written by keep alone
  const parsed = [...rows].map(([number, value]) => [number, JSON.parse(value) as Row] as const);
  return new Map(
    parsed.filter(([, { until }]) => until > clock.now()).map(([number, { exists, jid }]) => [number, { exists, jid }]),
  );
};

const keep = (keyStore: KeyStore, found: ReadonlyMap<string, Found>, clock: Clock): Promise<void> => {
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

export type Numbers = {
  readonly lookup: LookupApi;
  /** The chat address of a canonical key; a number's is the one that the network names. Never throws. */
  resolve(activeSocket: ActiveSocket, canonicalKey: string): Promise<{ ok: true; jid: string } | Failure>;
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

  const ask = async ({ sock, keyStore }: ActiveSocket, numbers: readonly string[]): Promise<Map<string, Found>> => {
    allowance.spend(numbers.flatMap(spellingsOf).length);
    await keyStore.write({ rows: [limits.rowOf("allowance")] }); // before the network counts it, too
    const found = (await askNumbers(sock, numbers)) ?? new Map<string, Found>();
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
      for (const [number, one] of said) found.set(number, one);
    }
    return affordable.length > 0 && found.size === 0 ? NO_ANSWER : { ok: true, value: new Map([...known, ...found]) };
  };

  const resolve: Numbers["resolve"] = async (activeSocket, canonicalKey) => {
    const number = /^pn:(\d+)$/.exec(canonicalKey)?.[1];
    const jid = jidOf(canonicalKey);
    if (jid === undefined) return refused("this is no address of the network");
    if (number === undefined) return { ok: true, jid };
    try {
      const found =
        (await knownIn(activeSocket.keyStore, [number], clock)).get(number) ??
        (await ask(activeSocket, [number])).get(number);
      if (!found) return later("the network did not say whether it has the number");
      return found.jid === null
        ? refused("the number is not on the network", { code: "RECIPIENT_NOT_ON_NETWORK" })
        : { ok: true, jid: found.jid };
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
