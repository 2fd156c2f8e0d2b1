import { beforeEach, expect, test } from "bun:test";
import { clientOf, EVOLUTION_ENV, type EvolutionClient, evolutionSays } from "../../support/apis/evolution.ts";
import { type Customer, newCustomer, rowsOf, sendsOf, TO } from "../../support/customers/customer.ts";
import { BODY, knownTemplate, TEMPLATE } from "../../support/customers/templates.ts";
import { newSessionCustomer, sessionNetwork } from "../../support/session/scripted-sends.ts";
import { useWorld } from "../../support/use-world.ts";

const network = sessionNetwork();
const w = useWorld({ env: EVOLUTION_ENV, plugins: [network.plugin] });

let c: Customer;
let client: EvolutionClient;
beforeEach(async () => {
  c = await newCustomer(w);
  client = clientOf(w, c);
});

const create = (more: object = {}) => client.on("/template/create", { body: { ...TEMPLATE, ...more } });
const find = async () => (await client.on("/template/find")).body;
const send = (more: object = {}) =>
  client.on("/message/sendTemplate", { body: { number: TO, name: "order_update", language: "pt_BR", ...more } });
const NAMED = [{ type: "body", parameters: [{ type: "text", text: "Ana" }] }];
const messages = () => rowsOf(w, "SELECT id FROM messages WHERE tenant_id = ?1", [c.accountId]);

test("a template is made as Evolution answers it, and is listed as the network has it", async () => {
  const made = await create({ allowCategoryChange: true, webhookUrl: "https://example.com" });
  const id = [...w.graph.templates.values()].at(-1)?.id;
  expect([made.status, made.body]).toEqual([
    201,
    {
      id: expect.any(String),
      templateId: id,
      name: "order_update",
      template: { id, status: "PENDING", category: "UTILITY" },
      webhookUrl: null,
      createdAt: new Date(w.clock.now()).toISOString(),
      updatedAt: new Date(w.clock.now()).toISOString(),
      instanceId: c.phone.id,
    },
  ]);
  const { name, language, category, components } = TEMPLATE;
  expect(await find()).toEqual([{ name, components, language, status: "PENDING", category, id }]);
});

test("a refusal of the network has its words and codes where Evolution has them", async () => {
  const answer = await create({ components: [{ ...BODY, text: "O seu pedido chegou, {{1}}" }] });
  expect(answer).toMatchObject({
    status: 400,
    body: {
      status: 400,
      error: "Bad Request",
      message: expect.any(String),
      details: {
        whatsapp_error: "Variables can't be at the start or end of the template.",
        whatsapp_code: 100,
        context: "template_creation",
        type: "whatsapp_api_error",
      },
      timestamp: expect.any(String),
    },
  });
  expect(await find()).toMatchObject([{ status: "REJECTED" }]);
});

test("a template is changed and deleted by the id of the network", async () => {
  const { templateId } = (await create()).body;
  await w.settle();
  await w.graph.reviewTemplate(templateId, "APPROVED");
  await w.settle();
  const components = [{ ...BODY, text: "Olá {{1}}, o seu pedido saiu." }];
  const edited = await client.on("/template/edit", { body: { templateId, components } });
  expect([edited.status, edited.body]).toEqual([200, { success: true }]);
  expect(await find()).toMatchObject([{ id: templateId, components, status: "PENDING" }]);
  const remove = (body: object) => client.on("/template/delete", { method: "DELETE", body });
  expect((await remove({ name: "another", hsmId: templateId })).status).toBe(404);
  expect(await find()).toHaveLength(1);
  const removed = await remove({ name: "order_update", hsmId: templateId });
  expect([removed.status, removed.body]).toEqual([200, { success: true }]);
  expect([await find(), (await remove({ name: "order_update" })).status]).toEqual([[], 404]);
});

test("an edit that changes nothing is refused with the names of what can be changed, and nothing is asked", async () => {
  const { templateId } = (await create()).body;
  const before = await find();
  for (const more of [{}, { allowCategoryChange: true }]) {
    const answer = await client.on("/template/edit", { body: { templateId, ...more } });
    expect(evolutionSays(answer)).toBe("400 components is required, or category, or ttl: nothing else can be changed");
  }
  expect(await find()).toEqual(before);
});

