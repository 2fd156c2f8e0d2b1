import { type Static, Type } from "@sinclair/typebox";
import { FileName, type Issue, issue, OneOf, Text } from "../../kernel/schema.ts";
import { type IsUrlAllowed, publicUrlIssues } from "../ports/public-url.ts";

const Button = Type.Object(
  {
    subType: Type.Optional(OneOf(["url", "copy_code", "quick_reply"])),
    index: Type.Optional(Type.Integer({ minimum: 0, maximum: 9 })),
    parameters: Type.Array(Text(1, 2000), { minItems: 1, maxItems: 3 }),
  },
  { title: "TemplateButton" },
);

/** `filename` is the shown name of a document. */
const HeaderMedia = Type.Object(
  {
    type: OneOf(["image", "video", "document"]),
    url: Text(1, 2048),
    filename: Type.Optional(FileName()),
  },
  { title: "TemplateHeaderMedia" },
);

const NamedVariables = Type.Unsafe<Record<string, string>>(
  Type.Record(Type.String({ pattern: "^[a-z0-9_]{1,100}$" }), Text(0, 4096), {
    additionalProperties: false,
    maxProperties: 100,
  }),
);

/** A template by its name, with the values of its variables, header and buttons. */
export const TemplateContent = Type.Object(
  {
    name: Text(1, 512),
    language: Type.Optional(Text(2, 20)),
    variables: Type.Optional(Type.Array(Text(0, 4096), { maxItems: 100 })),
    /** The values of named variables, of a template with `parameterFormat` NAMED. */
    namedVariables: Type.Optional(NamedVariables),
    headerMedia: Type.Optional(HeaderMedia),
    /** The value of the variable in a header that is a text. */
    headerText: Type.Optional(Text(1, 60)),
    buttons: Type.Optional(Type.Array(Button, { maxItems: 10 })),
  },
  { title: "TemplateContent" },
);

/** The template of a batch. Its values may hold variables, which each recipient's values fill. */
export type BatchTemplate = Static<typeof TemplateContent>;

export const templateIssues = (
  { headerMedia, headerText, variables, namedVariables }: Static<typeof TemplateContent>,
  isUrlAllowed: IsUrlAllowed,
): Issue[] => [
  ...(headerMedia ? publicUrlIssues("content.headerMedia.url", headerMedia.url, isUrlAllowed) : []),
  ...(headerMedia && headerText !== undefined
    ? [issue("content.headerText", "forbidden", "cannot be given beside headerMedia")]
    : []),
  ...(variables && namedVariables
    ? [issue("content.namedVariables", "forbidden", "cannot be given beside variables")]
    : []),
];
