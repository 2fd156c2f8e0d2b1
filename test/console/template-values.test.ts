import { describe, expect, test } from "bun:test";
import {
  hasAllValues,
  type TypedValues,
  templateContent,
  valueFields,
} from "../../src/console/web/parts/messages/template-values.ts";
import type { TemplateValues } from "../../src/contract/content/template-content.ts";
import { needsOf } from "../../src/contract/content/template-needs.ts";
import { completedValues, valueIssues } from "../../src/contract/content/template-values.ts";
import { TEMPLATE_PARTS, type TemplatePart } from "../support/customers/template-parts.ts";

const FILE = "https://padaria-estrela.example/bolo.jpg";
const card = (at: number, cake: string): TypedValues => ({
  [`card.${at}.file`]: FILE,
  [`card.${at}.variable.1`]: cake,
  [`card.${at}.button.0.payload`]: `quero-${cake}`,
  [`card.${at}.button.1.address`]: cake,
});

/** TABLE: what a person types for each component, by the fields that the forms show; the content where it is another. */
const TYPED: Record<string, [typed: TypedValues, content?: object]> = {
  "a text header by its place": [{ header: "P-77" }],
  "a text header by its name": [{ header: "P-77", "variable.nome": "Ana" }],
  "a picture header": [{ file: FILE }],
  "a film header": [{ file: FILE }],
  "a document header": [
    { file: "file-0198a000-1111-4222-8333-444455556666" },
    { headerMedia: { type: "document", mediaHandle: "file-0198a000-1111-4222-8333-444455556666" } },
  ],
  "a header that is a place": [
    { placeName: "Padaria", placeAddress: "Rua das Flores, 100", latitude: " -23,55 ", longitude: "-46.6" },
    {
      headerLocation: { latitude: "-23,55", longitude: "-46.6", name: "Padaria", address: "Rua das Flores, 100" },
    },
  ],
  "a header that is a product": [{ product: "bolo", catalog: "194836987003835" }],
  "cards of products": [
    {
      "card.0.product": "bolo",
      "card.0.catalog": "194836987003835",
      "card.1.product": "torta",
      "card.1.catalog": "194836987003835",
    },
  ],
  "a body by places": [{ "variable.1": "Ana", "variable.2": "12" }],
  "a body by names": [{ "variable.nome": "Ana" }],
  "a button with an address": [{ "button.0.address": "pedidos/1042" }],
  "a button with a coupon": [{ "button.0.coupon": "BOLO10" }],
  "a quick reply": [{ "button.0.payload": "sim-1042" }],
  "a flow": [
    { "button.0.flowToken": "pedido-1042", "button.0.flowData": ' {"nome":"Ana"}' },
    { buttons: [{ subType: "flow", index: 0, flowToken: "pedido-1042", flowData: { nome: "Ana" } }] },
  ],
  "a catalogue": [{ "button.0.thumbnail": "bolo" }],
  "a list of products": [
    { "button.0.sectionTitle": "Bolos", "button.0.products": "bolo, torta", "button.0.thumbnail": "bolo" },
  ],
  "an order to be paid": [
    {
      "button.0.orderReference": "pedido-1042",
      "button.0.orderItem": "Bolo",
      "button.0.orderPrice": "25,00",
      "button.0.orderLink": "https://padaria-estrela.example/pagar",
    },
    {
      buttons: [
        {
          subType: "order_details",
          index: 0,
          order: {
            referenceId: "pedido-1042",
            goods: "physical-goods",
            totalAmount: { value: 2500 },
            subtotal: { value: 2500 },
            payments: [{ type: "payment_link", url: "https://padaria-estrela.example/pagar" }],
            items: [{ retailerId: "pedido-1042", name: "Bolo", quantity: 1, amount: { value: 2500 } }],
          },
        },
      ],
    },
  ],
  "a one-time code": [{ "variable.1": "482915" }],
  "an offer that ends": [{ "button.0.coupon": "BOLO10", ends: "2026-12-24T18:00:00-03:00" }],
  "a carousel": [{ ...card(0, "cenoura"), ...card(1, "milho") }],
};

describe.each(Object.entries(TEMPLATE_PARTS))("the forms for a template with %s", (name, part: TemplatePart) => {
  const needs = needsOf(part.components);
  const [typed, content = part.values] = TYPED[name] ?? [{}];
  const whole = (values: object): TemplateValues => completedValues(needs, { name: "novo", ...values });

  test("have a field for each of its values, and send what is typed", () => {
    expect(valueFields(needs).map(({ key }) => key)).toEqual(expect.arrayContaining(Object.keys(typed)));
    const sent = whole(templateContent(needs, typed));
    const byPlace = (values: TemplateValues) => JSON.parse(JSON.stringify(values).replaceAll(/"index":0,?/g, ""));
    expect(byPlace(sent)).toEqual(byPlace(whole(content)));
    expect(valueIssues(needs, sent)).toEqual([]);
  });

  test("are complete with them, and not without one that must be given", () => {
    expect(hasAllValues(needs, typed)).toBe(true);
    for (const { key, isOptional } of valueFields(needs))
      expect([key, hasAllValues(needs, { ...typed, [key]: " " })]).toEqual([key, isOptional]);
  });
});

test.each(["{", "[1]", "1", "null", "nome"])("a form's data that is no object, %j, is not sent", (written) => {
  const needs = needsOf((TEMPLATE_PARTS["a flow"] as TemplatePart).components);
  expect(hasAllValues(needs, { "button.0.flowData": written })).toBe(false);
  expect(hasAllValues(needs, { "button.0.flowData": '{"nome":"{{nome}}"}' })).toBe(true);
});
