import { describe, expect, test } from "bun:test";
import { changeAppNumber } from "../../../src/core/channels/settings/app-numbers.ts";
import type { TenantId } from "../../../src/kernel/ids.ts";
import { type CloudCustomer, errorOf, useCloud } from "../../support/apis/cloud.ts";
import { rowsOf, sendsOf, tracesOf } from "../../support/customers/customer.ts";
import { putTemplate, TEMPLATE_PARTS, type TemplatePart } from "../../support/customers/template-parts.ts";
import { knownTemplate } from "../../support/customers/templates.ts";
import { useEach } from "../../support/use-world.ts";

const { w, network, customer } = useCloud();
const part = (name: string) => TEMPLATE_PARTS[name] as TemplatePart;

const send = (c: CloudCustomer, components: object[]) =>
  c.client.send({
    type: "template",
    text: undefined,
    template: { name: "novo", language: { code: "pt_BR" }, components },
  });

describe("a template on an official phone", () => {
  const c = useEach(() => customer("official"));
  const listed = (one: TemplatePart) => putTemplate(w, c, one);

  test.each(Object.entries(TEMPLATE_PARTS))("with %s reaches the network as the client wrote it", async (_, one) => {
    await listed(one);
    const { status, text } = await send(c, one.upstream);
    expect([status, text]).toEqual([200, expect.stringContaining("wamid.")]);
    await w.settle();
    expect(sendsOf(w, c).map(({ template }) => template.components)).toEqual([one.upstream]);
  });

  test("with a file that the client uploaded has it in its header, by the network's own id", async () => {
    await listed(part("a picture header"));
    const form = new FormData();
    form.set("messaging_product", "whatsapp");
    form.set("file", new File([Buffer.from("89504e470d0a1a0a", "hex")], "bolo.png", { type: "image/png" }));
    const { body } = await c.client.ask(`/${c.client.number.numberId}/media`, { raw: form });
    const image = { id: body.id };
    expect((await send(c, [{ type: "header", parameters: [{ type: "image", image }] }])).status).toBe(200);
    await w.settle();
    const [sent] = sendsOf(w, c);
    const { id } = sent.template.components[0].parameters[0].image;
    expect(w.graph.media.get(id)?.mimeType).toBe("image/png");
  });

  const BUTTON = { type: "button", sub_type: "url", index: "0" };
  const REFUSED: [what: string, name: string, components: object[], code: number][] = [
    ["a value too few", "a body by places", [{ type: "body", parameters: [{ type: "text", text: "a" }] }], 132000],
    ["a header too few", "a text header by its place", [], 132000],
    ["a picture too few", "a picture header", [], 132012],
    ["a card too few", "a carousel", [{ type: "carousel", cards: part("a carousel").upstream.slice(0, 0) }], 132012],
    ["an end too few", "an offer that ends", part("an offer that ends").upstream.slice(1), 132012],
    ["a button of another type", "a quick reply", [{ ...BUTTON, parameters: [{ type: "text", text: "a" }] }], 132018],
    ["a button too few", "a button with a coupon", [], 131008],
    [
      "a name that the template does not have",
      "a text header by its name",
      [
        { type: "header", parameters: [{ type: "text", parameter_name: "outro", text: "P-1" }] },
        { type: "body", parameters: [{ type: "text", parameter_name: "nome", text: "Ana" }] },
      ],
      100,
    ],
    ["a type that nobody has", "a quick reply", [{ ...BUTTON, sub_type: "dance" }], 131009],
    ["a part that nobody has", "a quick reply", [{ type: "hologram" }], 131009],
    [
      "an order of another country",
      "an order to be paid",
      [
        {
          ...BUTTON,
          sub_type: "order_details",
          parameters: [{ type: "action", action: { order_details: { payment_type: "upi" } } }],
        },
      ],
      131009,
    ],
    [
      "an end that is no time",
      "an offer that ends",
      [
        {
          type: "limited_time_offer",
          parameters: [{ type: "limited_time_offer", limited_time_offer: { expiration_time_ms: "amanhã" } }],
        },
      ],
      131009,
    ],
  ];
  test.each([
    ["a number too high", [0, 5]],
    ["a number twice", [1, 1]],
    ["no number", ["x", 1]],
    ["an empty number", ["", 1]],
  ])("whose cards have %s is refused by their index, and nothing happens", async (_, indexes) => {
    await listed(part("a carousel"));
    const components = part("a carousel").upstream.map((one: any) =>
      one.type === "carousel"
        ? { ...one, cards: one.cards.map((card: object, at: number) => ({ ...card, card_index: indexes[at] })) }
        : one,
    );
    const before = await tracesOf(w, c);
    const answer = await send(c, components);
    expect(errorOf(answer)).toEqual([400, 131009, undefined]);
    expect(answer.body.error.error_data.details).toContain("card_index");
    await w.settle();
    expect([await tracesOf(w, c), sendsOf(w, c)]).toEqual([before, []]);
  });

  test.each(REFUSED)(
    "with %s is refused with the network's code, and nothing happens",
    async (_, name, parts, code) => {
      await listed(part(name));
      const before = await tracesOf(w, c);
      const answer = await send(c, parts);
      expect(errorOf(answer)).toEqual([400, code, undefined]);
      await w.settle();
      expect([await tracesOf(w, c), sendsOf(w, c)]).toEqual([before, []]);
    },
  );
});

describe("a template as its text, on a session", () => {
  const c = useEach(async () => {
    const one = await customer("session");
    await changeAppNumber(w.app.env, { tenantId: one.accountId as TenantId }, one.phone.id, { templatesAsText: true });
    return one;
  });
  const listed = ({ components }: TemplatePart) => knownTemplate(w, c.phone.id, { name: "novo", components });
  const said = async (name: string): Promise<string> => {
    await listed(part(name));
    expect((await send(c, part(name).upstream)).status).toBe(200);
    await w.settle();
    const sent = network.sent.filter(({ channelId }) => channelId === c.phone.id);
    return sent.map(({ order }) => (order.content as { text: string }).text).join();
  };

  test("has a place in words, and a named header", async () => {
    expect(await said("a header that is a place")).toBe(
      "Padaria\nRua das Flores, 100\nhttps://maps.google.com/?q=-23.55052,-46.633308\n\nOlá, temos novidades.",
    );
  });

  test("has the value of a named header", async () => {
    expect(await said("a text header by its name")).toBe("Pedido P-77\n\nOlá Ana, chegou.");
  });

  test.each([
    ["a carousel", "carousel"],
    ["an offer that ends", "offer"],
    ["a flow", "Abrir"],
    ["a catalogue", "Ver tudo"],
    ["a list of products", "Ver bolos"],
    ["an order to be paid", "Pagar"],
  ])("with %s is refused, and the refusal names it", async (name, word) => {
    await listed(part(name));
    const answer = await send(c, part(name).upstream);
    expect(errorOf(answer)).toEqual([400, 131051, undefined]);
    expect(answer.body.error.error_data.details).toContain(word);
    expect(await rowsOf(w, "SELECT id FROM messages WHERE tenant_id = ?1", [c.accountId])).toEqual([]);
  });
});
