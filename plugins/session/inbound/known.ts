import type { WASocket } from "@whiskeysockets/baileys";
import type { Known } from "../../../src/contract/events.ts";
import type { KeyRing, RingChanges } from "../../../src/contract/key-ring.ts";
import { namesOf, personOf, WARM } from "./people.ts";

/** Two addresses of one person. */
type Pair = { lid: string; pn: string };

/** A history brings thousands of pairs, most of them of people who never wrote. */
const AT_ONCE = 500;

/** Pairs of which is remembered that they were heard: the same ones come with every message. */
const HEARD_MAX = 2000;

/** Tells every pair of addresses that the network names, each once. Baileys keeps them all in one place; its events lose those of a history that they hold back. */
export const hearPairs = ({ signalRepository: { lidMapping } }: Pick<WASocket, "signalRepository">, hear: (pairs: readonly Pair[]) => void): void => {
  const heard = new Set<string>();
  const store = lidMapping.storeLIDPNMappings.bind(lidMapping);
  lidMapping.storeLIDPNMappings = async (pairs) => {
    await store(pairs);
    const news = pairs.filter(({ lid, pn }) => !heard.has(`${lid} ${pn}`));
    if (heard.size + news.length > HEARD_MAX) heard.clear();
    for (const { lid, pn } of news.slice(0, HEARD_MAX)) heard.add(`${lid} ${pn}`);
    if (news.length > 0) hear(news);
  };
};

/** What pairs of addresses tell of people who have written under one of the two; of all others, and of those with whom both are known, nothing. */
export const knownBy = async (ring: KeyRing, pairs: readonly Pair[], at: number): Promise<RingChanges[]> => {
  const changes: RingChanges[] = [];
  for (let first = 0; first < pairs.length; first += AT_ONCE) changes.push(await newsIn(ring, pairs.slice(first, first + AT_ONCE), at));
  return changes.filter(({ events = [] }) => events.length > 0);
};

const newsIn = async (ring: KeyRing, pairs: readonly Pair[], at: number): Promise<RingChanges> => {
  const people = pairs.map(({ pn, lid }) => personOf(pn, lid));
  const warm = await ring.read(WARM, people.flatMap(namesOf));
  const news = people.filter((person) => {
    const names = namesOf(person);
    return names.length === 2 && names.filter((name) => warm.has(name)).length === 1;
  });
  return {
    events: news.map((identity): Known => ({ kind: "known", at, identity })),
    rows: news.flatMap(namesOf).map((id) => ({ kind: WARM, id, value: "1" })),
  };
};
