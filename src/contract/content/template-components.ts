import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { AnyText, type Issue, issue, issuesOf, OneOf, Text } from "../../kernel/schema.ts";

const COMPONENT_TYPES = [
  "HEADER",
  "BODY",
  "FOOTER",
  "BUTTONS",
  "CAROUSEL",
  "LIMITED_TIME_OFFER",
  "CALL_PERMISSION_REQUEST",
] as const;
type ComponentType = (typeof COMPONENT_TYPES)[number];
const CARD_TYPES = ["HEADER", "BODY", "BUTTONS"] as const satisfies readonly ComponentType[];
const HEADER_FORMATS = ["TEXT", "IMAGE", "VIDEO", "DOCUMENT", "LOCATION", "PRODUCT"] as const;
const MEDIA_FORMATS = ["IMAGE", "VIDEO", "DOCUMENT"] as const satisfies readonly (typeof HEADER_FORMATS)[number][];
const CARD_FORMATS = [...MEDIA_FORMATS, "PRODUCT"] as const;
const BUTTON_TYPES = [
  "QUICK_REPLY",
  "URL",
  "PHONE_NUMBER",
  "COPY_CODE",
  "OTP",
  "CATALOG",
  "MPM",
  "SPM",
  "FLOW",
  "VOICE_CALL",
  "REQUEST_CONTACT_INFO",
  "ORDER_DETAILS",
  "PAYMENT_REQUEST",
] as const;

/** A component before its fields are checked. */
export const Component = Type.Object(
  {
    type: OneOf(COMPONENT_TYPES, {
      title: "TemplateComponentType",
      description: "The kind of part",
      examples: ["BODY"],
    }),
  },
  {
    title: "NewTemplateComponent",
    additionalProperties: Type.Unknown(),
    description: "In the form of the official API",
  },
);

type Fields = Readonly<Record<string, unknown>>;

const optional = Type.Optional;
const SomeText = AnyText(1);
const Samples = Type.Array(SomeText, { minItems: 1 });
const WithoutVariables = Type.String({ pattern: "^(?![^]*\\{\\{)", description: "must not contain variables" });

const hasVariable = (text: unknown): boolean => typeof text === "string" && /\{\{\s*\d+\s*\}\}/.test(text);

/** A text with variables needs an example, so that a reviewer sees what they stand for. */
const exampleFor = (text: unknown, example: TSchema): TProperties => (hasVariable(text) ? { example } : {});

const headerOf =
  (formats: readonly string[]) =>
  ({ format, text }: Fields): TProperties => {
    if (format === "TEXT")
      return { format: OneOf(formats), text: SomeText, ...exampleFor(text, Type.Object({ header_text: Samples })) };
    const isMedia = MEDIA_FORMATS.some((one) => one === format);
    return { format: OneOf(formats), ...(isMedia ? { example: Type.Object({ header_handle: Samples }) } : {}) };
  };

const buttonOf = ({ type, url }: Fields): TProperties => {
  switch (type) {
    case "QUICK_REPLY":
    case "FLOW":
    case "VOICE_CALL":
      return { text: SomeText };
    case "URL":
      return { text: SomeText, url: SomeText, ...exampleFor(url, Type.Unknown()) };
    case "PHONE_NUMBER":
      return { text: SomeText, phone_number: SomeText };
    case "OTP":
      return { text: optional(SomeText), otp_type: optional(OneOf(["COPY_CODE", "ONE_TAP", "ZERO_TAP"])) };
    default:
      return { type: OneOf(BUTTON_TYPES), text: optional(SomeText) };
  }
};

/**
 * TABLE: the fields of each documented type of component. The texts of authentication templates are missing, because
 * the network defines them.
 */
const FIELDS: Record<ComponentType, (component: Fields) => TProperties> = {
  HEADER: headerOf(HEADER_FORMATS),
  BODY: ({ text }) => ({
    text: optional(SomeText),
    ...exampleFor(text, Type.Object({ body_text: Type.Array(Samples, { minItems: 1 }) })),
  }),
  FOOTER: ({ text }) => ({ text: optional(String(text).includes("{{") ? WithoutVariables : Text(1, 60)) }),
  BUTTONS: ({ buttons }) => ({ buttons: listOf(buttons, buttonOf, 10) }),
  CAROUSEL: ({ cards }) => ({
    cards: listOf(cards, ({ components }) => ({ components: listOf(components, cardComponentOf) }), 10),
  }),
  LIMITED_TIME_OFFER: () => ({
    limited_time_offer: Type.Object({ text: SomeText, has_expiration: optional(Type.Boolean()) }),
  }),
  CALL_PERMISSION_REQUEST: () => ({}),
};

/** The schema of a given list. Each item has the schema that its type needs. */
const listOf = (items: unknown, fieldsOf: (item: Fields) => TProperties, maxItems?: number): TSchema => {
  const isRight = Array.isArray(items) && items.length > 0 && items.length <= (maxItems ?? items.length);
  if (!isRight) return Type.Array(Type.Unknown(), { minItems: 1, ...(maxItems === undefined ? {} : { maxItems }) });
  return Type.Tuple(
    items.map((item: unknown) =>
      Type.Object(fieldsOf(typeof item === "object" && item !== null ? (item as Fields) : {})),
    ),
  );
};

const componentOf = (component: Fields): TProperties => {
  const type = COMPONENT_TYPES.find((one) => one === component["type"]);
  return type ? FIELDS[type](component) : { type: OneOf(COMPONENT_TYPES, { title: "TemplateComponentType" }) };
};

const cardComponentOf = (component: Fields): TProperties => {
  if (component["type"] === "HEADER") return headerOf(CARD_FORMATS)(component);
  return CARD_TYPES.some((type) => type === component["type"]) ? componentOf(component) : { type: OneOf(CARD_TYPES) };
};

/**
 * The issues of a template's components, by the documented rules; empty when there are none. The network validates
 * unknown fields.
 */
export const componentIssues = (components: unknown): Issue[] => {
  const issues = issuesOf(listOf(components, componentOf), components, "components");
  const hasBody =
    Array.isArray(components) && components.some((one: { type?: unknown } | null) => one?.type === "BODY");
  return issues.length > 0 || hasBody
    ? issues
    : [issue("components", "required", "must have a component of type BODY")];
};
