import { type Static, Type } from "@sinclair/typebox";
import { parseIso } from "../../kernel/clock.ts";
import { DateTime, described, FileName, type Issue, issue, OneOf, Text, Url } from "../../kernel/schema.ts";
import { type IsUrlAllowed, publicUrlIssues } from "../ports/public-url.ts";

const text = Text(1, 1024);
const footer = Type.Optional(Text(0, 60));

/** `text` goes with the type text, `mediaUrl` with the others. `filename` is the shown name of a document. */
const HEADER = {
  type: OneOf(["text", "image", "video", "document"], {
    description: "The kind of header: `text` needs `text`, the others `mediaUrl`",
  }),
  text: Type.Optional(
    described(
      Text(1, 60),
      "The text of a header of type `text`; at most 60 characters",
      "Olá, Maria! Seu bolo está pronto.",
    ),
  ),
  mediaUrl: Type.Optional(
    described(Text(1, 2048), "A public HTTPS address of the file", "https://padaria-estrela.example/bolo.jpg"),
  ),
  filename: Type.Optional(
    described(FileName(), "The shown name of a document: the name of a file alone, without folders", "cardapio.pdf"),
  ),
};
/** The header above the text of buttons. An adapter whose network has no header puts it before the text. */
const MenuHeader = Type.Object(HEADER, { title: "MenuHeader" });
const TextHeader = Type.Object(
  {
    type: OneOf(["text"], { description: "Always `text`" }),
    text: described(Text(1, 60), "The text of the header; 1 to 60 characters", "Olá, Maria! Seu bolo está pronto."),
  },
  { title: "TextHeader" },
);

/** The most quick replies that any network takes. */
export const MAX_QUICK_REPLIES = 13;

/** Answers that a person may tap in place of typing, on networks that have them. They disappear after a tap. */
export const QuickReplies = Type.Array(
  Type.Object(
    {
      id: described(Text(1, 120), "The value that comes back with the answer", "sim"),
      text: described(Text(1, 20), "The text of the quick reply; 1 to 20 characters", "Sim"),
    },
    { title: "QuickReply" },
  ),
  {
    minItems: 1,
    maxItems: MAX_QUICK_REPLIES,
    description: "Answers to tap, if the network supports them; each with an `id` of its own",
  },
);

export const quickReplyIssues = (replies: Static<typeof QuickReplies> = []): Issue[] =>
  repeatedIds(replies.map(({ id }, at) => ({ id, path: `content.quickReplies.${at}.id` })));

export const ButtonContent = Type.Object(
  {
    text: described(text, "The text above the buttons", "Olá, Maria! Seu bolo está pronto."),
    footer: described(footer, "A line of small print", "Padaria Estrela"),
    header: Type.Optional(described(MenuHeader, "A text or a file above the body")),
    buttons: Type.Array(
      Type.Object(
        {
          id: described(Text(1, 120), "The value that comes back with the answer", "sim"),
          text: described(Text(1, 20), "The text of the button; 1 to 20 characters", "Sim"),
        },
        { title: "ReplyButton" },
      ),
      {
        minItems: 1,
        maxItems: 3,
        description: "Each with an `id` of its own",
      },
    ),
  },
  { title: "ButtonContent" },
);

const Row = Type.Object(
  {
    id: described(Text(1, 200), "The value that comes back with the answer", "cenoura"),
    title: described(Text(1, 24), "The text of the row; 1 to 24 characters", "Cenoura"),
    description: Type.Optional(
      described(Text(0, 72), "A second line of the row; at most 72 characters", "Com chocolate"),
    ),
  },
  { title: "ListRow" },
);
const Section = Type.Object(
  {
    title: described(Text(1, 24), "The title above the rows; 1 to 24 characters", "Bolos"),
    rows: Type.Array(Row, { minItems: 1, maxItems: 10, description: "The rows that can be chosen" }),
  },
  { title: "ListSection" },
);

