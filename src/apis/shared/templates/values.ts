import type { TemplateButton, TemplateCard, TemplateValues } from "../../../contract/content/template-content.ts";
import { BUTTON_ACTIONS, MEDIA_HEADERS } from "../../../contract/content/template-needs.ts";
import { iso } from "../../../kernel/clock.ts";
import { invalid } from "../../../kernel/errors.ts";
import { issue } from "../../../kernel/schema.ts";
import { type Json, recordOf } from "../../../kernel/texts/json.ts";
import { given, objectIn, optionalField, requiredList, requiredObject, requiredText, textIn } from "../loose-fields.ts";
import { orderIn } from "./orders.ts";

/** How an API names the files that are kept to be sent. @throws AppError VALIDATION for the id of anything else */
export type HandleOf = (id: string, path: string) => string;

/**
 * The values of a template's components, in the network's own form. The core checks them.
 * @throws AppError VALIDATION, also for a part that is not known
 */
export const valuesIn = (
  of: Json,
  { path, handleOf }: { path: string; handleOf: HandleOf },
): Omit<TemplateValues, "name" | "language"> => {
  const components = optionalField(of, "components") === undefined ? [] : requiredList(of, "components", path);
  return partsIn(components, { path, handleOf }, WHOLE);
};

/** A whole number from 0 on. */
const indexIn = (of: Json, name: string, { path, otherwise }: { path: string; otherwise: number }): number => {
  const written = textIn(of, name, path) ?? String(otherwise);
  if (!/^\d{1,4}$/.test(written)) throw invalid(issue(path, "type", "must be a whole number from 0 on"));
  return Number(written);
};

/** A component and where it stands. */
type Place = { path: string; handleOf: HandleOf };
type Part = Place & { of: Json };
type Values = Omit<TemplateValues, "name" | "language">;
type Readers = Readonly<Record<string, (part: Part) => Values>>;

/** The values of a template's components, or of those of a card. Buttons are many, any other part is one. */
const partsIn = (components: readonly unknown[], { path, handleOf }: Place, readers: Readers): Values => {
  const values: Values = {};
  const buttons: TemplateButton[] = [];
  for (const [at, component] of components.entries()) {
    const part = { of: recordOf(component), path: `${path}.${at}`, handleOf };
    const type = requiredText(part.of, "type", `${part.path}.type`).toLowerCase();
    if (type === "button") buttons.push(buttonIn(part));
    else if (Object.hasOwn(readers, type)) Object.assign(values, readers[type]?.(part));
    else if (parametersOf(part).length > 0 || !EMPTY.has(type))
      throw invalid(
        issue(`${part.path}.type`, "enum", `must be one of ${[...Object.keys(readers), "button"].join(", ")}`),
      );
  }
  return { ...values, ...(buttons.length > 0 ? { buttons } : {}) };
};

/** Parts without values. */
const EMPTY: ReadonlySet<string> = new Set(["footer", "buttons", "call_permission_request"]);

const parametersOf = ({ of }: Part): Json[] => {
  const parameters = optionalField(of, "parameters");
  return Array.isArray(parameters) ? parameters.map(recordOf) : [];
};

/** The text of a parameter. For money and times, it is the text for clients that cannot show them. */
const valueOf = (parameter: Json, path: string): string => {
  const type = textIn(parameter, "type", `${path}.type`) ?? "text";
  if (type === "text") return requiredText(parameter, "text", `${path}.text`);
  if (type === "currency" || type === "date_time")
    return requiredText(
      requiredObject(parameter, type, `${path}.${type}`),
      "fallback_value",
      `${path}.${type}.fallback_value`,
    );
  throw invalid(issue(`${path}.type`, "enum", "must be text, currency or date_time"));
};

const bodyIn = (part: Part): Values => {
  const values = parametersOf(part).map((parameter, at) => ({
    name: textIn(parameter, "parameter_name"),
    text: valueOf(parameter, `${part.path}.parameters.${at}`),
  }));
  if (values.length === 0) return {};
  if (values.every(({ name }) => name === undefined)) return { variables: values.map(({ text }) => text) };
  return { namedVariables: Object.fromEntries(values.map(({ name, text }, at) => [name ?? String(at + 1), text])) };
};

/** A header has one parameter: a text, a file by its address or its id, a place, or a product. */
const headerIn = (part: Part): Values => {
  const [parameter] = parametersOf(part);
  if (!parameter) return {};
  const at = `${part.path}.parameters.0`;
  const type = textIn(parameter, "type", `${at}.type`) ?? "text";
  if (type === "text") {
    const name = textIn(parameter, "parameter_name", `${at}.parameter_name`);
    return { headerText: valueOf(parameter, at), ...(name === undefined ? {} : { headerName: name }) };
  }
  const media = MEDIA_HEADERS.find((one) => one === type);
  if (media)
    return {
      headerMedia: fileIn(requiredObject(parameter, media, `${at}.${media}`), media, {
        ...part,
        path: `${at}.${media}`,
      }),
    };
  if (type === "location") return { headerLocation: placeIn(requiredObject(parameter, type, `${at}.${type}`), at) };
  if (type === "product") return { headerProduct: productIn(requiredObject(parameter, type, `${at}.${type}`), at) };
  throw invalid(issue(`${at}.type`, "enum", "must be text, image, video, document, location or product"));
};

const productIn = (product: Json, path: string): NonNullable<Values["headerProduct"]> => ({
  productId: requiredText(product, "product_retailer_id", `${path}.product.product_retailer_id`),
  catalogId: requiredText(product, "catalog_id", `${path}.product.catalog_id`),
});

