import { describe, expect, test } from "bun:test";
import { changeAppNumber } from "../../../src/core/channels/settings/app-numbers.ts";
import type { TenantId } from "../../../src/kernel/ids.ts";
import { CLOUD_PHONES, type CloudCustomer, errorOf, useCloud } from "../../support/apis/cloud.ts";
import { rowsOf, sendsOf, TO } from "../../support/customers/customer.ts";
import { knownTemplate } from "../../support/customers/templates.ts";
import { useEach } from "../../support/use-world.ts";

const { w, network, customer } = useCloud();

const listOf = ({ client: { ask, number } }: CloudCustomer, query = "") =>
  ask(`/${number.accountId}/message_templates${query}`);
const make = ({ client: { ask, number } }: CloudCustomer, body: object = {}) =>
  ask(`/${number.accountId}/message_templates`, {
    body: {
      name: "pedido",
      language: "pt_BR",
      category: "UTILITY",
      components: [{ type: "BODY", text: "Olá {{1}}, tudo bem?", example: { body_text: [["Ana"]] } }],
      ...body,
    },
  });
const sentAsText = async (c: CloudCustomer): Promise<CloudCustomer> => {
  await changeAppNumber(w.app.env, { tenantId: c.accountId as TenantId }, c.phone.id, { templatesAsText: true });
  return c;
};

test("a template that is longer than any message is not kept", async () => {
  const c = await sentAsText(await customer("session"));
  const answer = await make(c, { components: [{ type: "BODY", text: "x".repeat(70_000) }] });
  expect([errorOf(answer).slice(0, 2), answer.body.error.error_data.details]).toEqual([
    [400, 131009],
    "components must have at most 65536 characters as JSON",
  ]);
  expect((await listOf(c)).body.data).toEqual([]);
});

test.each([
  ["its body", [{ type: "BODY", text: "{{a}}".repeat(10_000) }], [{ type: "body", name: "a" }]],
  [
    "a button",
    [
      { type: "BODY", text: "Olá" },
      {
        type: "BUTTONS",
        buttons: [{ type: "URL", text: "Ver", url: "https://x.br/{{1}}".repeat(3000), example: ["1"] }],
      },
    ],
    [{ type: "button", sub_type: "url", index: "0" }],
  ],
])("the values of a template are not repeated without end in %s, and nothing is sent", async (_, components, parts) => {
  const c = await sentAsText(await customer("session"));
  expect((await make(c, { components })).status).toBe(200);
  const filled = parts.map(({ name, ...part }: { name?: string }) => ({
    ...part,
    parameters: [{ type: "text", text: "x".repeat(100_000), ...(name ? { parameter_name: name } : {}) }],
  }));
  const template = { name: "pedido", language: { code: "pt_BR" }, components: filled };
  const answer = await c.client.send({ type: "template", template });
  expect(errorOf(answer).slice(0, 2)).toEqual([400, 132005]);
  expect(await rowsOf(w, "SELECT id FROM messages WHERE tenant_id = ?", [c.accountId])).toHaveLength(0);
});

