import { describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { ACCOUNT_ID, errorOf, listOf, TOKEN } from "../fixture.ts";
import { type Fields, fieldsOf, textOf } from "../shape.ts";
import { BODY, body, codeOf, EDGE, subcodeOf, templateBench } from "./fixture.ts";

const bench = templateBench();

describe("the list of an account", () => {
  test("is filtered by part of a name, status, category and language", async () => {
    const { graph, call, created, approved, listed } = bench();
    graph.addTemplate({ businessAccountId: "999", name: "foreign", language: "pt_BR", components: [BODY] });
    await approved();
    await created({ language: "en_US" });
    await created({ name: "promo", category: "MARKETING" });
    const found = async (query: string) =>
      (await listed(`fields=name,language&${query}`)).map((one) => `${textOf(one["name"])}/${textOf(one["language"])}`);
    expect(await found("")).toEqual(["order_update/pt_BR", "order_update/en_US", "promo/pt_BR"]);
    expect(await found("name=update")).toEqual(["order_update/pt_BR", "order_update/en_US"]);
    expect(await found("status=approved")).toEqual(["order_update/pt_BR"]);
    expect(await found("category=MARKETING")).toEqual(["promo/pt_BR"]);
    expect(await found("language=en_US&name=order_update")).toEqual(["order_update/en_US"]);
    expect(codeOf(await call("GET", `${EDGE}?fields=nonsense`))).toBe(100);
  });

  test("comes page by page: the next address stands where there is more, and leads there", async () => {
    const { graph, call } = bench();
    for (let n = 0; n < 5; n++)
      graph.addTemplate({ businessAccountId: ACCOUNT_ID, name: `t${n}`, language: "pt_BR", components: [BODY] });
    const names: unknown[] = [];
    const sizes: number[] = [];
    let path: string | undefined = `${EDGE}?fields=name&limit=2`;
    while (path !== undefined) {
      const { body: page } = await call("GET", path, undefined, sizes.length === 0 ? TOKEN : null);
      names.push(...listOf(page["data"]).map((one) => one["name"]));
      sizes.push(listOf(page["data"]).length);
      const { next, cursors } = fieldsOf(page["paging"]);
      expect(textOf(fieldsOf(cursors)["after"])).not.toBe("");
      path = next === undefined ? undefined : textOf(next).slice(graph.url.length);
    }
    expect([names, sizes]).toEqual([
      ["t0", "t1", "t2", "t3", "t4"],
      [2, 2, 1],
    ]);
    expect(codeOf(await call("GET", `${EDGE}?after=junk`))).toBe(100);
  });
});

describe("an edit", () => {
  const edit = (id: string, patch: Fields) => bench().call("POST", `/v25.0/${id}`, patch);

  test("puts all components in place of the former and goes to review again", async () => {
    const { graph, approved } = bench();
    const id = await approved();
    const components = [body("Oi {{1}}, o seu pedido foi entregue hoje.", "Ana")];
    expect((await edit(id, { components })).body).toEqual({ success: true });
    expect(graph.templates.get(id)).toMatchObject({ status: "PENDING", components, name: "order_update" });
  });

  test("is held to the same rules, and changes nothing when it breaks one", async () => {
    const { graph, approved } = bench();
    const id = await approved();
    expect(subcodeOf(await edit(id, { components: [body("{{1}} saiu.", "a")] }))).toBe(2388299);
    expect(codeOf(await edit(id, { message_send_ttl_seconds: 90_000 }))).toBe(100);
    expect(codeOf(await edit(id, {}))).toBe(100);
    expect(graph.templates.get(id)).toMatchObject({ status: "APPROVED", components: [BODY], editedAt: [] });
  });

  test("is refused (2388039) while pending, disabled or in appeal; allowed when rejected or paused", async () => {
    const { graph, created } = bench();
    const id = await created();
    expect(subcodeOf(await edit(id, { components: [BODY] }))).toBe(2388039);
    for (const event of ["DISABLED", "IN_APPEAL", "ARCHIVED"] as const) {
      await graph.reviewTemplate(id, event);
      expect(subcodeOf(await edit(id, { components: [BODY] }))).toBe(2388039);
    }
    for (const event of ["REJECTED", "PAUSED", "REJECTED"] as const) {
      await graph.reviewTemplate(id, event);
      expect((await edit(id, { components: [BODY], category: "MARKETING" })).status).toBe(200);
    }
    expect(graph.templates.get(id)).toMatchObject({ category: "MARKETING", status: "PENDING", rejectedReason: "NONE" });
  });

  test("of an approved one keeps its category, comes once in 24 hours and ten times in 30 days", async () => {
    const { graph, clock, approved } = bench();
    const id = await approved();
    expect(subcodeOf(await edit(id, { category: "MARKETING" }))).toBe(2388039);
    for (let round = 0; round < 10; round++) {
      expect((await edit(id, { components: [BODY] })).status).toBe(200);
      await graph.reviewTemplate(id, "APPROVED");
      expect(subcodeOf(await edit(id, { components: [BODY] }))).toBe(2388039);
      clock.advance(DAY_MS);
    }
    expect(subcodeOf(await edit(id, { components: [BODY] }))).toBe(2388039);
    clock.advance(20 * DAY_MS);
    expect((await edit(id, { components: [BODY] })).status).toBe(200);
  });

  test("of an unknown id is 100/33, also of one that was deleted, and no template is deleted by its id", async () => {
    const { call, created } = bench();
    const id = await created();
    expect(errorOf(await edit("1234567890123456", { components: [BODY] }))).toMatchObject({
      code: 100,
      error_subcode: 33,
    });
    expect(codeOf(await call("DELETE", `/${id}`))).toBe(100);
    await call("DELETE", `${EDGE}?name=order_update`);
    expect(subcodeOf(await edit(id, { components: [BODY] }))).toBe(33);
    expect(subcodeOf(await call("GET", `/${id}`))).toBe(33);
  });
});

describe("a deletion", () => {
  const remove = (query: string) => bench().call("DELETE", `${EDGE}?${query}`);

  test("by name takes all languages, with hsm_id the one of that id", async () => {
    const { created, listed } = bench();
    const portuguese = await created();
    await created({ language: "en_US" });
    await created({ language: "es" });
    expect((await remove(`name=order_update&hsm_id=${portuguese}`)).body).toEqual({ success: true });
    expect((await listed()).map((one) => one["language"])).toEqual(["en_US", "es"]);
    expect((await remove("name=order_update")).status).toBe(200);
    expect(await listed()).toEqual([]);
  });

  test("of what does not exist is 2593002, without a name 100, of a disabled one refused", async () => {
    const { graph, created, listed } = bench();
    const id = await created();
    expect(subcodeOf(await remove("name=nobody"))).toBe(2593002);
    expect(subcodeOf(await remove(`name=other&hsm_id=${id}`))).toBe(2593002);
    expect(codeOf(await remove(`hsm_id=${id}`))).toBe(100);
    await graph.reviewTemplate(id, "DISABLED");
    expect(codeOf(await remove("name=order_update"))).toBe(100);
    expect((await listed()).length).toBe(1);
  });

  test("locks the name of an approved one in its language for 30 days (2388023), of another not at all", async () => {
    const { send, clock, create, created, approved } = bench();
    await approved();
    await created({ name: "pending" });
    await remove("name=order_update");
    await remove("name=pending");
    expect(
      codeOf(await send({ type: "template", template: { name: "order_update", language: { code: "pt_BR" } } })),
    ).toBe(132001);
    expect((await create({ name: "pending" })).status).toBe(200);
    expect(subcodeOf(await create())).toBe(2388023);
    expect((await create({ language: "en_US" })).status).toBe(200);
    clock.advance(30 * DAY_MS);
    expect((await create()).status).toBe(200);
  });
});
