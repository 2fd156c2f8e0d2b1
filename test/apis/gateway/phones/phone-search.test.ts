import { beforeEach, expect, test } from "bun:test";
import { fieldsOf } from "../../../support/refusals.ts";
import { useWorld } from "../../../support/use-world.ts";
import { WEBHOOK_SECRET } from "../../../support/world.ts";

const w = useWorld();

let id: string;
let key: string;
beforeEach(async () => {
  ({ id, key } = await w.account());
});

type Listed = { id: string; label: string };

const create = async (label: string, more: object = {}): Promise<string> =>
  (await w.gateway("/v1/phones", { key, body: { type: "SESSION", label, ...more } })).body.id;
const search = (query: Record<string, string> = {}) =>
  w.gateway(`/v1/phones/search?${new URLSearchParams(query).toString()}`, { key });
const labelsOf = async (query: Record<string, string>): Promise<string[]> =>
  (await search(query)).body.items.map(({ label }: Listed) => label);

test("phones are found by words of their name, however accented, and by part of their number", async () => {
  for (const label of ["Loja São João", "Loja Centro", "Balcão"]) await create(label);
  await w.app.env.db.write(async (tx) =>
    tx.rows("UPDATE channels SET phone_number = '5511987654321' WHERE label = 'Loja Centro' AND tenant_id = ?1", [id]),
  );
  expect(await labelsOf({ q: "sao loja" })).toEqual(["Loja São João"]);
  expect(await labelsOf({ q: "balcao" })).toEqual(["Balcão"]);
  expect(await labelsOf({ q: "8765" })).toEqual(["Loja Centro"]);
  expect(await labelsOf({ q: "+55 (11) 98765-4321" })).toEqual(["Loja Centro"]);
  expect(await labelsOf({ q: "%" })).toEqual([]);
  expect(await labelsOf({ q: "oja" })).toEqual([]);
});

test("pages follow each other to the oldest phone, with each as GET /v1/phones/{id} shows it, also where the last of a page goes", async () => {
  const hook = w.receiver();
  const made: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    made.unshift(await create(`Phone ${n}`, n === 3 ? { webhook: { url: hook.url, secret: WEBHOOK_SECRET } } : {}));
    await w.advance(1);
  }
  const first = (await search({ limit: "2" })).body;
  expect(first.items.map((phone: Listed) => phone.id)).toEqual(made.slice(0, 2));
  expect(first.items[1]).toEqual((await w.gateway(`/v1/phones/${made[1]}`, { key })).body);
  await w.gateway(`/v1/phones/${made[1]}`, { key, method: "DELETE" });
  const second = (await search({ limit: "2", cursor: first.nextCursor })).body;
  expect(second.items.map((phone: Listed) => phone.id)).toEqual(made.slice(2, 4));
  const third = (await search({ limit: "2", cursor: second.nextCursor })).body;
  expect(third.items.map((phone: Listed) => phone.id)).toEqual(made.slice(4));
  expect(third.nextCursor).toBeNull();
});

test("ids, type and status narrow the list down; unknown ids and phones of others are left out", async () => {
  const other = await w.account();
  const theirs = (await w.gateway("/v1/phones", { key: other.key, body: { type: "SESSION", label: "Theirs" } })).body
    .id;
  const [one, two] = [await create("One"), await create("Two")];
  await create("Three");
  expect((await labelsOf({ ids: [one, two.toUpperCase(), theirs, crypto.randomUUID()].join(",") })).toSorted()).toEqual(
    ["One", "Two"],
  );
  expect(await labelsOf({ type: "WABA" })).toEqual([]);
  expect((await labelsOf({ type: "SESSION", status: "PENDING_QR" })).length).toBe(3);
  expect(await labelsOf({ status: "CONNECTED" })).toEqual([]);
});

test.each<[string, Record<string, string>, string]>([
  ["an id that is none", { ids: "nonsense" }, "ids"],
  ["101 ids", { ids: Array.from({ length: 101 }, () => crypto.randomUUID()).join(",") }, "ids"],
  ["a limit of 0", { limit: "0" }, "limit"],
  ["a limit of 201", { limit: "201" }, "limit"],
  ["a status that is none", { status: "BUSY" }, "status"],
  ["a cursor that is none", { cursor: "x" }, "cursor"],
])("%s is refused", async (_, query, field) => {
  expect(fieldsOf(await search(query))).toEqual([field]);
});
