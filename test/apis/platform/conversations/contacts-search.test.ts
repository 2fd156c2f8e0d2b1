import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { addContact, changeContact, contactsOf, foundBy, NUMBER } from "../../../support/customers/contacts.ts";
import { type Customer, customer, made } from "../../../support/tenants/platform.ts";
import { startWorld, type World } from "../../../support/world.ts";

let w: World;
let who: Customer;
let stranger: Customer;
beforeAll(async () => {
  w = await startWorld();
  [who, stranger] = [await customer(w), await customer(w)];
  for (const fields of PEOPLE) made(await addContact(w, who, fields), 201);
  made(await addContact(w, stranger, { name: "João Stranger", email: "joao@stranger.example", tags: ["vip"] }), 201);
});
afterAll(() => w.stop());

const PEOPLE = [
  { name: "João da Silva", phoneNumber: NUMBER, email: "joao.silva@example.com", tags: ["VIP", "são paulo"] },
  { name: "Joana D'Arc", phoneNumber: "551199990002", email: "joana@orleans.example", tags: ["vip"] },
  { name: "José Conceição", phoneNumber: "351912345678" },
  { name: "王小明 Ångström", phoneNumber: "8613800138000", tags: ["cliente-novo"] },
  { name: "AND OR NOT NEAR", phoneNumber: "44000000" },
];

/** What finds whom, newest first. */
const FOUND: [string, string[]][] = [
  ["joao", ["João da Silva"]],
  ["JOÃO", ["João da Silva"]],
  ["joa\u0303o", ["João da Silva"]],
  ["jo", ["José Conceição", "Joana D'Arc", "João da Silva"]],
  ["jo silv", ["João da Silva"]],
  ["silva joão", ["João da Silva"]],
  ["silva joana", []],
  ["oão", []],
  ["conceicao", ["José Conceição"]],
  ["d'arc", ["Joana D'Arc"]],
  ["angstrom", ["王小明 Ångström"]],
  ["王小", ["王小明 Ångström"]],
  ["joao.silva@example.com", ["João da Silva"]],
  ["orleans", ["Joana D'Arc"]],
  ["vip", ["Joana D'Arc", "João da Silva"]],
  ["vip sao", ["João da Silva"]],
  ["cliente-novo", ["王小明 Ångström"]],
  [NUMBER, ["João da Silva"]],
  [`+${NUMBER}`, ["João da Silva"]],
  ["+55 (11) 99999-0001", ["João da Silva"]],
  ["9999", ["Joana D'Arc", "João da Silva"]],
  ["99990002", ["Joana D'Arc"]],
  ["0138", ["王小明 Ångström"]],
  ["000", ["AND OR NOT NEAR", "Joana D'Arc", "João da Silva"]],
  ["12345678", ["José Conceição"]],
  ["123456789", []],
  ["and", ["AND OR NOT NEAR"]],
  ["NOT", ["AND OR NOT NEAR"]],
  ["near or", ["AND OR NOT NEAR"]],
];

describe("GET /v1/contacts?search", () => {
  test.each(FOUND)("P-362 %p finds %p", async (search, names) => {
    expect(await foundBy(w, who, search)).toEqual(names);
    expect((await contactsOf(w, who, { search, limit: "1" })).meta).toEqual({
      total: names.length,
      limit: 1,
      offset: 0,
      hasMore: names.length > 1,
    });
  });

  test.each([
    ["551199990001", "João da Silva"],
    ["1199990001", "João da Silva"],
    ["5511999990002", "Joana D'Arc"],
  ])("P-362 %s finds the number that has its ninth digit, or lacks it: %s", async (search, name) => {
    expect(await foundBy(w, who, search)).toEqual([name]);
  });

  test.each(["***", '"', "()", "@ . -", "👍", "   ", "%", "_"])(
    "P-362 %p, which has no word, finds nobody",
    async (search) => {
      expect(await foundBy(w, who, search)).toEqual([]);
    },
  );

  test("P-362 an empty search is none", async () => {
    expect(await foundBy(w, who, "")).toHaveLength(PEOPLE.length);
  });

  test("P-362 ten different words are looked for, however often each is said, and not one more", async () => {
    const ten = "a b c d e f g h i j";
    expect(await foundBy(w, who, `${`${ten} `.repeat(9)}A Á`)).toEqual([]);
    expect(await foundBy(w, who, "j jo joa joao joã João s si sil silv silva")).toEqual(["João da Silva"]);
    const refused = await w.platform(`/v1/contacts?search=${encodeURIComponent(`${ten} k`)}`, { key: who.key });
    expect([refused.status, refused.body.code, refused.body.errors.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      "VALIDATION_ERROR",
      ["search"],
    ]);
  });

  test.each([
    ['" OR tenant : *', []],
    ['joao" OR words : "stranger', []],
    ["stranger) OR (joao", []],
    ["joao OR stranger", []],
    ["joao NOT silva", []],
    ["NEAR(joao silva, 5)", []],
    ["^joao", ["João da Silva"]],
    ["joao*", ["João da Silva"]],
    ["- words : joao", []],
    ["tenant", []],
    ["{tenant words} : joao", []],
    ["joao'; DROP TABLE contacts; --", []],
    ["joao + silva", ["João da Silva"]],
    ["joão\\", ["João da Silva"]],
    ["x ".repeat(100), []],
  ])("G-009 P-362 %p is words, never the syntax of a search", async (search, names) => {
    expect(await foundBy(w, who, search)).toEqual(names);
  });

  test("G-009 an institution is found by none of its ids, and what another one has by nothing", async () => {
    const searches = [stranger.id, stranger.id.replaceAll("-", ""), who.id, who.id.replaceAll("-", ""), "stranger"];
    for (const search of searches) expect([search, await foundBy(w, who, search)]).toEqual([search, []]);
    expect(await foundBy(w, stranger, "joao")).toEqual(["João Stranger"]);
    expect(await foundBy(w, stranger, "silva")).toEqual([]);
  });

  test("P-363 what is changed is found by what it is now, and what is deleted by nothing", async () => {
    const other = await customer(w);
    const { id } = made(await addContact(w, other, { name: "Ana Antes", tags: ["velha"] }), 201);
    made(await changeContact(w, other, id, { name: "Ana Depois", email: "nova@example.com", tags: [] }), 200);
    const searches = ["antes", "velha", "depois", "nova", "ana", NUMBER];
    expect(await Promise.all(searches.map(async (search) => (await foundBy(w, other, search)).length))).toEqual([
      0, 0, 1, 1, 1, 1,
    ]);
    made(await w.platform(`/v1/contacts/${id}`, { key: other.key, method: "DELETE" }), 204);
    expect(await Promise.all(searches.map(async (search) => (await foundBy(w, other, search)).length))).toEqual([
      0, 0, 0, 0, 0, 0,
    ]);
  });

  test("P-362 what is found is found after a restart", async () => {
    const own = await startWorld();
    const somebody = await customer(own);
    made(await addContact(own, somebody, { name: "João" }), 201);
    await own.restart();
    expect(await foundBy(own, somebody, "joao")).toEqual(["João"]);
    await own.stop();
  });
});
