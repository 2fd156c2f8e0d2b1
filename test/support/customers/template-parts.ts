import type { TemplateSeed } from "../graph/index.ts";
import { gatewaySays } from "../refusals.ts";
import type { World } from "../world.ts";
import type { Customer } from "./customer.ts";
import { businessAccountOf } from "./templates.ts";

/** A template with a component of one kind: what a send gives, and what the network gets for it. */
export type TemplatePart = {
  components: TemplateSeed["components"];
  category?: "MARKETING" | "UTILITY" | "AUTHENTICATION";
  parameterFormat?: "NAMED";
  values: Record<string, any>;
  upstream: object[];
  /** A field without which it is refused, and the one that the refusal names, where that is another. */
  needs?: [field: string, named?: string];
};

const BODY = { type: "BODY", text: "Olá, temos novidades." };
const FILE = "https://padaria-estrela.example/bolo.jpg";
const text = (value: string) => ({ type: "text", text: value });
const buttons = (...given: object[]) => [BODY, { type: "BUTTONS", buttons: given }];
const header = (...parameters: object[]) => ({ type: "header", parameters });
const button = (subType: string, parameter: object, index = 0) => ({
  type: "button",
  sub_type: subType,
  index: String(index),
  parameters: [parameter],
});
const action = (value: object) => ({ type: "action", action: value });
const media = (format: "IMAGE" | "VIDEO" | "DOCUMENT"): TemplatePart => {
  const type = format.toLowerCase();
  return {
    components: [{ type: "HEADER", format }, BODY],
    values: { headerMedia: { type, url: FILE } },
    upstream: [header({ type, [type]: { link: FILE } })],
    needs: ["headerMedia"],
  };
};
const product = (id: string) => ({
  type: "product",
  product: { product_retailer_id: id, catalog_id: "194836987003835" },
});
const amount = (value: number) => ({ value, offset: 100 });
const CARD = [
  { type: "HEADER", format: "IMAGE" },
  { type: "BODY", text: "Bolo de {{1}}, quentinho.", example: { body_text: [["cenoura"]] } },
  {
    type: "BUTTONS",
    buttons: [
      { type: "QUICK_REPLY", text: "Quero" },
      { type: "URL", text: "Ver", url: "https://x.example/{{1}}", example: ["https://x.example/1"] },
    ],
  },
];
const cardSend = (card_index: number, cake: string) => ({
  card_index,
  components: [
    header({ type: "image", image: { link: FILE } }),
    { type: "body", parameters: [text(cake)] },
    button("quick_reply", { type: "payload", payload: `quero-${cake}` }),
    button("url", text(cake), 1),
  ],
});
const cardValues = (cake: string) => ({
  headerMedia: { type: "image", url: FILE },
  variables: [cake],
  buttons: [
    { subType: "quick_reply", index: 0, parameters: [`quero-${cake}`] },
    { index: 1, parameters: [cake] },
  ],
});
const ORDER = {
  referenceId: "pedido-1042",
  goods: "physical-goods",
  totalAmount: { value: 2500 },
  payments: [{ type: "payment_link", url: "https://padaria-estrela.example/pagar" }],
  items: [{ retailerId: "bolo", name: "Bolo", quantity: 1, amount: { value: 2500 } }],
  subtotal: { value: 2500 },
};

