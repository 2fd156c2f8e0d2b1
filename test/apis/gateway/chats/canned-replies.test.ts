import { describe, expect, test } from "bun:test";
import { LOCAL } from "../../../../src/core/tenancy/audit/audit.ts";
import { removeOperator } from "../../../../src/core/tenancy/people/operators.ts";
import { askConsole, memberSession, operatorSession } from "../../../support/customers/console-person.ts";
import { rowsOf } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { joined } from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";

const w = useWorld();
const REPLIES = "/v1/canned-replies";

const byKey = async () => {
  const { id, key } = await w.account();
  const ask = (path = "", options: { body?: object; method?: string } = {}) =>
    w.gateway(`${REPLIES}${path}`, { key, ...options });
  const make = async (shortcut: string, text = "oi") => {
    const { status, body } = await ask("", { body: { shortcut, text } });
    expect(status).toBe(201);
    return body;
  };
  const shortcuts = async (query = "") => (await ask(query)).body.items.map((one: any) => one.shortcut);
  return { id, key, ask, make, shortcuts };
};

/** An institution with its owner and a member, each in the console. */
const team = async () => {
  const institution = await w.institution();
  const guest = await w.institution();
  await joined(w, institution, guest);
  const asking =
    (as: string) =>
    (path = "", options: { body?: object; method?: string } = {}) =>
      askConsole(w, `/gateway${REPLIES}${path}`, { as, account: institution.id, ...options });
  return {
    institution,
    guest,
    asking,
    owner: asking(await memberSession(w, institution.userId)),
    member: asking(await memberSession(w, guest.userId)),
  };
};
const stored = (tenantId: string) =>
  rowsOf<{ shortcut: string; owner: string }>(
    w,
    `SELECT shortcut, owner FROM canned_replies WHERE tenant_id = '${tenantId}' ORDER BY shortcut`,
  );
const shortcutsIn = ({ body }: { body: any }) => body.items.map((one: any) => one.shortcut);

describe("canned replies of a key", () => {
  test("are made, read, changed and deleted, and say who made them", async () => {
    const { ask, make } = await byKey();
    const made = await make("Horário", "Abrimos às 8h, {{contact.firstName}}.");
    expect(made).toMatchObject({
      shortcut: "horário",
      text: "Abrimos às 8h, {{contact.firstName}}.",
      shared: true,
      createdBy: { kind: "key", name: "key" },
    });
    expect((await ask(`/${made.id}`)).body).toEqual(made);
    const changed = await ask(`/${made.id}`, { method: "PATCH", body: { text: "Abrimos às 9h." } });
    expect([changed.status, changed.body.shortcut, changed.body.text]).toEqual([200, "horário", "Abrimos às 9h."]);
    expect((await ask(`/${made.id}`, { method: "DELETE" })).status).toBe(204);
    expect(gatewaySays(await ask(`/${made.id}`))).toBe("404 CANNED_REPLY_NOT_FOUND");
  });

  test("are listed by shortcut, page by page, and found by the words of shortcut and text", async () => {
    const { ask, make, shortcuts } = await byKey();
    await make("preco", "A tabela de PREÇOS segue.");
    await make("entrega", "Entregamos até as 18h.");
    await make("pix", "Nossa chave é o e-mail.");
    expect(await shortcuts()).toEqual(["entrega", "pix", "preco"]);
    expect(await shortcuts("?q=precos")).toEqual(["preco"]);
    expect(await shortcuts("?q=p")).toEqual(["pix", "preco"]);
    expect(await shortcuts("?q=nossa%20chave")).toEqual(["pix"]);
    expect(await shortcuts("?q=nada")).toEqual([]);
    expect(await shortcuts("?owner=own")).toEqual([]);
    const first = (await ask("?limit=2")).body;
    expect(first.items).toHaveLength(2);
    expect(await shortcuts(`?limit=2&cursor=${first.nextCursor}`)).toEqual(["preco"]);
    const searched = (await ask("?limit=1&q=p")).body;
    expect(await shortcuts(`?limit=1&q=p&cursor=${searched.nextCursor}`)).toEqual(["preco"]);
  });

  test("have one shortcut each, whatever its case; a refused one changes nothing", async () => {
    const { id, ask, make } = await byKey();
    const { id: first } = await make("pix");
    const { id: second } = await make("preco");
    expect(gatewaySays(await ask("", { body: { shortcut: "PIX", text: "outro" } }))).toBe("409 CANNED_REPLY_EXISTS");
    const taken = await ask(`/${second}`, { method: "PATCH", body: { shortcut: "Pix" } });
    expect(gatewaySays(taken)).toBe("409 CANNED_REPLY_EXISTS");
    expect((await ask(`/${first}`, { method: "PATCH", body: { shortcut: "PIX" } })).status).toBe(200);
    expect((await stored(id)).map(({ shortcut }) => shortcut)).toEqual(["pix", "preco"]);
  });

  test.each([
    { shortcut: "bom dia", text: "oi" },
    { shortcut: "/pix", text: "oi" },
    { shortcut: "", text: "oi" },
    { shortcut: "a".repeat(41), text: "oi" },
    { shortcut: "pix", text: "" },
    { shortcut: "pix", text: "a".repeat(4097) },
    { shortcut: "pix", text: "oi", shared: false },
  ])("are refused with a fault: %#", async (body) => {
    const { id, ask } = await byKey();
    expect(gatewaySays(await ask("", { body }))).toBe("400 VALIDATION_ERROR");
    expect(await stored(id)).toEqual([]);
  });
});

