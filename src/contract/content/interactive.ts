import { type Static, Type } from "@sinclair/typebox";
import { FileName, type Issue, issue, OneOf, Text, Url } from "../../kernel/schema.ts";
import { type IsUrlAllowed, publicUrlIssues } from "../ports/public-url.ts";

const text = Text(1, 1024);
const footer = Type.Optional(Text(0, 60));

/** `text` goes with the type text, `mediaUrl` with the others. `filename` is the shown name of a document. */
const HEADER = {
  type: OneOf(["text", "image", "video", "document"]),
  text: Type.Optional(Text(1, 60)),
  mediaUrl: Type.Optional(Text(1, 2048)),
  filename: Type.Optional(FileName()),
};
/** What stands above the text of buttons. A network that has no room for it puts it before the text. */
const MenuHeader = Type.Object(HEADER, { title: "MenuHeader" });
const TextHeader = Type.Object({ type: OneOf(["text"]), text: Text(1, 60) }, { title: "TextHeader" });

export const ButtonContent = Type.Object(
  {
    text,
    footer,
    header: Type.Optional(MenuHeader),
    buttons: Type.Array(Type.Object({ id: Text(1, 120), text: Text(1, 20) }, { title: "ReplyButton" }), {
      minItems: 1,
      maxItems: 3,
    }),
  },
  { title: "ButtonContent" },
);

const Row = Type.Object(
  { id: Text(1, 200), title: Text(1, 24), description: Type.Optional(Text(0, 72)) },
  { title: "ListRow" },
);
const Section = Type.Object(
  { title: Text(1, 24), rows: Type.Array(Row, { minItems: 1, maxItems: 10 }) },
  { title: "ListSection" },
);

/** At most ten sections of ten rows. A network with a lower limit refuses the message itself. */
export const ListContent = Type.Object(
  {
    text,
    footer,
    header: Type.Optional(TextHeader),
    buttonText: Text(1, 20),
    sections: Type.Array(Section, { minItems: 1, maxItems: 10 }),
  },
  { title: "ListContent" },
);

const Header = Type.Object(HEADER, { title: "CtaUrlHeader" });

export const CtaUrlContent = Type.Object(
  {
    text,
    footer,
    buttonText: Text(1, 20),
    url: Url(),
    header: Type.Optional(Header),
  },
  { title: "CtaUrlContent" },
);

export const LocationRequestContent = Type.Object({ text }, { title: "LocationRequestContent" });

/** The parts of an address, such as city, state, address, postalCode. */
const AddressParts = Type.Unsafe<Record<string, string>>(Type.Object({}, { additionalProperties: Text(0, 1024) }));

export const AddressContent = Type.Object(
  {
    text,
    country: Type.Optional(OneOf(["BR", "IN"])),
    values: Type.Optional(AddressParts),
    savedAddresses: Type.Optional(
      Type.Array(Type.Object({ id: Text(1, 120), value: AddressParts }, { title: "SavedAddress" }), { maxItems: 5 }),
    ),
  },
  { title: "AddressContent" },
);

const FlowData = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: Type.Unknown() }));
const FlowPayload = Type.Object({ screen: Text(1, 512), data: Type.Optional(FlowData) }, { title: "FlowPayload" });

/**
 * `flowId` is the flow's id at Recado or at the network. The payload names the first screen; it goes with the action
 * navigate.
 */
export const FlowContent = Type.Object(
  {
    text,
    footer,
    flowId: Text(1, 64),
    flowCta: Text(1, 20),
    flowAction: Type.Optional(OneOf(["navigate", "data_exchange"])),
    flowToken: Type.Optional(Text(1, 120)),
    flowActionPayload: Type.Optional(FlowPayload),
    flowMode: Type.Optional(OneOf(["published", "draft"])),
  },
  { title: "FlowContent" },
);

/** A question with 2 to 12 options. `maxSelections`: how many of them a person may choose, default 1. */
export const PollContent = Type.Object(
  {
    question: Text(1, 255),
    options: Type.Array(Text(1, 100), { minItems: 2, maxItems: 12 }),
    maxSelections: Type.Optional(Type.Integer({ minimum: 1, maximum: 12 })),
  },
  { title: "PollContent" },
);

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

const headerIssues = (header: Static<typeof Header> | undefined, isUrlAllowed: IsUrlAllowed): Issue[] => {
  if (!header) return [];
  const field = header.type === "text" ? "text" : "mediaUrl";
  const path = `content.header.${field}`;
  const value = header[field];
  if (value === undefined) return [issue(path, "required", `is required for a header of type ${header.type}`)];
  return field === "text" ? [] : publicUrlIssues(path, value, isUrlAllowed);
};