/** At most ten sections of ten rows. A network with a lower limit refuses the message itself. */
export const ListContent = Type.Object(
  {
    text: described(text, "The text above the button that opens the list", "Olá, Maria! Seu bolo está pronto."),
    footer: described(footer, "A line of small print", "Padaria Estrela"),
    header: Type.Optional(described(TextHeader, "A line above the body")),
    buttonText: described(Text(1, 20), "The label of the button", "Ver cardápio"),
    sections: Type.Array(Section, {
      minItems: 1,
      maxItems: 10,
      description: "The rows in groups; row ids are unique in the whole list",
    }),
  },
  { title: "ListContent" },
);

const Header = Type.Object(HEADER, { title: "CtaUrlHeader" });

export const CtaUrlContent = Type.Object(
  {
    text: described(text, "The text above the button", "Olá, Maria! Seu bolo está pronto."),
    footer: described(footer, "A line of small print", "Padaria Estrela"),
    buttonText: described(Text(1, 20), "The label of the button", "Ver cardápio"),
    url: described(Url(), "The page that the button opens", "https://padaria-estrela.example/eventos"),
    header: Type.Optional(described(Header, "A text or a file above the body")),
  },
  { title: "CtaUrlContent" },
);

/** A text with a button that copies a code. */
export const CopyCodeContent = Type.Object(
  {
    text: described(text, "The text above the button", "Seu cupom de desconto:"),
    footer: described(footer, "A line of small print", "Padaria Estrela"),
    buttonText: described(Text(1, 20), "The label of the button", "Copiar cupom"),
    code: described(Text(1, 100), "The code that the button copies; 1 to 100 characters", "BOLO10"),
    header: Type.Optional(described(MenuHeader, "A text or a file above the body")),
  },
  { title: "CopyCodeContent" },
);

const CardButton = Type.Object(
  {
    type: OneOf(["reply", "url", "copy"], {
      title: "CardButtonType",
      description: "`reply` needs `id`, `url` needs `url`, `copy` needs `code`",
    }),
    text: described(Text(1, 25), "The text of the button; 1 to 25 characters", "Quero este"),
    id: Type.Optional(described(Text(1, 120), "The value that comes back with the answer", "cenoura")),
    url: Type.Optional(described(Url(), "The page that the button opens", "https://padaria-estrela.example/cenoura")),
    code: Type.Optional(described(Text(1, 100), "The code that the button copies", "BOLO10")),
  },
  { title: "CardButton" },
);
const Card = Type.Object(
  {
    header: described(
      Type.Object(
        {
          type: OneOf(["image", "video"], { title: "CardHeaderType", description: "The kind of file" }),
          mediaUrl: described(
            Text(1, 2048),
            "A public HTTPS address of the file",
            "https://padaria-estrela.example/bolo.jpg",
          ),
        },
        { title: "CardHeader" },
      ),
      "The file above the card's text",
    ),
    text: described(Text(1, 160), "The text of the card; 1 to 160 characters", "Bolo de cenoura"),
    footer: described(footer, "A line of small print", "R$ 40,00"),
    buttons: Type.Array(CardButton, { minItems: 1, maxItems: 3, description: "Each reply with an `id` of its own" }),
  },
  { title: "Card" },
);

/** Cards side by side, each with a file and buttons. */
export const CarouselContent = Type.Object(
  {
    text: described(text, "The text above the cards", "Os bolos de hoje:"),
    footer: described(footer, "A line of small print", "Padaria Estrela"),
    cards: Type.Array(Card, { minItems: 2, maxItems: 10, description: "The cards, in their order" }),
  },
  { title: "CarouselContent" },
);
export type CarouselCard = Static<typeof Card>;

export const LocationRequestContent = Type.Object(
  {
    text: described(text, "The text above the button that sends the location", "Olá, Maria! Seu bolo está pronto."),
  },
  { title: "LocationRequestContent" },
);

/** The parts of an address, such as city, state, address, postalCode. */
const AddressParts = Type.Unsafe<Record<string, string>>(Type.Object({}, { additionalProperties: Text(0, 1024) }));

