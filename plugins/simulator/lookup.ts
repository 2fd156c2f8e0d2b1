import type { Found, LookupApi } from "../../src/contract/abilities/lookup.ts";
import { type Clock, DAY_MS } from "../../src/kernel/clock.ts";

const REMEMBERED_MS = 7 * DAY_MS;
const MAX_REMEMBERED = 1000;

/** Answers at once: numbers of 999 that end in 0000 are not on the network, all others are. */
export const simulatorLookup = ({ now }: Clock): LookupApi => {
  const answeredAt = new Map<string, number>();

  const remember = (number: string): void => {
    answeredAt.delete(number);
    answeredAt.set(number, now());
    if (answeredAt.size > MAX_REMEMBERED) for (const oldest of answeredAt.keys()) return void answeredAt.delete(oldest);
  };
  return {
    known: async (numbers) =>
      answersFor(
        numbers.filter((number) => now() - (answeredAt.get(number) ?? Number.NEGATIVE_INFINITY) < REMEMBERED_MS),
      ),
    async find(numbers) {
      for (const number of numbers) remember(number);
      return { ok: true, value: answersFor(numbers) };
    },
  };
};

const answersFor = (numbers: readonly string[]): Map<string, Found> =>
  new Map(numbers.map((number) => [number, foundOf(number)]));

const foundOf = (number: string): Found =>
  /^999\d*0000$/.test(number) ? { exists: false, jid: null } : { exists: true, jid: `${number}@s.whatsapp.net` };
