import type { TemplateContent } from "../../../../../clients/typescript/src/generated/gateway.ts";
import type { ButtonNeed, PartNeeds, TemplateNeeds } from "../../../../contract/content/template-needs.ts";
import { isOwnHandle } from "../../../../kernel/texts/file-names.ts";
import { momentOf } from "../forms/local-time.ts";

/** What people type for a template, by the keys of its fields. */
export type TypedValues = Readonly<Record<string, string>>;

/** TABLE: the kinds of fields, and whether each may stay empty. */
const OPTIONAL = {
  header: false,
  file: false,
  product: false,
  catalog: false,
  latitude: false,
  longitude: false,
  placeName: true,
  placeAddress: true,
  variable: false,
  ends: false,
  address: false,
  coupon: false,
  payload: true,
  flowToken: true,
  flowData: true,
  thumbnail: true,
  sectionTitle: false,
  products: false,
  orderReference: false,
  orderItem: false,
  orderPrice: false,
  orderLink: false,
} as const;
export type FieldKind = keyof typeof OPTIONAL;

/** `name`: the variable, or the text of the button. `card`: the number of its card, from 1. */
export type ValueField = { key: string; kind: FieldKind; name: string; isOptional: boolean; card?: number };

/** TABLE: the fields of each action of a button. */
const OF_BUTTON: Readonly<Record<string, readonly FieldKind[]>> = {
  url: ["address"],
  copy_code: ["coupon"],
  quick_reply: ["payload"],
  voice_call: ["payload"],
  flow: ["flowToken", "flowData"],
  catalog: ["thumbnail"],
  mpm: ["sectionTitle", "products", "thumbnail"],
  order_details: ["orderReference", "orderItem", "orderPrice", "orderLink"],
};

const kindsOf = ({ action, isCode }: ButtonNeed): readonly FieldKind[] =>
  isCode ? [] : (OF_BUTTON[action ?? ""] ?? []);

const buttonKey = (prefix: string, index: number, kind: FieldKind): string => `${prefix}button.${index}.${kind}`;
const variableKey = (prefix: string, name: string): string => `${prefix}variable.${name}`;

const headerKinds = ({ header }: PartNeeds): readonly FieldKind[] => {
  if (header?.is === "text") return ["header"];
  if (header?.is === "media") return ["file"];
  if (header?.is === "product") return ["product", "catalog"];
  return header?.is === "location" ? ["placeName", "placeAddress", "latitude", "longitude"] : [];
};

const partFields = (needs: PartNeeds, prefix: string): ValueField[] => {
  const headerName = needs.header?.is === "text" ? needs.header.variable : "";
  const field = (key: string, kind: FieldKind, name: string): ValueField => ({
    key,
    kind,
    name,
    isOptional: OPTIONAL[kind],
  });
  return [
    ...headerKinds(needs).map((kind) => field(`${prefix}${kind}`, kind, headerName)),
    ...needs.variables.map((name) => field(variableKey(prefix, name), "variable", name)),
    ...needs.buttons.flatMap((button) =>
      kindsOf(button).map((kind) => field(buttonKey(prefix, button.index, kind), kind, button.label)),
    ),
  ];
};

const cardPrefix = (at: number): string => `card.${at}.`;

/** The fields that a form for a template shows, in the order of the message. */
export const valueFields = (needs: TemplateNeeds): ValueField[] => [
  ...partFields(needs, ""),
  ...(needs.expires ? [{ key: "ends", kind: "ends" as const, name: "", isOptional: false }] : []),
  ...needs.cards.flatMap((card, at) => partFields(card, cardPrefix(at)).map((field) => ({ ...field, card: at + 1 }))),
];

/** Whether every field that must have a value has one, and none has a wrong one. */
export const hasAllValues = (needs: TemplateNeeds, values: TypedValues): boolean =>
  valueFields(needs).every(({ key, kind, isOptional }) => {
    const value = (values[key] ?? "").trim();
    return value === "" ? isOptional : kind !== "flowData" || flowDataOf(value) !== undefined;
  });

/** The object that a person has written as JSON; undefined for any other text. */
const flowDataOf = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
};

/** The values of the body's variables, by their names. */
export const bodyValues = (needs: PartNeeds, values: TypedValues, prefix = ""): Record<string, string> =>
  Object.fromEntries(needs.variables.map((name) => [name, values[variableKey(prefix, name)] ?? ""]));

/** The same of each card, by their order. */
export const cardValues = ({ cards }: TemplateNeeds, values: TypedValues): Record<string, string>[] =>
  cards.map((card, at) => bodyValues(card, values, cardPrefix(at)));