export const AddressContent = Type.Object(
  {
    text: described(text, "The text above the form", "Olá, Maria! Seu bolo está pronto."),
    country: Type.Optional(OneOf(["BR", "IN"], { description: "The country whose form is shown; `BR` by default" })),
    values: Type.Optional(
      described(AddressParts, "Parts of an address that are filled in", { city: "São Paulo", postalCode: "01000-000" }),
    ),
    savedAddresses: Type.Optional(
      Type.Array(
        Type.Object(
          {
            id: described(
              Text(1, 120),
              "The value that comes back when this address is chosen",
              "019a1b2c-3d4e-4f50-8a61-b2c3d4e5f601",
            ),
            value: described(AddressParts, "Parts of the address", { city: "São Paulo" }),
          },
          { title: "SavedAddress" },
        ),
        {
          maxItems: 5,
          description: "Addresses that the person can choose from",
          examples: [[{ id: "casa", value: { city: "São Paulo" } }]],
        },
      ),
    ),
  },
  { title: "AddressContent" },
);

const FlowData = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: Type.Unknown() }));
const FlowPayload = Type.Object(
  {
    screen: described(Text(1, 512), "The screen that opens first", "ENCOMENDA"),
    data: Type.Optional(described(FlowData, "The data for the screen", { sabor: "cenoura" })),
  },
  { title: "FlowPayload" },
);

/**
 * `flowId` is the flow's id at Recado or at the network. The payload names the first screen; it goes with the action
 * navigate.
 */
export const FlowContent = Type.Object(
  {
    text: described(text, "The text above the button", "Olá, Maria! Seu bolo está pronto."),
    footer: described(footer, "A line of small print", "Padaria Estrela"),
    flowId: described(Text(1, 64), "The flow's id here or at the network", "019a1b2c-dddd-4a1d-8b2d-c3dd4de5df01"),
    flowCta: described(Text(1, 20), "The label of the button that opens the flow", "Encomendar"),
    flowAction: Type.Optional(
      OneOf(["navigate", "data_exchange"], { description: "The action of the button; `navigate` by default" }),
    ),
    flowToken: Type.Optional(described(Text(1, 120), "The value that comes back with the answer", "pedido-1042")),
    flowActionPayload: Type.Optional(described(FlowPayload, "The first screen and its data")),
    flowMode: Type.Optional(
      OneOf(["published", "draft"], {
        description: "Whether the draft or the published flow opens; `published` by default",
      }),
    ),
  },
  { title: "FlowContent" },
);

/** A question with 2 to 12 options. `maxSelections`: how many of them a person may choose, default 1. */
export const PollContent = Type.Object(
  {
    question: described(Text(1, 255), "The question of the poll; 1 to 255 characters", "Qual sabor você prefere?"),
    options: Type.Array(Text(1, 100), {
      minItems: 2,
      maxItems: 12,
      description: "The answers that can be chosen; all different",
      examples: [["Cenoura", "Chocolate"]],
    }),
    maxSelections: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 12,
        description: "How many options one person may choose, 1 by default; no more than there are",
      }),
    ),
  },
  { title: "PollContent" },
);

/** A date in a calendar, which people answer. `endsAt` is later than `startsAt`. */
export const EventContent = Type.Object(
  {
    name: described(Text(1, 255), "The name of the event; 1 to 255 characters", "Degustação de bolos"),
    description: Type.Optional(described(Text(0, 2048), "What happens there", "Traga seus amigos.")),
    startsAt: described(DateTime(), "When it begins", "2026-12-05T18:00:00.000Z"),
    endsAt: Type.Optional(described(DateTime(), "When it ends; later than it begins", "2026-12-05T20:00:00.000Z")),
    location: Type.Optional(
      described(
        Type.Object(
          {
            name: Type.Optional(described(Text(0, 120), "The name of the place", "Padaria Estrela")),
            address: Type.Optional(
              described(Text(0, 255), "The postal address of the place", "Rua das Flores, 100, São Paulo"),
            ),
            latitude: Type.Optional(
              Type.Number({
                minimum: -90,
                maximum: 90,
                description: "Degrees north of the equator",
                examples: [-23.55],
              }),
            ),
            longitude: Type.Optional(
              Type.Number({
                minimum: -180,
                maximum: 180,
                description: "Degrees east of Greenwich",
                examples: [-46.63],
              }),
            ),
          },
          { title: "EventLocation" },
        ),
        "Where it takes place",
      ),
    ),
    callLink: Type.Optional(
      described(Url(), "Where people join it from afar", "https://call.whatsapp.com/video/abc123"),
    ),
    extraGuestsAllowed: Type.Optional(
      Type.Boolean({ description: "Whether people may bring others; false by default" }),
    ),
  },
  { title: "EventContent" },
);