const fileIn = (
  file: Json,
  type: (typeof MEDIA_HEADERS)[number],
  { path, handleOf }: Place,
): NonNullable<TemplateCard["headerMedia"]> => {
  const [id, filename] = [textIn(file, "id", `${path}.id`), textIn(file, "filename", `${path}.filename`)];
  return {
    type,
    ...(id === undefined
      ? { url: requiredText(file, "link", `${path}.link`) }
      : { mediaHandle: handleOf(id, `${path}.id`) }),
    ...(filename === undefined ? {} : { filename }),
  };
};

const placeIn = (place: Json, path: string): NonNullable<Values["headerLocation"]> => ({
  latitude: requiredText(place, "latitude", `${path}.location.latitude`),
  longitude: requiredText(place, "longitude", `${path}.location.longitude`),
  ...given({
    name: textIn(place, "name", `${path}.location.name`),
    address: textIn(place, "address", `${path}.location.address`),
  }),
});

/** The furthest time of a date. */
const MAX_MS = 8_640_000_000_000_000;

const offerIn = (part: Part): Values => {
  const [parameter] = parametersOf(part);
  if (!parameter) return {};
  const at = `${part.path}.parameters.0.limited_time_offer`;
  const offer = requiredObject(parameter, "limited_time_offer", at);
  const endsAt = Number(requiredText(offer, "expiration_time_ms", `${at}.expiration_time_ms`));
  if (!Number.isInteger(endsAt) || endsAt < 0 || endsAt > MAX_MS)
    throw invalid(issue(`${at}.expiration_time_ms`, "format", "must be a time in milliseconds since 1970"));
  return { expiresAt: iso(endsAt) };
};

/** The cards of a carousel, by their `card_index`. Together they must be all numbers from 0 on, each once. */
const carouselIn = ({ of, path, handleOf }: Part): Values => {
  const cards = requiredList(of, "cards", `${path}.cards`).map((card, at) => {
    const own = recordOf(card);
    const where = `${path}.cards.${at}`;
    return {
      index: indexIn(own, "card_index", { path: `${where}.card_index`, otherwise: at }),
      card: partsIn(
        requiredList(own, "components", `${where}.components`),
        { path: `${where}.components`, handleOf },
        OF_CARD,
      ),
    };
  });
  const wrong = cards.findIndex(
    ({ index }, at) => index >= cards.length || cards.findIndex((card) => card.index === index) < at,
  );
  if (wrong >= 0)
    throw invalid(
      issue(`${path}.cards.${wrong}.card_index`, "enum", `must be one of 0 to ${cards.length - 1}, each once`),
    );
  return { cards: cards.toSorted((one, other) => one.index - other.index).map(({ card }) => card) };
};

const OF_CARD: Readers = { header: headerIn, body: bodyIn };
const WHOLE: Readers = { ...OF_CARD, limited_time_offer: offerIn, carousel: carouselIn };

/** The field that holds the value of a button of each type without an action. */
const FIELD = { url: "text", quick_reply: "payload", voice_call: "payload", copy_code: "coupon_code" } as const;

const buttonIn = (part: Part): TemplateButton => {
  const { of, path } = part;
  const written = requiredText(of, "sub_type", `${path}.sub_type`).toLowerCase();
  const subType = BUTTON_ACTIONS.find((one) => one === written);
  if (!subType) throw invalid(issue(`${path}.sub_type`, "enum", `must be one of ${BUTTON_ACTIONS.join(", ")}`));
  const index = indexIn(of, "index", { path: `${path}.index`, otherwise: 0 });
  if (!Object.hasOwn(FIELD, subType)) return { subType, index, ...actionIn(part) };
  const field = FIELD[subType as keyof typeof FIELD];
  const parameters = parametersOf(part).map((parameter, at) =>
    requiredText(
      { ...parameter, [field]: parameter[field] ?? parameter["text"] },
      field,
      `${path}.parameters.${at}.${field}`,
    ),
  );
  return { subType, index, parameters };
};

/** The action of a button. One without parameters has the values of its template. */
const actionIn = (part: Part): Partial<TemplateButton> => {
  const [parameter] = parametersOf(part);
  const at = `${part.path}.parameters.0.action`;
  const action = parameter && objectIn(parameter, "action", at);
  if (!action) return {};
  const flowData = objectIn(action, "flow_action_data", `${at}.flow_action_data`);
  const order = objectIn(action, "order_details", `${at}.order_details`);
  return {
    ...given({
      flowToken: textIn(action, "flow_token", `${at}.flow_token`),
      thumbnailProductId: textIn(action, "thumbnail_product_retailer_id", `${at}.thumbnail_product_retailer_id`),
    }),
    ...(flowData ? { flowData } : {}),
    ...(optionalField(action, "sections") === undefined ? {} : { sections: sectionsIn(action, `${at}.sections`) }),
    ...(order ? { order: orderIn(order, `${at}.order_details`) } : {}),
  };
};

const sectionsIn = (action: Json, path: string): NonNullable<TemplateButton["sections"]> =>
  requiredList(action, "sections", path).map((section, at) => ({
    title: requiredText(recordOf(section), "title", `${path}.${at}.title`),
    productIds: requiredList(recordOf(section), "product_items", `${path}.${at}.product_items`).map((item, index) =>
      requiredText(recordOf(item), "product_retailer_id", `${path}.${at}.product_items.${index}.product_retailer_id`),
    ),
  }));
