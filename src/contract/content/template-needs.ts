// What a send of a template has to give, as the template's components say it. The console reads it too, in the browser.

import { OF_TEMPLATES, variablesIn } from "../../kernel/texts/texts.ts";

export const MEDIA_HEADERS = ["image", "video", "document"] as const;
export type MediaHeader = (typeof MEDIA_HEADERS)[number];

/** The actions of buttons that take a value when a template is sent. */
export const BUTTON_ACTIONS = [
  "url",
  "copy_code",
  "quick_reply",
  "flow",
  "catalog",
  "mpm",
  "order_details",
  "voice_call",
] as const;
export type ButtonAction = (typeof BUTTON_ACTIONS)[number];

/** `variable`: its name, such as "1" or "pedido". */
export type HeaderNeed =
  | { is: "text"; variable: string }
  | { is: "media"; type: MediaHeader }
  | { is: "location" }
  | { is: "product" }
  /** A format that the network has added: nothing is known of its values. */
  | { is: "unknown" };
/**
 * A button that takes a value. `action`: null for a type that is not known here. `isCode`: its value is that of the
 * body, a one-time code.
 */
export type ButtonNeed = {
  index: number;
  action: ButtonAction | null;
  label: string;
  isRequired: boolean;
  isCode: boolean;
};
/**
 * The values of a template, or of a card of its carousel. `variables`: the names in the body, by their order.
 */
export type PartNeeds = {
  header: HeaderNeed | null;
  variables: readonly string[];
  isNamed: boolean;
  buttons: readonly ButtonNeed[];
};
/** `expires`: the offer ends at a time that the send gives. */
export type TemplateNeeds = PartNeeds & { expires: boolean; cards: readonly PartNeeds[] };

type Loose = Readonly<Record<string, unknown>>;

const looseOf = (value: unknown): Loose => (typeof value === "object" && value !== null ? (value as Loose) : {});
const listOf = (value: unknown): Loose[] => (Array.isArray(value) ? value.map(looseOf) : []);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const wordOf = (value: unknown): string => textOf(value).toUpperCase();
const partOf = (components: readonly Loose[], type: string): Loose =>
  components.find((one) => wordOf(one["type"]) === type) ?? {};

const isPlace = (name: string): boolean => /^\d+$/.test(name);

/** The names of the variables in a text: by their number, else as they come. */
const namesIn = (text: unknown): string[] => {
  const names = variablesIn(OF_TEMPLATES, textOf(text));
  return names.every(isPlace) ? names.toSorted((one, other) => Number(one) - Number(other)) : names;
};

const headerNeed = (header: Loose): HeaderNeed | null => {
  const format = wordOf(header["format"]);
  const type = MEDIA_HEADERS.find((one) => one.toUpperCase() === format);
  if (type) return { is: "media", type };
  if (format === "LOCATION") return { is: "location" };
  if (format === "PRODUCT") return { is: "product" };
  if (format !== "" && format !== "TEXT") return { is: "unknown" };
  const [variable] = namesIn(header["text"]);
  return variable === undefined ? null : { is: "text", variable };
};

/** TABLE: the buttons without a value. */
const WITHOUT_VALUE: ReadonlySet<string> = new Set(["PHONE_NUMBER", "SPM", "REQUEST_CONTACT_INFO"]);
/** TABLE: the buttons that take a value, and whether the network refuses a send without it. */
const ACTIONS: Readonly<Record<string, readonly [ButtonAction, isRequired: boolean]>> = {
  URL: ["url", true],
  OTP: ["url", true],
  COPY_CODE: ["copy_code", true],
  QUICK_REPLY: ["quick_reply", false],
  FLOW: ["flow", false],
  CATALOG: ["catalog", false],
  MPM: ["mpm", true],
  ORDER_DETAILS: ["order_details", true],
  VOICE_CALL: ["voice_call", false],
};

/** The network lists the button of a one-time code as a link of its own. */
const CODE_LINK = "https://www.whatsapp.com/otp/";
const isOfCode = ({ type, url }: Loose): boolean =>
  wordOf(type) === "OTP" || (wordOf(type) === "URL" && textOf(url).startsWith(CODE_LINK));

const buttonNeed = (button: Loose, index: number): ButtonNeed[] => {
  const type = wordOf(button["type"]);
  if (WITHOUT_VALUE.has(type) || (type === "URL" && namesIn(button["url"]).length === 0)) return [];
  const [action = null, isRequired = false] = Object.hasOwn(ACTIONS, type) ? (ACTIONS[type] ?? []) : [];
  return [{ index, action, label: textOf(button["text"]) || type, isRequired, isCode: isOfCode(button) }];
};

/** The network writes the body of a code by itself, and may list it without its text. */
const bodyVariables = (body: Loose, buttons: readonly Loose[]): string[] =>
  body["text"] === undefined && buttons.some(isOfCode) ? ["1"] : namesIn(body["text"]);

const partNeeds = (components: readonly Loose[]): PartNeeds => {
  const buttons = listOf(partOf(components, "BUTTONS")["buttons"]);
  const header = headerNeed(partOf(components, "HEADER"));
  const variables = bodyVariables(partOf(components, "BODY"), buttons);
  const names = header?.is === "text" ? [...variables, header.variable] : variables;
  return {
    header,
    variables,
    isNamed: names.some((name) => !isPlace(name)),
    buttons: buttons.flatMap(buttonNeed),
  };
};

/** What a send of a template has to give. `components`: as the network lists them. */
export const needsOf = (components: readonly unknown[]): TemplateNeeds => {
  const parts = listOf(components);
  const offer = looseOf(partOf(parts, "LIMITED_TIME_OFFER")["limited_time_offer"]);
  return {
    ...partNeeds(parts),
    expires: offer["has_expiration"] === true,
    cards: listOf(partOf(parts, "CAROUSEL")["cards"]).map((card) => partNeeds(listOf(card["components"]))),
  };
};