export const eventIssues = ({ startsAt, endsAt }: Static<typeof EventContent>): Issue[] =>
  endsAt === undefined || (parseIso(endsAt) ?? 0) > (parseIso(startsAt) ?? 0)
    ? []
    : [issue("content.endsAt", "minimum", "must be later than startsAt")];

/** A reply names its button or row only by id, so ids must be unique. */
const repeatedIds = (named: readonly { id: string; path: string }[]): Issue[] => {
  const seen = new Set<string>();
  return named.flatMap(({ id, path }) =>
    seen.size === seen.add(id).size ? [issue(path, "forbidden", "is the id of another one already")] : [],
  );
};

export const replyIssues = ({ buttons, header }: Static<typeof ButtonContent>, isUrlAllowed: IsUrlAllowed): Issue[] => [
  ...repeatedIds(buttons.map(({ id }, at) => ({ id, path: `content.buttons.${at}.id` }))),
  ...headerIssues(header, isUrlAllowed),
];

/** A vote names its options only by their texts, so they must differ. */
export const pollIssues = ({ options, maxSelections = 1 }: Static<typeof PollContent>): Issue[] => [
  ...options.flatMap((option, at) =>
    options.indexOf(option) === at ? [] : [issue(`content.options.${at}`, "forbidden", "is an option already")],
  ),
  ...(maxSelections > options.length
    ? [issue("content.maxSelections", "maximum", "must not be more than there are options")]
    : []),
];

export const listIssues = ({ sections }: Static<typeof ListContent>): Issue[] =>
  repeatedIds(
    sections.flatMap(({ rows }, section) =>
      rows.map(({ id }, row) => ({ id, path: `content.sections.${section}.rows.${row}.id` })),
    ),
  );

export const ctaUrlIssues = ({ header }: Static<typeof CtaUrlContent>, isUrlAllowed: IsUrlAllowed): Issue[] =>
  headerIssues(header, isUrlAllowed);

export const copyCodeIssues = ({ header }: Static<typeof CopyCodeContent>, isUrlAllowed: IsUrlAllowed): Issue[] =>
  headerIssues(header, isUrlAllowed);

/** TABLE: the field that a button of a card needs. */
const NEEDED = { reply: "id", url: "url", copy: "code" } as const;

export const carouselIssues = ({ cards }: Static<typeof CarouselContent>, isUrlAllowed: IsUrlAllowed): Issue[] => {
  const buttons = cards.flatMap((card, at) =>
    card.buttons.map((one, place) => ({ ...one, path: `content.cards.${at}.buttons.${place}` })),
  );
  return [
    ...cards.flatMap(({ header }, at) =>
      publicUrlIssues(`content.cards.${at}.header.mediaUrl`, header.mediaUrl, isUrlAllowed),
    ),
    ...buttons.flatMap((one) => {
      const field = NEEDED[one.type];
      return one[field] === undefined
        ? [issue(`${one.path}.${field}`, "required", `is required for a button of type ${one.type}`)]
        : [];
    }),
    ...repeatedIds(
      buttons.flatMap(({ type, id, path }) =>
        type === "reply" && id !== undefined ? [{ id, path: `${path}.id` }] : [],
      ),
    ),
  ];
};

const headerIssues = (header: Static<typeof Header> | undefined, isUrlAllowed: IsUrlAllowed): Issue[] => {
  if (!header) return [];
  const field = header.type === "text" ? "text" : "mediaUrl";
  const path = `content.header.${field}`;
  const value = header[field];
  if (value === undefined) return [issue(path, "required", `is required for a header of type ${header.type}`)];
  return field === "text" ? [] : publicUrlIssues(path, value, isUrlAllowed);
};
