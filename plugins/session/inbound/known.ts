import type { WASocket } from "@whiskeysockets/baileys";
import type { Known } from "../../../src/contract/events.ts";
import type { KeyChanges, KeyStore } from "../../../src/contract/key-store.ts";
import { namesOf, personOf, WARM } from "./people.ts";

/** Two addresses of one person. */
type Pair = { lid: string; pn: string };

/** A history brings thousands of pairs, most of them of people who never wrote. */
const AT_ONCE = 500;

/** Pairs of which is remembered that they were heard: the same ones come with every message. */
const PAIRS_MAX = 2000;

/**
 * Tells every pair of addresses that the network names, each once. Baileys keeps them all in one place; its events lose
 * those of a history that they hold back.
 */
export const hearPairs = (
  { signalRepository: { lidMapping } }: Pick<WASocket, "signalRepository">,
  hear: (pairs: readonly Pair[]) => void,
): void => {
  const heard = new Set<string>();
  const store = lidMapping.storeLIDPNMappings.bind(lidMapping);
  lidMapping.storeLIDPNMappings = async (pairs) => {
    await store(pairs);
    const update = pairs.filter(({ lid, pn }) => !heard.has(`${lid} ${pn}`));
    if (heard.size + update.length > PAIRS_MAX) heard.clear();
    for (const { lid, pn } of update.slice(0, PAIRS_MAX)) heard.add(`${lid} ${pn}`);
    if (update.length > 0) hear(update);
  };
};

/**
 * What pairs of addresses tell of people who have written under one of the two; of all others, and of those with whom
 * both are known, nothing.
 */
export const knownBy = async (keyStore: KeyStore, pairs: readonly Pair[], at: number): Promise<KeyChanges[]> => {
  const changes: KeyChanges[] = [];
  for (let first = 0; first < pairs.length; first += AT_ONCE)
    changes.push(await updatesIn(keyStore, pairs.slice(first, first + AT_ONCE), at));
  return changes.filter(({ events = [] }) => events.length > 0);
};

const updatesIn = async (keyStore: KeyStore, pairs: readonly Pair[], at: number): Promise<KeyChanges> => {
  const people = pairs.map(({ pn, lid }) => personOf(pn, lid));
  const warm = await keyStore.read(WARM, people.flatMap(namesOf));
  const update = people.filter((person) => {
    const names = namesOf(person);
    return names.length === 2 && names.filter((name) => warm.has(name)).length === 1;
  });
  return {
    events: update.map((identity): Known => ({ kind: "known", at, identity })),
    rows: update.flatMap(namesOf).map((id) => ({ kind: WARM, id, value: "1" })),
  };
};