type Content = Omit<TemplateContent, "name" | "language">;
type Button = NonNullable<Content["buttons"]>[number];
type Part = Pick<Content, "variables" | "namedVariables" | "headerMedia" | "headerProduct" | "buttons">;
type Read = (key: string) => string;

/** The content of a send with the typed values. An optional value that is empty is left out. */
export const templateContent = (needs: TemplateNeeds, values: TypedValues): Content => {
  const read: Read = (key) => (values[key] ?? "").trim();
  const { header, cards, expires } = needs;
  return {
    ...partContent(needs, "", read),
    ...(header?.is === "text" ? { headerText: read("header") } : {}),
    ...(header?.is === "location" ? { headerLocation: placeOf(read) } : {}),
    ...(expires ? { expiresAt: instantOf(read("ends")) } : {}),
    ...(cards.length > 0 ? { cards: cards.map((card, at) => partContent(card, cardPrefix(at), read)) } : {}),
  };
};

const placeOf = (read: Read): NonNullable<Content["headerLocation"]> => {
  const [name, address] = [read("placeName"), read("placeAddress")];
  return {
    latitude: read("latitude"),
    longitude: read("longitude"),
    ...(name === "" ? {} : { name }),
    ...(address === "" ? {} : { address }),
  };
};

/** The value of the browser's field is in the person's zone. A text with a variable stays as it is. */
const instantOf = (text: string): string =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text) ? (momentOf(text)?.toISOString() ?? text) : text;

const partContent = (needs: PartNeeds, prefix: string, read: Read): Part => {
  const { variables, isNamed, header } = needs;
  const given = variables.map((name) => [name, read(variableKey(prefix, name))] as const);
  const buttons = needs.buttons.flatMap((button) =>
    buttonOf(button, (kind) => read(buttonKey(prefix, button.index, kind))),
  );
  const file = read(`${prefix}file`);
  return {
    ...(given.length === 0 ? {} : named(given, isNamed)),
    ...(header?.is === "media"
      ? { headerMedia: { type: header.type, ...(isOwnHandle(file) ? { mediaHandle: file } : { url: file }) } }
      : {}),
    ...(header?.is === "product"
      ? { headerProduct: { productId: read(`${prefix}product`), catalogId: read(`${prefix}catalog`) } }
      : {}),
    ...(buttons.length > 0 ? { buttons } : {}),
  };
};

const named = (given: readonly (readonly [string, string])[], isNamed: boolean): Part =>
  isNamed ? { namedVariables: Object.fromEntries(given) } : { variables: given.map(([, value]) => value) };

/** Nothing for a button without its value: an optional one, or one whose value the server knows. */
const buttonOf = (need: ButtonNeed, read: (kind: FieldKind) => string): Button[] => {
  const { action, index } = need;
  if (action === null || kindsOf(need).every((kind) => read(kind) === "")) return [];
  const base = { subType: action, index };
  const thumbnail = read("thumbnail") === "" ? {} : { thumbnailProductId: read("thumbnail") };
  const flowData = flowDataOf(read("flowData"));
  switch (action) {
    case "flow":
      return [
        {
          ...base,
          ...(read("flowToken") === "" ? {} : { flowToken: read("flowToken") }),
          ...(flowData ? { flowData } : {}),
        },
      ];
    case "catalog":
      return [{ ...base, ...thumbnail }];
    case "mpm":
      return [
        { ...base, ...thumbnail, sections: [{ title: read("sectionTitle"), productIds: listOf(read("products")) }] },
      ];
    case "order_details":
      return [{ ...base, order: orderOf(read) }];
    case "url":
      return [{ ...base, parameters: [read("address")] }];
    case "copy_code":
      return [{ ...base, parameters: [read("coupon")] }];
    case "quick_reply":
    case "voice_call":
      return [{ ...base, parameters: [read("payload")] }];
  }
};

const listOf = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

/** An order of one item, which is paid at an address. */
const orderOf = (read: (kind: FieldKind) => string): NonNullable<Button["order"]> => {
  const sum = { value: Math.round(Number(read("orderPrice").replace(",", ".")) * 100) };
  const reference = read("orderReference");
  return {
    referenceId: reference,
    goods: "physical-goods",
    totalAmount: sum,
    subtotal: sum,
    payments: [{ type: "payment_link", url: read("orderLink") }],
    items: [{ retailerId: reference, name: read("orderItem"), quantity: 1, amount: sum }],
  };
};
