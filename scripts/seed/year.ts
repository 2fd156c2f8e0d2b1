// A company's database after a year. The store writes it, so that its rows are those of real traffic.
import type { App } from "../../src/app.ts";
import { seededRandom } from "../../src/conformance/seeded-random.ts";
import { DAY_MS } from "../../src/kernel/clock.ts";
import { newId } from "../../src/kernel/ids.ts";
import type { Tx } from "../../src/store/engine/db.ts";
import { makeOwners, type Owners } from "./year-people.ts";
import { addRest } from "./year-rest.ts";
import { addMessage, addPerson, createHours, endTalk, type Talk } from "./year-talk.ts";

type YearEnv = App["env"];

/** The number of messages of a whole year. */
export const YEAR_MESSAGES = 5_000_000;
const YEAR_MS = 365 * DAY_MS;
const PER_WRITE = 1000;
/** Messages come in bursts, as people talk; five bursts with each contact. */
const BURST = 5;
const BURSTS_EACH = 5;
/** One of a hundred bursts, and so of a hundred messages, is in the longest conversation. */
const LONGEST_EVERY = 100;
const BETWEEN_MS = 20_000;
const MOST_PHONES = 500;
const FEWEST_PHONES = 30;
/** The seed's own memory for pages: the indexes of people are written all over. */
const CACHE_KB = 1_000_000;

/**
 * Fills an empty directory with a year: `messages` with their events, deliveries and attempts, a contact and a
 * conversation for every 25 of them, and up to 500 phones, of ten accounts; the first one has six tenths. One number of
 * messages and one end give the same rows; keys and secrets are new each time. `onProgress` gets the number of written
 * messages.
 */
export const seedYear = async (
  env: YearEnv,
  { messages, endMs }: { messages: number; endMs: number },
  onProgress: (written: number) => void,
): Promise<Owners> => {
  const startMs = endMs - YEAR_MS;
  const random = seededRandom(messages);
  await env.db.read((reader) => reader.rows("SELECT 1"));
  await env.db.write((tx) => tx.rows(`PRAGMA cache_size = -${CACHE_KB}`));
  const phones = Math.max(FEWEST_PHONES, Math.min(MOST_PHONES, Math.floor(messages / 200)));
  const owners = await makeOwners(env, random, { phones, startMs });
  const newIdAt = <Id extends string>(at: number): Id => newId<Id>({ clock: { now: () => at }, random });
  const talk: Talk = { env, owners: owners.all, people: [], newIdAt, startMs, endMs };
  for (let first = 0; first < messages; first += PER_WRITE) {
    const last = Math.min(messages, first + PER_WRITE);
    await env.db.write((tx) => addMessages(tx, talk, random, { first, last, messages }), { isDurable: false });
    onProgress(last);
  }
  for (let first = 0; first < talk.people.length; first += PER_WRITE)
    await env.db.write(
      async (tx) => {
        for (const [index, person] of talk.people.slice(first, first + PER_WRITE).entries())
          await endTalk(tx, person, first + index);
      },
      { isDurable: false },
    );
  const hundreds = Math.ceil(messages / 100);
  await addRest(talk, { templates: phones * 6, batches: Math.ceil(hundreds / 170), recipients: 1000, acts: hundreds });
  return owners;
};

type Range = { first: number; last: number; messages: number };

const addMessages = async (
  tx: Tx,
  talk: Talk,
  random: { float(): number },
  { first, last, messages }: Range,
): Promise<void> => {
  const hours = createHours(talk.endMs);
  for (let k = first; k < last; k += BURST) {
    const burst = k / BURST;
    const begins = Math.floor(talk.startMs + ((talk.endMs - talk.startMs) * k) / (messages + BURST));
    const person = await personOf(tx, talk, { burst, at: begins, share: random.float() });
    for (let turn = 0; turn < Math.min(BURST, last - k); turn++) {
      const at = Math.min(begins + turn * BETWEEN_MS, talk.endMs);
      hours.note(person, at, await addMessage(tx, talk, { person, k: k + turn, at }));
    }
  }
  await hours.write(tx);
};

const personOf = async (
  tx: Tx,
  talk: Talk,
  { burst, at, share }: { burst: number; at: number; share: number },
): Promise<Talk["people"][number]> => {
  if (burst % BURSTS_EACH === 0) return addPerson(tx, talk, at);
  const known = burst % LONGEST_EVERY === 7 ? 0 : Math.floor(share * talk.people.length);
  return talk.people[known] ?? addPerson(tx, talk, at);
};
