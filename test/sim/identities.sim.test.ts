import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Identity } from "../../src/contract/events.ts";
import { type IdentityUpdate, type InboundContext, learnIdentity } from "../../src/core/channels/identity.ts";
import { openWriter } from "../../src/store/engine/connection.ts";
import { type Db, migrateDatabase } from "../../src/store/engine/db.ts";
import type { IdentityRow } from "../../src/store/tables/channels/identities.ts";
import { explaining } from "../support/databases/explain.ts";
import { tempDatabases } from "../support/databases/temp-database.ts";

const temp = tempDatabases();

const openWriterOf = () => {
  const path = temp.path();
  migrateDatabase(path, 0);
  return temp.keep(openWriter(path));
};

/** Somebody as they are at one time. Ids are nobody else's ever; numbers and usernames change hands. */
type Person = { pn: string; bsuid: string; username: string | undefined };
type Shown = ("pn" | "bsuid" | "username")[];

/**
 * What happens in the world, and what the network shows of somebody. A number comes with its user id, as it does since
 * user ids exist.
 */
const HAPPENING = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant("shown" as const),
      who: fc.nat(3),
      names: fc.constantFrom<Shown>(["bsuid"], ["pn", "bsuid"], ["bsuid", "username"], ["pn", "bsuid", "username"]),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant("moved" as const),
      who: fc.nat(3),
      number: fc.nat(4),
      isReported: fc.constantFrom("with ids", "without ids", "not"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("renamed" as const), who: fc.nat(3), username: fc.nat(3) }) },
);
type Happening = typeof HAPPENING extends fc.Arbitrary<infer One> ? One : never;

/** The people of a small world as things happen, and every observation of them, with its time. */
const historyOf = (happenings: readonly Happening[]) => {
  const people: Person[] = Array.from({ length: 4 }, (_, who) => ({
    pn: `1${who}`,
    bsuid: `B${who}-0`,
    username: `u${who}`,
  }));
  const owners = new Map<string, number>(people.flatMap(({ bsuid }, who) => [[bsuid, who]]));
  const everHad = people.map(({ pn, username }) => new Set([pn, username]));
  const update: IdentityUpdate[] = [];
  const personOf = (who: number): Person => people[who] as Person;
  happenings.forEach((one, index) => {
    const at = 1000 * (index + 1);
    const person = personOf(one.who);
    if (one.what === "shown")
      update.push({
        at,
        identity: Object.fromEntries(
          one.names.flatMap((name) => (person[name] === undefined ? [] : [[name, person[name]]])),
        ),
        name: `name ${one.who}`,
      });
    if (one.what === "renamed") {
      for (const other of people) if (other.username === `u${one.username}`) other.username = undefined;
      person.username = `u${one.username}`;
      everHad[one.who]?.add(person.username);
    }
    if (one.what === "moved") {
      const former = { ...person };
      const pn = `1${one.number}`;
      if (people.some((other) => other.pn === pn)) return; // taken
      Object.assign(person, { pn, bsuid: `B${one.who}-${index + 1}` });
      owners.set(person.bsuid, one.who);
      everHad[one.who]?.add(pn);
      if (one.isReported === "with ids")
        update.push({ at, identity: { pn, bsuid: person.bsuid }, before: { pn: former.pn, bsuid: former.bsuid } });
      if (one.isReported === "without ids") update.push({ at, identity: { pn }, before: { pn: former.pn } });
    }
  });
  return { people, update, ownerOf: (bsuid: string) => owners.get(bsuid) ?? -1, everHad };
};

/** A channel of its own in one database, which is opened once. */
const channelOf = (db: Db, id: string) => {
  const context = { channel: { id, tenantId: "t" }, environment: "live" } as unknown as InboundContext;
  return {
    learn: (update: IdentityUpdate): Promise<Identity> =>
      db.write((tx) => learnIdentity(tx, context, update), { isDurable: false }),
    rows: () =>
      db.read(async (reader) =>
        reader.rows<Pick<IdentityRow, "pn" | "bsuid" | "username">>(
          "SELECT pn, bsuid, username FROM identities WHERE channel_id = ?1",
          [id],
        ),
      ),
  };
};
type Channel = ReturnType<typeof channelOf>;

