import { describe, expect, test } from "bun:test";
import { newCustomer, sendsOf } from "../../../../support/customers/customer.ts";
import { accountOf } from "../../../../support/networks/waba-posts.ts";
import { fieldsOf, gatewaySays } from "../../../../support/refusals.ts";
import { useEach, useWorld } from "../../../../support/use-world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));
const BODY = { type: "BODY", text: "Olá" };

const create = (more: object) =>
  w.gateway("/v1/templates", {
    key: c.key,
    body: { phoneId: c.phone.id, name: "aviso", language: "pt_BR", category: "UTILITY", components: [BODY], ...more },
  });
const submitted = (): any =>
  w.graph.journal.findLast(({ method, path }) => method === "POST" && path.endsWith("/message_templates"))?.body;
const sync = () => w.gateway("/v1/templates/sync", { key: c.key, body: { phoneId: c.phone.id } });

describe("templates of 2026", () => {
  test("M26-12 a category that is new at the network is listed as UNKNOWN, and cannot be sent", async () => {
    w.graph.addTemplate({
      businessAccountId: await accountOf(w, c),
      name: "novo_tipo",
      language: "pt_BR",
      shownCategory: "FOO",
      components: [BODY],
    });
    expect((await sync()).body).toMatchObject({ total: 1 });
    const [listed] = (await w.gateway("/v1/templates", { key: c.key })).body;
    expect(listed).toMatchObject({ name: "novo_tipo", category: "UNKNOWN", status: "PAUSED" });
    const answer = await c.send({ type: "template", content: { name: "novo_tipo" } });
    expect(gatewaySays(answer)).toBe("400 TEMPLATE_NOT_APPROVED");
    expect(sendsOf(w, c)).toEqual([]);
  });

  test("M26-12 named variables are declared, and sent by their names", async () => {
    const text = "Olá {{nome}}, o seu pedido {{pedido}} acaba de sair da nossa padaria para a sua casa.";
    const named = [
      { param_name: "nome", example: "Ana" },
      { param_name: "pedido", example: "12" },
    ];
    const components = [{ type: "BODY", text, example: { body_text_named_params: named } }];
    expect((await create({ parameterFormat: "NAMED", components })).status).toBe(201);
    expect(submitted()).toMatchObject({ parameter_format: "NAMED", components });
    const id = [...w.graph.templates.values()].at(-1)?.id ?? "";
    await w.graph.reviewTemplate(id, "APPROVED");
    await w.settle();
    const namedVariables = { nome: "Bia", pedido: "77" };
    await c.sent({ type: "template", content: { name: "aviso", namedVariables } });
    expect(sendsOf(w, c)[0].template.components).toEqual([
      {
        type: "body",
        parameters: [
          { type: "text", parameter_name: "nome", text: "Bia" },
          { type: "text", parameter_name: "pedido", text: "77" },
        ],
      },
    ]);
    const both = await c.send({ type: "template", content: { name: "aviso", namedVariables, variables: ["x"] } });
    expect(gatewaySays(both)).toBe("400 VALIDATION_ERROR");
  });

  test("M26-12 a template of the library is copied with what its buttons need", async () => {
    const buttonInputs = [{ type: "URL", url: { base_url: "https://shop.example.com/{{1}}" } }];
    const library = { name: "delivery_update_1", buttonInputs };
    expect((await create({ components: undefined, library })).status).toBe(201);
    expect(submitted()).toEqual({
      allow_category_change: true,
      name: "aviso",
      language: "pt_BR",
      category: "UTILITY",
      library_template_name: "delivery_update_1",
      library_template_button_inputs: buttonInputs,
    });
    expect(fieldsOf(await create({ name: "outro", library }))).toEqual(["components"]);
  });

  test.each([
    ["AUTHENTICATION", 901],
    ["AUTHENTICATION", 29],
    ["UTILITY", 43_201],
    ["MARKETING", 43_199],
    ["MARKETING", -1],
    ["UTILITY", 0],
  ])("M26-12 a time to live outside of its category's bounds is refused: %s, %i s", async (category, seconds) => {
    const before = w.graph.journal.length;
    expect(fieldsOf(await create({ category, messageSendTtlSeconds: seconds }))).toEqual(["messageSendTtlSeconds"]);
    expect(w.graph.journal.length).toBe(before);
  });

  test("M26-12 marketing may wait for 30 days, utility for as long as the network keeps it", async () => {
    expect((await create({ category: "MARKETING", messageSendTtlSeconds: 2_592_000 })).status).toBe(201);
    expect(submitted()).toMatchObject({ message_send_ttl_seconds: 2_592_000 });
    expect((await create({ name: "longo", messageSendTtlSeconds: -1 })).status).toBe(201);
    expect(submitted()).toMatchObject({ message_send_ttl_seconds: -1 });
  });

  test.each([
    ["a button that asks for the number", { type: "BUTTONS", buttons: [{ type: "REQUEST_CONTACT_INFO" }] }],
    ["an order with Pix", { type: "BUTTONS", buttons: [{ type: "ORDER_DETAILS", text: "Copiar código Pix" }] }],
    ["a payment", { type: "BUTTONS", buttons: [{ type: "PAYMENT_REQUEST", text: "Pagar" }] }],
    ["a request to be called", { type: "CALL_PERMISSION_REQUEST" }],
  ])("M26-12 %s is a part that is passed on", async (_, part) => {
    expect((await create({ components: [BODY, part] })).status).toBe(201);
    expect(submitted().components).toEqual([BODY, part]);
  });
});