describe.each(CLOUD_PHONES)("GET /{account}/message_templates on a phone of the kind %s", (kind) => {
  const c = useEach(() => customer(kind));

  test("rule 13: without templates it is empty, and 200", async () => {
    expect([(await listOf(c)).status, (await listOf(c)).body]).toEqual([200, { data: [] }]);
  });

  test("rule 13: has what clients read of each", async () => {
    const components = [{ type: "BODY", text: "Olá {{nome}}" }];
    await knownTemplate(w, c.phone.id, { components, name: "ola" });
    expect((await listOf(c)).body.data).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        name: "ola",
        language: "pt_BR",
        status: "APPROVED",
        category: "UTILITY",
        components,
        parameter_format: "NAMED",
      },
    ]);
  });

  test("rule 3: the address of the next page is absolute, and has the token only where it came so", async () => {
    for (const name of ["a", "b", "c"]) await knownTemplate(w, c.phone.id, { name });
    const namesAt = async (url: string, headers: Record<string, string>) => {
      const body = (await (await fetch(url, { headers })).json()) as any;
      return [body.data.map(({ name }: any) => name), body.paging.next];
    };
    const first = (await listOf(c, "?limit=2")).body;
    expect(first.paging.next).toStartWith(`${w.app.cloudUrl}/v23.0/${c.client.number.accountId}/message_templates?`);
    expect(first.paging.next).not.toContain("access_token");
    const bearer = { authorization: `Bearer ${c.client.token}` };
    expect(await namesAt(first.paging.next, bearer)).toEqual([["a"], undefined]);
    const path = `/${c.client.number.accountId}/message_templates?limit=2&access_token=${c.client.token}`;
    const second = (await c.client.ask(path, { token: null })).body;
    expect(second.data.map(({ name }: any) => name)).toEqual(["c", "b"]);
    expect(await namesAt(second.paging.next, {})).toEqual([["a"], undefined]);
  });

  test("filters by what a client names, and refuses a cursor of nothing", async () => {
    await knownTemplate(w, c.phone.id, { name: "a", language: "en" });
    await knownTemplate(w, c.phone.id, { name: "b", category: "MARKETING" });
    await knownTemplate(w, c.phone.id, { name: "c", status: "REJECTED" });
    const names = async (query: string) => (await listOf(c, query)).body.data.map(({ name }: any) => name);
    expect(await names("?name=a")).toEqual(["a"]);
    expect(await names("?language=pt_BR&status=approved")).toEqual(["b"]);
    expect(await names("?category=MARKETING")).toEqual(["b"]);
    expect(await names("?status=DISABLED")).toEqual([]);
    expect((await listOf(c, "?fields=name,status&name=a")).body.data[0]).toEqual({
      id: expect.any(String),
      name: "a",
      status: "APPROVED",
    });
    for (const query of ["?after=x", "?limit=0", "?category=NONE"])
      expect(errorOf(await listOf(c, query))).toEqual([400, 131009, undefined]);
  });

  test("rule 2: a template of another phone is found by no id", async () => {
    const other = await customer(kind);
    await knownTemplate(w, other.phone.id, { name: "a" });
    const [{ id }] = (await listOf(other)).body.data;
    expect((await listOf(c, `?after=${id}`)).body).toEqual({ data: [] });
    for (const method of ["GET", "POST"])
      expect(errorOf(await c.client.ask(`/${id}`, { method }))).toEqual([400, 100, 33]);
    expect(errorOf(await c.client.ask(`/${c.client.number.accountId}/message_templates/${id}`))).toEqual([
      400, 100, 33,
    ]);
    const removal = `/${c.client.number.accountId}/message_templates?name=a&hsm_id=${id}`;
    expect(errorOf(await c.client.ask(removal, { method: "DELETE" }))).toEqual([400, 100, 33]);
    expect((await listOf(other)).body.data.length).toBe(1);
  });
});

