import { describe, expect, test } from "bun:test";
import { seededRandom } from "../../src/conformance/seeded-random.ts";
import { namesOfKey, somebody } from "../../src/core/people/person.ts";
import { findAgain, findPage, searchFor } from "../../src/core/people/rows.ts";
import { secretsOf } from "../../src/kernel/crypto.ts";
import { tempDatabases } from "../support/databases/temp-database.ts";

const who = somebody([
  { pn: "5511987654321", lid: "190000000012345" },
  { bsuid: "BR.45935364084932" },
  { username: "ana.maria" },
]);

describe("somebody is known", () => {
  const IS = [
    "5511987654321",
    "551187654321",
    "+5511987654321",
    "pn:5511987654321",
    "5511987654321@s.whatsapp.net",
    "5511987654321:7@s.whatsapp.net",
    "190000000012345_1.0",
  ];
  const IS_TOO = [
    "lid:190000000012345",
    "190000000012345@lid",
    "BR.45935364084932",
    "bsuid:BR.45935364084932",
    "username:ana.maria",
    "username:@ana.maria",
  ];
  test.each([...IS, ...IS_TOO])("by %s, alone or in JSON", (name) => {
    expect([who.names(name), who.namesIn(JSON.stringify({ a: [{ from: name }] }))]).toEqual([true, true]);
  });

  test("by each of several chats that a network has with them, but not by another person's", () => {
    const bert = somebody([{ uid: "4711" }]);
    const known = (name: string) => [bert.names(name), bert.namesIn(JSON.stringify({ chat: name }))];
    for (const name of ["uid:4711", "4711/conn-1", "uid:4711/conn-1", "uid:4711/conn-1/9"])
      expect([name, ...known(name)]).toEqual([name, true, true]);
    for (const name of ["uid:47112/conn-1", "uid:14711/conn-1", "group:4711/9", "uid:1/4711"])
      expect([name, ...known(name)]).toEqual([name, false, false]);
    expect(bert.redact("see uid:4711/conn-1")).toBe("see uid:[erased]/conn-1");
  });

  const IS_NOT = [
    "55119876543210",
    "15511987654321",
    "5511987654322",
    "group:1",
    "ana.maria",
    "BR.459353640849321",
    "",
    "pn:",
    "a 5511987654321",
  ];
  test.each(IS_NOT)("not by '%s'", (name) => {
    expect([who.names(name), who.namesIn(JSON.stringify({ from: name }))]).toEqual([false, false]);
  });

  test("in a text, where their name is replaced and nothing else", () => {
    const text = "ask 5511987654321, +551187654321 or BR.45935364084932, not 55119876543210 nor ana.maria";
    expect([who.mentions(text), who.redact(text)]).toEqual([
      true,
      "ask [erased], +[erased] or [erased], not 55119876543210 nor ana.maria",
    ]);
    expect([null, 5, undefined, "x"].map((value) => who.mentions(value))).toEqual([false, false, false, false]);
  });

  test("without a name nobody is", () => {
    expect([somebody([]).names(""), somebody([]).mentions("5511987654321"), somebody([]).namesIn('""')]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test("by a username at any length of text: quadratic work would outlast the test", () => {
    const long = `"${"5".repeat(5_000_000)}`;
    expect([who.names, who.namesIn, who.mentions].map((look) => look(long))).toEqual([false, false, false]);
  });
});

describe("a key", () => {
  const MEANT: [key: string, names: object][] = [
    [
      "+55 (11) 98765-4321",
      { pn: "5511987654321", lid: "5511987654321", igsid: "5511987654321", uid: "5511987654321" },
    ],
    ["pn:5511987654321", { pn: "5511987654321" }],
    ["lid:190000000012345", { lid: "190000000012345" }],
    ["@Ana.Maria", { username: "ana.maria" }],
    ["username:ana", { username: "ana" }],
    ["BR.45935364084932", { bsuid: "BR.45935364084932", parentBsuid: "BR.45935364084932", uid: "BR.45935364084932" }],
    ["uid:bert.3", { uid: "bert.3" }],
    ["uid:bert.3/conn-1", { uid: "bert.3" }],
  ];
  test.each(MEANT)("%s means somebody", (key, names) => expect(namesOfKey(key)).toEqual(names));

  test("as sends take numbers: with any dashes, but not with a zero that makes another number", () => {
    expect(namesOfKey("+55 11 98765\u20114321").pn).toBe("5511987654321");
    expect(() => namesOfKey("+44 (0)20 7946 0000")).toThrow();
  });
});

const temp = tempDatabases();

test("a row that has changed, or whose place another has, is not erased for what it was", async () => {
  const db = temp.database();
  const env = { db, secrets: secretsOf(new Uint8Array(32), seededRandom(1)) };
  const lookup = (id: string, number: string) =>
    db.write(async (tx) =>
      tx.run("INSERT INTO lookups (id, tenant_id, channel_id, numbers, expires_at) VALUES (?1, 't', 'c', ?2, 1)", [
        id,
        JSON.stringify([number]),
      ]),
    );
  const search = await db.read((reader) => searchFor(reader, undefined, who));
  await lookup("theirs", "5511987654321");
  const { found } = await findPage(env, { table: "lookups", after: 0 }, search);
  const [first] = found;
  if (!first) throw new Error("their lookup was not found");
  const again = () => db.write((tx) => findAgain(env, tx, { table: "lookups", at: first.row.at }, search));
  expect(await again()).toMatchObject({ isTheirs: true, row: { id: "theirs" } });
  await db.write(async (tx) => tx.run("DELETE FROM lookups"));
  expect(await again()).toBeUndefined();
  await lookup("another's", "5511999990002");
  expect(await again()).toBeUndefined();
});

test("looking through a table gives way to others after every few rows", async () => {
  const db = temp.database();
  const env = { db, secrets: secretsOf(new Uint8Array(32), seededRandom(1)) };
  await db.write(async (tx) => {
    for (let n = 0; n < 100; n++)
      tx.run("INSERT INTO lookups (id, tenant_id, channel_id, numbers, expires_at) VALUES (?1, 't', 'c', '[]', 1)", [
        String(n),
      ]);
  });
  const search = await db.read((reader) => searchFor(reader, undefined, who));
  let [turns, pages] = [0, 0];
  for (let after: number | undefined = 0; after !== undefined; pages++) {
    setImmediate(() => turns++);
    const { next }: { next: number | undefined } = await findPage(env, { table: "lookups", after }, search);
    expect(turns).toBe(pages + 1);
    after = next;
  }
  expect(pages).toBe(5);
});
