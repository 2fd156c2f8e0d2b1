import { type Static, Type } from "@sinclair/typebox";
import { described, FileName, type Issue, issue, OneOf, Text } from "../../kernel/schema.ts";
import { type IsUrlAllowed, publicUrlIssues } from "../ports/public-url.ts";
import { orderIssues, TemplateOrder } from "./orders.ts";
import { BUTTON_ACTIONS, MEDIA_HEADERS } from "./template-needs.ts";
import { degreeIssues, instantIssues } from "./template-places.ts";

const Section = Type.Object(
  {
    title: described(Text(1, 1000), "The heading of these products", "Bolos"),
    productIds: Type.Array(Text(1, 1000), {
      minItems: 1,
      maxItems: 30,
      description: "Products of the catalogue, by the seller's own numbers",
      examples: [["bolo-cenoura"]],
    }),
  },
  { title: "TemplateSection" },
);

const Button = Type.Object(
  {
    subType: Type.Optional(
      OneOf(BUTTON_ACTIONS, { description: "The action of the button; that of the template's button by default" }),
    ),
    index: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 9, description: "The button's place among all, from 0", examples: [0] }),
    ),
    parameters: Type.Optional(
      Type.Array(Text(1, 2000), {
        minItems: 1,
        maxItems: 3,
        description: "Values, percent-encoded if they are part of a URL",
        examples: [["pedidos/1042"]],
      }),
    ),
    flowToken: Type.Optional(
      described(Text(1, 4096), "Comes back with the answer of a flow; the message's id by default", "pedido-1042"),
    ),
    flowData: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "What the first screen of a flow shows",
        examples: [{ nome: "Maria" }],
      }),
    ),
    thumbnailProductId: Type.Optional(
      described(Text(1, 1000), "The product whose picture a catalogue or product list shows", "bolo-cenoura"),
    ),
    sections: Type.Optional(
      Type.Array(Section, { minItems: 1, maxItems: 10, description: "The products of a product list (mpm)" }),
    ),
    order: Type.Optional(
      described(TemplateOrder, "The order that a button of the type order_details shows, to be paid in BRL"),
    ),
  },
  { title: "TemplateButton" },
);

/** `filename` is the shown name of a document. */
const HeaderMedia = Type.Object(
  {
    type: OneOf(MEDIA_HEADERS, { description: "The kind of file" }),
    url: Type.Optional(
      described(Text(1, 2048), "The address of the header's file", "https://padaria-estrela.example/eventos"),
    ),
    mediaHandle: Type.Optional(
      described(
        Text(1, 2048),
        "The handle of an uploaded file, in place of `url`; without variables in a batch",
        "4::aW1hZ2UvanBlZw==:ARZ9x",
      ),
    ),
    filename: Type.Optional(
      described(FileName(), "The shown name: the name of a file alone, without folders", "cardapio.pdf"),
    ),
  },
  { title: "TemplateHeaderMedia" },
);

/** A number, or its text: only a text can hold the variables of a batch. */
const degrees = (most: number) =>
  Type.Unsafe<number | string>(Type.Union([Type.Number({ minimum: -most, maximum: most }), Text(1, 1000)]));

const HeaderLocation = Type.Object(
  {
    latitude: described(degrees(90), "Degrees north of the equator, -90 to 90, as a number or its text", -23.55052),
    longitude: described(degrees(180), "Degrees east of Greenwich, -180 to 180, as a number or its text", -46.633308),
    name: Type.Optional(described(Text(1, 1000), "The name of the place", "Padaria Estrela")),
    address: Type.Optional(
      described(Text(1, 1000), "The postal address of the place", "Rua das Flores, 100, São Paulo"),
    ),
  },
  { title: "TemplateHeaderLocation" },
);

const HeaderProduct = Type.Object(
  {
    productId: described(Text(1, 1000), "The product, by the seller's own number", "bolo-cenoura"),
    catalogId: described(Text(1, 1000), "The network's id of the catalogue that has it", "194836987003835"),
  },
  { title: "TemplateHeaderProduct" },
);