describe("templates of an official phone", () => {
  const c = useEach(() => customer("official"));

  test("are submitted, read by their id, and deleted by their name", async () => {
    const made = await make(c);
    expect([made.status, made.body]).toEqual([
      200,
      { id: expect.stringMatching(/^\d+$/), status: expect.any(String), category: "UTILITY" },
    ]);
    expect((await c.client.ask(`/${made.body.id}`)).body.name).toBe("pedido");
    const path = `/${c.client.number.accountId}/message_templates?name=pedido`;
    expect((await c.client.ask(path, { method: "DELETE" })).body).toEqual({ success: true });
    expect((await listOf(c)).body).toEqual({ data: [] });
    expect(errorOf(await c.client.ask(path, { method: "DELETE" }))).toEqual([400, 100, 33]);
  });

  test("are sent with their values", async () => {
    await knownTemplate(w, c.phone.id, { name: "pedido" });
    const components = [
      { type: "header", parameters: [{ type: "text", text: "Loja" }] },
      { type: "body", parameters: [{ type: "text", text: "Ana" }] },
      { type: "button", sub_type: "url", index: "0", parameters: [{ type: "text", text: "42" }] },
    ];
    const { status, body } = await c.client.send({
      recipient_type: "individual",
      type: "template",
      template: { name: "pedido", language: { policy: "deterministic", code: "pt_BR" }, components },
    });
    await w.settle();
    expect([status, body.messages[0].message_status]).toEqual([200, "accepted"]);
    expect(sendsOf(w, c).at(-1).template.components).toEqual(components);
  });

  test.each([
    ["of a wrong name", { name: "Pedido!" }, 131009],
    ["without a category", { category: undefined }, 131008],
    ["without components", { components: undefined }, 131008],
    ["with a component of no type", { components: [{}] }, 131008],
  ])("one %s is refused, and nothing is kept", async (_, body, code) => {
    expect(errorOf(await make(c, body))).toEqual([400, code, undefined]);
    expect((await listOf(c)).body).toEqual({ data: [] });
  });

  test("what the network refuses comes with the network's own code", async () => {
    const refused = await make(c, { components: [{ type: "BODY", text: "{{1}}", example: { body_text: [["a"]] } }] });
    expect(errorOf(refused)).toEqual([400, 100, 2388299]);
  });

  test("a send with one that does not exist, or with parts that are not sent, is refused", async () => {
    const send = (template: object) => c.client.send({ type: "template", template });
    const language = { code: "pt_BR" };
    expect(errorOf(await send({ name: "nenhum", language }))).toEqual([404, 132001, undefined]);
    const of = (type: string) => [{ type, parameters: [{ type: "text", text: "a" }] }];
    const answers = [
      await send({ name: "nenhum", language, components: of("product") }),
      await send({ name: "nenhum", language, components: of("carousel") }), // without its cards
    ];
    expect(answers.map((one) => errorOf(one).slice(0, 2))).toEqual([
      [400, 131009],
      [400, 131008],
    ]);
    expect(await rowsOf(w, "SELECT id FROM messages WHERE tenant_id = ?1", [c.accountId])).toEqual([]);
  });
});

describe("templates of a session, which its owner has sent as their text", () => {
  const c = useEach(async () => sentAsText(await customer("session")));
  const template = {
    name: "pedido",
    language: { code: "pt_BR" },
    components: [{ type: "body", parameters: [{ type: "text", text: "Ana" }] }],
  };
  const texts = () =>
    network.sent.filter(({ channelId }) => channelId === c.phone.id).map(({ order }) => order.content);

  test("are kept, and sent as their text", async () => {
    const components = [
      { type: "HEADER", format: "TEXT", text: "Loja" },
      { type: "BODY", text: "Olá {{1}}, tudo bem?", example: { body_text: [["Ana"]] } },
      { type: "FOOTER", text: "obrigado" },
      { type: "BUTTONS", buttons: [{ type: "URL", text: "Ver", url: "https://a.example/1" }] },
    ];
    expect((await make(c, { components })).body.status).toBe("APPROVED");
    const { status } = await c.client.send({ type: "template", template });
    await w.settle();
    expect(status).toBe(200);
    expect(texts()).toEqual([{ text: "Loja\n\nOlá Ana, tudo bem?\n\nobrigado\n\nVer: https://a.example/1" }] as never);
  });

  test("with a value missing, or unknown, are refused and nothing is sent", async () => {
    await make(c);
    const without = await c.client.send({ type: "template", template: { ...template, components: [] } });
    expect(errorOf(without)).toEqual([400, 132000, undefined]);
    const unknown = await c.client.send({ type: "template", template: { ...template, name: "nenhum" } });
    expect(errorOf(unknown)).toEqual([404, 132001, undefined]);
    await w.settle();
    expect(texts()).toEqual([]);
  });

  test("exist once per name and language", async () => {
    await make(c);
    expect(errorOf(await make(c))).toEqual([400, 100, undefined]);
    expect((await make(c, { language: "en" })).status).toBe(200);
    expect((await listOf(c)).body.data.length).toBe(2);
  });

  test("without that choice none is kept", async () => {
    const other = await customer("session");
    expect(errorOf(await make(other))).toEqual([403, 10, undefined]);
    expect((await listOf(other)).body).toEqual({ data: [] });
    expect(TO).toBeTruthy();
  });
});
