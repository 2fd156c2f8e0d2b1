import { describe, expect, test } from "bun:test";
import { HOUR_MS } from "../../../../src/kernel/clock.ts";
import { fieldsOf } from "../../../support/refusals.ts";
import { useWorld } from "../../../support/use-world.ts";
import type { Answer } from "../../../support/world.ts";

const w = useWorld({});
const audit = (query: string): Promise<Answer> => w.gateway(`/v1/admin/audit?${query}`, { admin: true });
type Entry = { id: string; action: string; actor: string; target: string; details: Record<string, unknown> };
const actionsIn = ({ body }: Answer): string[] => body.items.map(({ action }: Entry) => action);

describe("the audit log is searched", () => {
  test("by actor, by time and by text, also by the names of what was changed", async () => {
    const since = new Date(w.clock.now()).toISOString();
    const { id } = await w.account("Padaria Estrela");
    await w.advance(HOUR_MS);
    const between = new Date(w.clock.now()).toISOString();
    const { id: userInstitution, userId } = await w.institution();
    const of = (tenantId: string) => `tenantId=${tenantId}`;
    expect(actionsIn(await audit(of(id)))).toEqual(["key.create", "account.create"]);
    expect(actionsIn(await audit(`${of(id)}&search=ESTRELA`))).toEqual(["key.create", "account.create"]);
    expect(actionsIn(await audit(`${of(id)}&search=account.cre`))).toEqual(["account.create"]);
    expect(actionsIn(await audit(`${of(id)}&search=nowhere`))).toEqual([]);
    expect(actionsIn(await audit(`${of(id)}&since=${since}&until=${between}`))).toEqual([
      "key.create",
      "account.create",
    ]);
    const ofUser = await audit(`${of(userInstitution)}&actor=user:${userId}`);
    expect(ofUser.body.items[0]).toMatchObject({
      actor: `user:${userId}`,
      actorName: "A User",
      tenantName: "A Company",
    });
    expect(actionsIn(await audit(`since=${between}&${of(id)}`))).toEqual([]);
    expect(fieldsOf(await audit("since=yesterday"))).toEqual(["since"]);
    expect(fieldsOf(await audit(`search=${"x".repeat(201)}`))).toEqual(["search"]);
  });

  test("page by page, each entry once, in the order of the log", async () => {
    for (let n = 0; n < 5; n++) await w.account("Paged");
    const seen: string[] = [];
    let cursor = "";
    for (let pages = 0; pages < 20 && cursor !== "end"; pages++) {
      const { body } = await audit(`search=paged&limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.items.map(({ id }: Entry) => id));
      cursor = body.nextCursor ?? "end";
    }
    expect(seen).toHaveLength(10);
    expect(seen).toEqual(seen.toSorted((a, b) => Number(b) - Number(a)));
  });
});

describe("an account's own audit log", () => {
  test("has what concerns it alone, without the address of its administrator, which no search finds either", async () => {
    const [mine, other] = [await w.account("Mine"), await w.account("Other")];
    const { body } = await w.gateway("/v1/audit", { key: mine.key });
    expect(body.items.map(({ action }: Entry) => action)).toEqual(["key.create", "account.create"]);
    expect(body.items.every(({ details }: Entry) => !("address" in details))).toBe(true);
    expect(body.items[0]).not.toHaveProperty("hash");
    for (const search of ["127.0.0.1", other.id, "Other"])
      expect((await w.gateway(`/v1/audit?search=${search}`, { key: mine.key })).body.items).toEqual([]);
    expect((await w.gateway(`/v1/audit?tenantId=${other.id}`, { key: mine.key })).body).toEqual(body);
  });

  test("is open to a key with the scope audit.read alone", async () => {
    const { id } = await w.account();
    const issue = async (scope: string) =>
      (await w.gateway(`/v1/admin/accounts/${id}/api-keys`, { admin: true, body: { name: "A key", scopes: [scope] } }))
        .body.key as string;
    expect((await w.gateway("/v1/audit", { key: await issue("audit.read") })).status).toBe(200);
    expect((await w.gateway("/v1/audit", { key: await issue("billing.read") })).status).toBe(403);
  });
});