const NamedVariables = Type.Unsafe<Record<string, string>>(
  Type.Record(Type.String({ pattern: "^[a-z0-9_]{1,100}$" }), Text(0, 4096), {
    additionalProperties: false,
    maxProperties: 100,
  }),
);

/** The values that a template and each card of its carousel have. */
const PART = {
  variables: Type.Optional(
    Type.Array(Text(0, 4096), {
      maxItems: 100,
      description: "Values of {{1}}, {{2}} …, in order",
      examples: [["Maria", "1042"]],
    }),
  ),
  /** The values of named variables, of a template with `parameterFormat` NAMED. */
  namedVariables: Type.Optional(described(NamedVariables, "Values by name, in place of `variables`")),
  headerMedia: Type.Optional(described(HeaderMedia, "The file of the header, if the template has one")),
  headerProduct: Type.Optional(described(HeaderProduct, "The product of the header, if the template has one")),
};
const buttons = (description: string) => Type.Optional(Type.Array(Button, { maxItems: 10, description }));

const Card = Type.Object({ ...PART, buttons: buttons("The values of the card's buttons") }, { title: "TemplateCard" });

/** A template by its name, with the values of its variables, header and buttons. */
export const TemplateContent = Type.Object(
  {
    name: described(Text(1, 512), "The name of an approved template", "confirmacao_pedido"),
    language: Type.Optional(described(Text(2, 20), "The language of the template; pt_BR by default", "pt_BR")),
    ...PART,
    /** The value of the variable in a header that is a text. */
    headerText: Type.Optional(
      described(
        Text(1, 60),
        "The value of the variable in a text header, in place of `headerMedia`",
        "Padaria Estrela",
      ),
    ),
    headerName: Type.Optional(
      described(
        Type.String({
          pattern: "^[a-z0-9_]{1,100}$",
          description: "must be lower-case letters, digits and underscores",
        }),
        "The name of the variable in a text header; that of the template by default",
        "pedido",
      ),
    ),
    headerLocation: Type.Optional(described(HeaderLocation, "The place of the header, if the template has one")),
    expiresAt: Type.Optional(
      described(
        Text(1, 1000),
        "When a limited-time offer ends, in ISO 8601 with timezone",
        "2026-12-24T18:00:00-03:00",
      ),
    ),
    buttons: buttons("The values of the buttons, if the template has variables in them"),
    cards: Type.Optional(
      Type.Array(Card, { minItems: 1, maxItems: 10, description: "The cards of a carousel, in their order" }),
    ),
  },
  { title: "TemplateContent" },
);

/** The values of a template send. */
export type TemplateValues = Static<typeof TemplateContent>;
/** The values of a card of a carousel. */
export type TemplateCard = Static<typeof Card>;
export type TemplateButton = Static<typeof Button>;
/** The template of a batch. Its values may hold variables, which each recipient's values fill. */
export type BatchTemplate = TemplateValues;

/** The fields with a header, of which a template has one. */
const HEADERS = ["headerMedia", "headerText", "headerLocation", "headerProduct"] as const;

/** TABLE: the buttons that need their `parameters`. */
const WITH_PARAMETERS: ReadonlySet<string> = new Set(["url", "copy_code", "quick_reply", "voice_call"]);

export const templateIssues = (content: TemplateValues, isUrlAllowed: IsUrlAllowed): Issue[] => {
  const [, ...others] = HEADERS.filter((field) => content[field] !== undefined);
  const { headerLocation: place, expiresAt, cards = [] } = content;
  return [
    ...partIssues(content, "content", isUrlAllowed),
    ...others.map((field) => issue(`content.${field}`, "forbidden", "cannot be given beside another header")),
    ...(place
      ? [
          ...degreeIssues("content.headerLocation.latitude", place.latitude, 90),
          ...degreeIssues("content.headerLocation.longitude", place.longitude, 180),
        ]
      : []),
    ...(expiresAt === undefined ? [] : instantIssues("content.expiresAt", expiresAt)),
    ...cards.flatMap((card, at) => partIssues(card, `content.cards.${at}`, isUrlAllowed)),
  ];
};

