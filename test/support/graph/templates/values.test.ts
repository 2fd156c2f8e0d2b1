import { expect, test } from "bun:test";
import { ACCOUNT_ID, type Answered, errorOf, graphBench } from "../fixture.ts";

const bench = graphBench();
const codeOf = (answer: Answered) => errorOf(answer)["code"];

const AMOUNT = { value: 2500, offset: 100 };
const ORDER = {
  reference_id: "pedido-1",
  type: "physical-goods",
  payment_type: "br",
  currency: "BRL",
  total_amount: AMOUNT,
  payment_settings: [{ type: "payment_link", payment_link: { uri: "https://example.com" } }],
  order: { items: [{ name: "Bolo" }], subtotal: AMOUNT },
};
const SECTIONS = [{ title: "Bolos", product_items: [{ product_retailer_id: "bolo-1" }] }];
const act = (action: object) => ({ type: "action", action });

test.each<[type: string, subType: string, parameter: object, wrong: [parameter: object | undefined, code: number][]]>([
  ["FLOW", "flow", act({ flow_token: "t" }), [[undefined, 131009]]],
  ["CATALOG", "catalog", act({ thumbnail_product_retailer_id: "bolo-1" }), []],
  [
    "MPM",
    "mpm",
    act({ thumbnail_product_retailer_id: "bolo-1", sections: SECTIONS }),
    [
      [undefined, 131008],
      [act({ thumbnail_product_retailer_id: "bolo-1" }), 131008],
    ],
  ],
  [
    "ORDER_DETAILS",
    "order_details",
    act({ order_details: ORDER }),
    [
      [undefined, 131008],
      [act({}), 131008],
      [act({ order_details: { ...ORDER, currency: "EUR" } }), 131009],
    ],
  ],
])("a template's button of the type %s is sent by its own action alone", async (type, subType, parameter, wrong) => {
  const { graph, send } = bench();
  const components = [
    { type: "BODY", text: "Olá" },
    { type: "BUTTONS", buttons: [{ type, text: "Ver" }] },
  ];
  graph.addTemplate({ businessAccountId: ACCOUNT_ID, name: "one", language: "pt_BR", components });
  const use = async (given: object | undefined, sub_type = subType) => {
    const button = { type: "button", sub_type, index: "0", parameters: [given] };
    const parts = given === undefined ? [] : [button];
    return codeOf(
      await send({ type: "template", template: { name: "one", language: { code: "pt_BR" }, components: parts } }),
    );
  };
  for (const [given, code] of wrong) expect([given, await use(given)]).toEqual([given, code]);
  expect(await use(parameter, "voice_call")).toBe(132018);
  expect(graph.sent.size).toBe(0);
  expect(await use(parameter)).toBeUndefined();
  expect(graph.sent.size).toBe(1);
});