/** TABLE: every component of a template that takes a value. */
export const TEMPLATE_PARTS: Record<string, TemplatePart> = {
  "a text header by its place": {
    components: [{ type: "HEADER", format: "TEXT", text: "Pedido {{1}}", example: { header_text: ["P-1"] } }, BODY],
    values: { headerText: "P-77" },
    upstream: [header(text("P-77"))],
    needs: ["headerText"],
  },
  "a text header by its name": {
    parameterFormat: "NAMED",
    components: [
      { type: "HEADER", format: "TEXT", text: "Pedido {{pedido}}" },
      { type: "BODY", text: "Olá {{nome}}, chegou." },
    ],
    values: { headerText: "P-77", namedVariables: { nome: "Ana" } },
    upstream: [
      header({ type: "text", parameter_name: "pedido", text: "P-77" }),
      { type: "body", parameters: [{ type: "text", parameter_name: "nome", text: "Ana" }] },
    ],
    needs: ["headerText"],
  },
  "a picture header": media("IMAGE"),
  "a film header": media("VIDEO"),
  "a document header": {
    ...media("DOCUMENT"),
    values: { headerMedia: { type: "document", url: FILE, filename: "nota.pdf" } },
    upstream: [header({ type: "document", document: { link: FILE, filename: "nota.pdf" } })],
  },
  "a header that is a place": {
    components: [{ type: "HEADER", format: "LOCATION" }, BODY],
    values: {
      headerLocation: { latitude: -23.55052, longitude: "-46.633308", name: "Padaria", address: "Rua das Flores, 100" },
    },
    upstream: [
      header({
        type: "location",
        location: { latitude: -23.55052, longitude: -46.633308, name: "Padaria", address: "Rua das Flores, 100" },
      }),
    ],
    needs: ["headerLocation"],
  },
  "a header that is a product": {
    category: "MARKETING",
    components: [
      { type: "HEADER", format: "PRODUCT" },
      BODY,
      { type: "BUTTONS", buttons: [{ type: "SPM", text: "Ver" }] },
    ],
    values: { headerProduct: { productId: "bolo", catalogId: "194836987003835" } },
    upstream: [header(product("bolo"))],
    needs: ["headerProduct"],
  },
  "cards of products": {
    category: "MARKETING",
    components: [
      BODY,
      {
        type: "CAROUSEL",
        cards: ["Ver", "Ver"].map((text) => ({
          components: [
            { type: "HEADER", format: "PRODUCT" },
            { type: "BUTTONS", buttons: [{ type: "SPM", text }] },
          ],
        })),
      },
    ],
    values: {
      cards: ["bolo", "torta"].map((productId) => ({ headerProduct: { productId, catalogId: "194836987003835" } })),
    },
    upstream: [
      {
        type: "carousel",
        cards: ["bolo", "torta"].map((id, card_index) => ({ card_index, components: [header(product(id))] })),
      },
    ],
    needs: ["cards"],
  },
  "a body by places": {
    components: [{ type: "BODY", text: "Olá {{1}}, são {{2}} pães.", example: { body_text: [["Ana", "2"]] } }],
    values: { variables: ["Ana", "12"] },
    upstream: [{ type: "body", parameters: [text("Ana"), text("12")] }],
    needs: ["variables"],
  },
  "a body by names": {
    parameterFormat: "NAMED",
    components: [{ type: "BODY", text: "Olá {{nome}}, chegou." }],
    values: { namedVariables: { nome: "Ana" } },
    upstream: [{ type: "body", parameters: [{ type: "text", parameter_name: "nome", text: "Ana" }] }],
    needs: ["namedVariables", "namedVariables.nome"],
  },
  "a button with an address": {
    components: buttons({ type: "URL", text: "Ver", url: "https://x.example/{{1}}", example: ["https://x.example/1"] }),
    values: { buttons: [{ index: 0, parameters: ["pedidos/1042"] }] },
    upstream: [button("url", text("pedidos/1042"))],
    needs: ["buttons"],
  },
  "a button with a coupon": {
    category: "MARKETING",
    components: buttons({ type: "COPY_CODE", example: "BOLO10" }),
    values: { buttons: [{ parameters: ["BOLO10"] }] },
    upstream: [button("copy_code", { type: "coupon_code", coupon_code: "BOLO10" })],
    needs: ["buttons"],
  },
  "a quick reply": {
    components: buttons({ type: "QUICK_REPLY", text: "Sim" }),
    values: { buttons: [{ parameters: ["sim-1042"] }] },
    upstream: [button("quick_reply", { type: "payload", payload: "sim-1042" })],
  },
  "a flow": {
    components: buttons({ type: "FLOW", text: "Abrir", flow_id: "77", flow_action: "navigate", navigate_screen: "A" }),
    values: { buttons: [{ subType: "flow", flowToken: "pedido-1042", flowData: { nome: "Ana" } }] },
    upstream: [button("flow", action({ flow_token: "pedido-1042", flow_action_data: { nome: "Ana" } }))],
  },
  "a catalogue": {
    category: "MARKETING",
    components: buttons({ type: "CATALOG", text: "Ver tudo" }),
    values: { buttons: [{ subType: "catalog", thumbnailProductId: "bolo" }] },
    upstream: [button("catalog", action({ thumbnail_product_retailer_id: "bolo" }))],
  },
  "a list of products": {
    category: "MARKETING",
    components: buttons({ type: "MPM", text: "Ver bolos" }),
    values: {
      buttons: [
        {
          subType: "mpm",
          thumbnailProductId: "bolo",
          sections: [{ title: "Bolos", productIds: ["bolo", "torta"] }],
        },
      ],
    },
    upstream: [
      button(
        "mpm",
        action({
          thumbnail_product_retailer_id: "bolo",
          sections: [
            { title: "Bolos", product_items: [{ product_retailer_id: "bolo" }, { product_retailer_id: "torta" }] },
          ],
        }),
      ),
    ],
    needs: ["buttons"],
  },
  "an order to be paid": {
    components: buttons({ type: "ORDER_DETAILS", text: "Pagar" }),
    values: { buttons: [{ subType: "order_details", order: ORDER }] },
    upstream: [
      button(
        "order_details",
        action({
          order_details: {
            reference_id: "pedido-1042",
            type: "physical-goods",
            payment_type: "br",
            currency: "BRL",
            total_amount: amount(2500),
            payment_settings: [
              { type: "payment_link", payment_link: { uri: "https://padaria-estrela.example/pagar" } },
            ],
            order: {
              status: "pending",
              items: [{ retailer_id: "bolo", name: "Bolo", quantity: 1, amount: amount(2500) }],
              subtotal: amount(2500),
            },
          },
        }),
      ),
    ],
    needs: ["buttons"],
  },
  "a one-time code": {
    category: "AUTHENTICATION",
    components: [
      { type: "BODY", text: "{{1}} é o seu código." },
      { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", text: "Copiar" }] },
    ],
    values: { variables: ["482915"], buttons: [{ parameters: ["482915"] }] },
    upstream: [{ type: "body", parameters: [text("482915")] }, button("url", text("482915"))],
    needs: ["variables"],
  },
  "an offer that ends": {
    category: "MARKETING",
    components: [
      BODY,
      { type: "LIMITED_TIME_OFFER", limited_time_offer: { text: "Hoje!", has_expiration: true } },
      { type: "BUTTONS", buttons: [{ type: "COPY_CODE", example: "BOLO10" }] },
    ],
    values: { expiresAt: "2026-12-24T18:00:00-03:00", buttons: [{ subType: "copy_code", parameters: ["BOLO10"] }] },
    upstream: [
      {
        type: "limited_time_offer",
        parameters: [
          { type: "limited_time_offer", limited_time_offer: { expiration_time_ms: Date.UTC(2026, 11, 24, 21) } },
        ],
      },
      button("copy_code", { type: "coupon_code", coupon_code: "BOLO10" }),
    ],
    needs: ["expiresAt"],
  },
  "a carousel": {
    category: "MARKETING",
    components: [BODY, { type: "CAROUSEL", cards: [{ components: CARD }, { components: CARD }] }],
    values: { cards: [cardValues("cenoura"), cardValues("milho")] },
    upstream: [{ type: "carousel", cards: [cardSend(0, "cenoura"), cardSend(1, "milho")] }],
    needs: ["cards"],
  },
};

/** The network has the template, by the name `novo`, and so has the phone's list. */
export const putTemplate = async (
  w: World,
  who: { key: string; phone: Pick<Customer["phone"], "id"> },
  { components, category, parameterFormat }: Omit<TemplatePart, "values" | "upstream">,
): Promise<void> => {
  const businessAccountId = await businessAccountOf(w, who.phone.id);
  const more = { ...(category ? { category } : {}), ...(parameterFormat ? { parameterFormat } : {}) };
  w.graph.addTemplate({ businessAccountId, name: "novo", language: "pt_BR", components, ...more });
  const { key } = who;
  const synced = await w.gateway("/v1/templates/sync", { key, body: { phoneId: who.phone.id } });
  if (gatewaySays(synced) !== "200") throw new Error(`the templates were not synced: ${synced.text}`);
};

const WORDS = new Set(["type", "subType", "goods", "keyType"]);

/** The values with a variable in place of each text, and the value of each variable. */
export const asVariables = (values: object): { template: any; variables: Record<string, string> } => {
  const variables: Record<string, string> = {};
  const put = (value: unknown, field: string): unknown => {
    if (typeof value === "string" && !WORDS.has(field)) {
      const name = `v${Object.keys(variables).length}`;
      const scheme = value.startsWith("https://") ? "https://" : "";
      variables[name] = value.slice(scheme.length);
      return `${scheme}{{${name}}}`;
    }
    if (Array.isArray(value)) return value.map((one) => put(one, ""));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, put(one, name)]));
  };
  return { template: put(values, ""), variables };
};