const partIssues = (
  { headerMedia, variables, namedVariables, buttons: given = [] }: TemplateCard,
  path: string,
  isUrlAllowed: IsUrlAllowed,
): Issue[] => [
  ...(headerMedia ? fileIssues(headerMedia, `${path}.headerMedia`, isUrlAllowed) : []),
  ...(variables && namedVariables
    ? [issue(`${path}.namedVariables`, "forbidden", "cannot be given beside variables")]
    : []),
  ...given.flatMap((button, at) => buttonIssues(button, `${path}.buttons.${at}`)),
  ...repeatedIndexes(given).map((at) =>
    issue(`${path}.buttons.${at}.index`, "forbidden", "must be given once: an earlier button has this index"),
  ),
];

/** The places in the list of the buttons whose index an earlier one has. */
const repeatedIndexes = (buttons: readonly TemplateButton[]): number[] => {
  const indexes = buttons.map(({ index = 0 }) => index);
  return indexes.flatMap((index, at) => (indexes.indexOf(index) < at ? [at] : []));
};

const fileIssues = (
  { url, mediaHandle }: NonNullable<TemplateCard["headerMedia"]>,
  path: string,
  isUrlAllowed: IsUrlAllowed,
): Issue[] => {
  if (url !== undefined && mediaHandle !== undefined)
    return [issue(`${path}.url`, "forbidden", "only one of url and mediaHandle may be given")];
  if (url !== undefined) return publicUrlIssues(`${path}.url`, url, isUrlAllowed);
  return mediaHandle === undefined ? [issue(`${path}.url`, "required", "one of url and mediaHandle is required")] : [];
};

/** The fields that a button has besides `parameters`, each with the action that it belongs to. */
const OF_ACTION = {
  flowToken: ["flow"],
  flowData: ["flow"],
  thumbnailProductId: ["catalog", "mpm"],
  sections: ["mpm"],
  order: ["order_details"],
} as const;

/** The type of a button that names none: that of its fields, else url. */
export const actionOf = (button: TemplateButton): (typeof BUTTON_ACTIONS)[number] => {
  if (button.subType !== undefined) return button.subType;
  if (button.flowToken !== undefined || button.flowData !== undefined) return "flow";
  if (button.sections !== undefined) return "mpm";
  if (button.order !== undefined) return "order_details";
  return button.thumbnailProductId === undefined ? "url" : "catalog";
};

const buttonIssues = (button: TemplateButton, path: string): Issue[] => {
  const action = actionOf(button);
  const foreign = (Object.keys(OF_ACTION) as (keyof typeof OF_ACTION)[]).filter(
    (field) => button[field] !== undefined && !OF_ACTION[field].some((one) => one === action),
  );
  const needed = { mpm: "sections", order_details: "order" } as const;
  const missing = action === "mpm" || action === "order_details" ? needed[action] : undefined;
  return [
    ...foreign.map((field) => issue(`${path}.${field}`, "forbidden", `is not for a button of the type ${action}`)),
    ...(WITH_PARAMETERS.has(action) && button.parameters === undefined
      ? [issue(`${path}.parameters`, "required", "is required")]
      : []),
    ...(!WITH_PARAMETERS.has(action) && button.parameters !== undefined
      ? [issue(`${path}.parameters`, "forbidden", `is not for a button of the type ${action}`)]
      : []),
    ...(missing !== undefined && button[missing] === undefined
      ? [issue(`${path}.${missing}`, "required", `is required for ${action}`)]
      : []),
    ...(button.order ? orderIssues(button.order, `${path}.order`) : []),
  ];
};