describe("canned replies of people", () => {
  test("an own one is seen, changed and deleted by its person alone, and may have the shortcut of a shared one", async () => {
    const { institution, owner, member } = await team();
    const body = { shortcut: "oi", text: "Oi, aqui é a Carla!", shared: false };
    const own = await member("", { body });
    expect([own.status, own.body.shared]).toEqual([201, false]);
    expect(own.body.createdBy.kind).toBe("user");
    expect((await owner("", { body: { ...body, shared: true } })).status).toBe(201);
    expect([shortcutsIn(await owner()), shortcutsIn(await member())]).toEqual([["oi"], ["oi", "oi"]]);
    expect([shortcutsIn(await member("?owner=own")), shortcutsIn(await owner("?owner=own"))]).toEqual([["oi"], []]);
    const before = await stored(institution.id);
    for (const options of [{}, { method: "PATCH", body: { text: "x" } }, { method: "DELETE" }])
      expect((await owner(`/${own.body.id}`, options)).status).toBe(404);
    expect((await owner(`?cursor=${own.body.id}`)).status).toBe(400);
    expect(await stored(institution.id)).toEqual(before);
    expect((await member(`/${own.body.id}`, { method: "DELETE" })).status).toBe(204);
  });

  test("an own one becomes everybody's, unless its shortcut is taken", async () => {
    const { owner, member } = await team();
    const own = await member("", { body: { shortcut: "pix", text: "meu", shared: false } });
    const share = () => member(`/${own.body.id}`, { method: "PATCH", body: { shared: true } });
    const shared = await owner("", { body: { shortcut: "pix", text: "nosso" } });
    expect(gatewaySays(await share())).toBe("409 CANNED_REPLY_EXISTS");
    expect((await owner(`/${shared.body.id}`, { method: "DELETE" })).status).toBe(204);
    expect((await share()).body.shared).toBe(true);
    expect(shortcutsIn(await owner())).toEqual(["pix"]);
  });

  test("a viewer reads the shared ones and makes none", async () => {
    const { institution, owner, asking } = await team();
    const guest = await w.institution();
    await joined(w, institution, guest, "VIEWER");
    const viewer = asking(await memberSession(w, guest.userId));
    await owner("", { body: { shortcut: "pix", text: "nosso" } });
    expect(shortcutsIn(await viewer())).toEqual(["pix"]);
    expect((await viewer("", { body: { shortcut: "oi", text: "oi", shared: false } })).status).toBe(403);
    expect(await stored(institution.id)).toHaveLength(1);
  });

  test("a member who leaves takes the own ones along, and the shared ones stay", async () => {
    const { institution, guest, member } = await team();
    await member("", { body: { shortcut: "meu", text: "oi", shared: false } });
    await member("", { body: { shortcut: "nosso", text: "oi" } });
    const path = `/v1/institutions/${institution.id}/members/${guest.userId}`;
    expect((await w.platform(path, { token: institution.token, method: "DELETE" })).status).toBe(204);
    await w.settle();
    expect(await stored(institution.id)).toEqual([{ shortcut: "nosso", owner: "" }]);
  });

  test("an operator has own ones in each account, which go with the operator", async () => {
    const { institution, asking, owner } = await team();
    const [operator, other] = [await operatorSession(w), await operatorSession(w)];
    for (const { cookie } of [operator, other])
      expect((await asking(cookie)("", { body: { shortcut: "oi", text: "oi", shared: false } })).status).toBe(201);
    expect(shortcutsIn(await owner())).toEqual([]);
    await removeOperator(w.app.env, LOCAL, operator.id);
    expect(await stored(institution.id)).toEqual([{ shortcut: "oi", owner: `operator:${other.id}` }]);
  });
});