test("a deletion by name removes all languages, or none while the network has one of them under way", async () => {
  for (const language of ["pt_BR", "en_US", "es_MX"])
    await knownTemplate(w, c.phone.id, {
      name: "order_update",
      language,
      status: language === "en_US" ? "DRAFT" : "APPROVED",
    });
  const remove = () => client.on("/template/delete", { method: "DELETE", body: { name: "order_update" } });
  const refused = await remove();
  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect(evolutionSays(refused)).toContain("Nothing was removed: en_US");
  expect(await find()).toHaveLength(3);
  await w.app.env.db.write((tx) =>
    tx.rows("UPDATE templates SET status = 'APPROVED' WHERE tenant_id = ?1", [c.accountId]),
  );
  expect([(await remove()).body, await find()]).toEqual([{ success: true }, []]);
});

test("a deletion by name that is refused halfway says which languages remain", async () => {
  for (const language of ["pt_BR", "en_US", "es_MX"])
    await knownTemplate(w, c.phone.id, { name: "order_update", language });
  const [, next] = await find();
  // its submission begins between the look and the removal
  const begins = `CREATE TRIGGER begins AFTER DELETE ON templates
    BEGIN UPDATE templates SET status = 'DRAFT' WHERE native_id = '${next.id}'; END`;
  await w.app.env.db.write((tx) => tx.rows(begins));
  const remove = () => client.on("/template/delete", { method: "DELETE", body: { name: "order_update" } });
  const refused = await remove();
  await w.app.env.db.write((tx) => tx.rows("DROP TRIGGER begins"));
  const remaining = await find();
  expect(remaining).toHaveLength(2);
  const languages = remaining.map(({ language }: { language: string }) => language).join(", ");
  expect(evolutionSays(refused)).toEndWith(`These languages remain: ${languages}.`);
});

test("a template of another account is unknown, and stays as it is", async () => {
  const stranger = await newCustomer(w);
  const own = await knownTemplate(w, stranger.phone.id, { name: "order_update" });
  expect((await client.on("/template/edit", { body: { templateId: own, category: "MARKETING" } })).status).toBe(404);
  const body = { name: "order_update", hsmId: own };
  expect((await client.on("/template/delete", { method: "DELETE", body })).status).toBe(404);
  expect(await find()).toEqual([]);
  expect((await clientOf(w, stranger).on("/template/find")).body).toMatchObject([{ category: "UTILITY" }]);
});

test("a template with its values goes out, and is answered as Evolution shows it", async () => {
  await knownTemplate(w, c.phone.id, { name: "order_update", components: [BODY] });
  const answer = await send({ components: NAMED, messageId: "P-1" });
  expect([answer.status, answer.body]).toMatchObject([
    201,
    { messageType: "conversation", message: { conversation: "▶️order_update◀️" }, status: "PENDING" },
  ]);
  expect((await send({ components: NAMED, messageId: "P-1" })).body.key).toEqual(answer.body.key);
  await w.settle();
  expect(sendsOf(w, c)).toMatchObject([
    { type: "template", template: { name: "order_update", language: { code: "pt_BR" } } },
  ]);
});

test("a template that is unknown, or has a part that is none, is refused, and nothing is stored", async () => {
  expect((await send({ components: NAMED })).status).toBe(400);
  await knownTemplate(w, c.phone.id, { name: "order_update", components: [BODY] });
  const image = { type: "header", parameters: [{ type: "image", image: { id: "123" } }] };
  for (const [components, says] of [
    [[{ type: "nothing", parameters: [{}] }], "400 components.0.type must be one of"],
    [[image], "400 components.0.parameters.0.image.id is not supported: give the file by its link"],
  ] as const)
    expect(evolutionSays(await send({ components }))).toStartWith(says);
  expect((await send({ name: "" })).status).toBe(400);
  await w.settle();
  expect([await messages(), sendsOf(w, c)]).toEqual([[], []]);
});

test("a session has no templates: each call is refused, and nothing is stored or sent", async () => {
  c = await newSessionCustomer(w);
  client = clientOf(w, c);
  network.sent.length = 0;
  for (const answer of [
    await send({ components: NAMED }),
    await create(),
    await client.on("/template/find"),
    await client.on("/template/edit", { body: { templateId: "1" } }),
    await client.on("/template/delete", { method: "DELETE", body: { name: "order_update" } }),
  ])
    expect([answer.status, evolutionSays(answer)]).toEqual([400, expect.stringMatching(/template/)]);
  await w.settle();
  const kept = await rowsOf(w, "SELECT id FROM templates WHERE tenant_id = ?1", [c.accountId]);
  expect([kept, await messages(), network.sent]).toEqual([[], [], []]);
});
