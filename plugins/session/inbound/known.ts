import type { WASocket } from "@whiskeysockets/baileys";
import type { Known } from "../../../src/contract/events.ts";
import type { KeyChanges, KeyStore } from "../../../src/contract/ports/key-store.ts";
import { usernameOf } from "./origin.ts";
import { namesOf, personOf, REACHED, WARM } from "./people.ts";

/** Two addresses of one person. */
type Pair = { lid: string; pn: string };

/** A history brings thousands of pairs, most of them of people who never wrote. */
const AT_ONCE = 500;

/** The number of pairs to remember as published, because the same pairs come with every message. */
const PAIRS_MAX = 2000;

/**
 * Calls `onPairs` with every pair of addresses that the network names, each once. It wraps the store of Baileys,
 * because Baileys' own event drops the pairs of a delayed history sync.
 */
export const watchPairs = (
  { signalRepository: { lidMapping } }: Pick<WASocket, "signalRepository">,
  onPairs: (pairs: readonly Pair[]) => void,
): void => {
  const published = new Set<string>();
  const store = lidMapping.storeLIDPNMappings.bind(lidMapping);
  lidMapping.storeLIDPNMappings = async (pairs) => {
    await store(pairs);
    const update = pairs.filter(({ lid, pn }) => !published.has(`${lid} ${pn}`));
    if (published.size + update.length > PAIRS_MAX) published.clear();
    for (const { lid, pn } of update.slice(0, PAIRS_MAX)) published.add(`${lid} ${pn}`);
    if (update.length > 0) onPairs(update);
  };
};

/**
 * The `known` events of pairs in which exactly one address has written, or was written to. Other pairs publish nothing:
 * neither address has a message, or both are already known.
 */
export const knownBy = async (keyStore: KeyStore, pairs: readonly Pair[], at: number): Promise<KeyChanges[]> => {
  const changes: KeyChanges[] = [];
  for (let first = 0; first < pairs.length; first += AT_ONCE)
    changes.push(await changesOf(keyStore, pairs.slice(first, first + AT_ONCE), at));
  return changes.filter(({ events = [] }) => events.length > 0);
};

/** The entry of a person in the network's address book. */
type Entry = { id?: string | null; lid?: string | null; phoneNumber?: string | null; username?: string | null };

/** The `known` events of people who have written, and whose username the owner's address book has. */
export const usernamesBy = async (keyStore: KeyStore, entries: readonly Entry[], at: number): Promise<KeyChanges[]> => {
  const people = entries.slice(0, AT_ONCE).flatMap(({ id, lid, phoneNumber, username: text }) => {
    const [username, person] = [usernameOf(text), personOf(id, lid, phoneNumber)];
    return username === undefined ? [] : [{ ...person, username }];
  });
  const warm = await keyStore.read(WARM, people.flatMap(namesOf));
  const events = people
    .filter((person) => namesOf(person).some((name) => warm.has(name)))
    .map((identity): Known => ({ kind: "known", at, identity }));
  return events.length > 0 ? [{ events }] : [];
};

const changesOf = async (keyStore: KeyStore, pairs: readonly Pair[], at: number): Promise<KeyChanges> => {
  const people = pairs.map(({ pn, lid }) => personOf(pn, lid));
  const names = people.flatMap(namesOf);
  const met = (known: ReadonlyMap<string, string>) =>
    people.filter((person) => {
      const both = namesOf(person);
      return both.length === 2 && both.filter((name) => known.has(name)).length === 1;
    });
  const [warm, reached] = [met(await keyStore.read(WARM, names)), met(await keyStore.read(REACHED, names))];
  const rowsOf = (kind: string, of: typeof people) => of.flatMap(namesOf).map((id) => ({ kind, id, value: "1" }));
  return {
    events: [...new Set([...warm, ...reached])].map((identity): Known => ({ kind: "known", at, identity })),
    rows: [...rowsOf(WARM, warm), ...rowsOf(REACHED, reached)],
  };
};