/** No row joins two people: the numbers and usernames of a user id all belonged to that person at some time. */
const expectNobodyMixed = async (channel: Channel, { ownerOf, everHad }: ReturnType<typeof historyOf>) => {
  for (const { pn, bsuid, username } of await channel.rows()) {
    if (bsuid === null) continue;
    const had = everHad[ownerOf(bsuid)];
    for (const name of [pn, username])
      if (name !== null) expect([bsuid, name, had?.has(name)]).toEqual([bsuid, name, true]);
  }
};

const HISTORIES = fc.array(HAPPENING, { minLength: 1, maxLength: 30 });

/**
 * In the end the network shows every person completely, and then every person is known completely. It does not show
 * that a username was given up.
 */
const expectAllKnown = async (channel: Channel, people: readonly Person[]) => {
  const rows = await channel.rows();
  for (const { pn, bsuid, username } of people) {
    const found = rows.filter((row) => row.pn === pn || row.bsuid === bsuid);
    expect(found).toMatchObject([{ pn, bsuid, ...(username === undefined ? {} : { username }) }]);
  }
};

describe("who is who, in a world where numbers, ids and usernames change hands", () => {
  let runs = 0;

  test("with observations in their order, nobody is ever taken for another, and who was shown whole is known whole", async () => {
    const db = temp.database();
    await fc.assert(
      fc.asyncProperty(HISTORIES, async (happenings) => {
        const [channel, world] = [channelOf(db, `channel ${++runs}`), historyOf(happenings)];
        for (const update of world.update) {
          expect(await channel.learn(update)).toMatchObject(update.identity);
          await expectNobodyMixed(channel, world);
        }
        for (const person of world.people)
          await channel.learn({ at: 1000 * (happenings.length + 1), identity: shown(person) });
        await expectAllKnown(channel, world.people);
      }),
      { numRuns: 150 },
    );
  });

  test("with observations out of order and repeated, nobody is ever taken for another, and in the end everybody is who they are", async () => {
    const db = temp.database();
    await fc.assert(
      fc.asyncProperty(HISTORIES, fc.array(fc.nat(), { maxLength: 40 }), async (happenings, order) => {
        const [channel, world] = [channelOf(db, `channel ${++runs}`), historyOf(happenings)];
        const repeated = order.flatMap((at) => world.update[at % Math.max(world.update.length, 1)] ?? []);
        for (const update of [...repeated, ...world.update]) await channel.learn(update);
        await expectNobodyMixed(channel, world);
        for (const person of world.people)
          await channel.learn({ at: 1000 * (happenings.length + 1), identity: shown(person) });
        for (const update of repeated) await channel.learn(update);
        await expectNobodyMixed(channel, world);
        await expectAllKnown(channel, world.people);
      }),
      { numRuns: 150 },
    );
  });
});

test("an observation without anything new costs one read, by an index", async () => {
  const db = openWriterOf();
  const { tx, sent } = explaining(db);
  const context = { channel: { id: "c", tenantId: "t" }, environment: "live" } as unknown as InboundContext;
  const update: IdentityUpdate = {
    identity: { pn: "11", bsuid: "B1", parentBsuid: "E1", username: "u1" },
    at: 1000,
    name: "Ana",
  };
  await learnIdentity(tx, context, update);
  for (const identity of [update.identity, { pn: "11" }, { bsuid: "B1" }, { username: "u1" }]) {
    sent.length = 0;
    expect(await learnIdentity(tx, context, { ...update, identity, at: 2000 })).toEqual(update.identity);
    expect(sent.map(({ plan }) => plan.every((step) => step.startsWith("SEARCH identities USING INDEX")))).toEqual([
      true,
    ]);
  }
});

const shown = ({ username, ...person }: Person): Identity => ({
  ...person,
  ...(username === undefined ? {} : { username }),
});
