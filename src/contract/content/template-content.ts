import { type Static, Type } from "@sinclair/typebox";
import { described, FileName, type Issue, issue, OneOf, Text } from "../../kernel/schema.ts";
import { type IsUrlAllowed, publicUrlIssues } from "../ports/public-url.ts";

const Button = Type.Object(
  {
    subType: Type.Optional(
      OneOf(["url", "copy_code", "quick_reply"], { description: "The action of the button; `url` by default" }),
    ),
    index: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 9, description: "The button's place among all, from 0", examples: [0] }),
    ),
    parameters: Type.Array(Text(1, 2000), {
      minItems: 1,
      maxItems: 3,
      description: "Values, percent-encoded if they are part of a URL",
      examples: [["pedidos/1042"]],
    }),
  },
  { title: "TemplateButton" },
);

/** `filename` is the shown name of a document. */
const HeaderMedia = Type.Object(
  {
    type: OneOf(["image", "video", "document"], { description: "The kind of file" }),
    url: described(Text(1, 2048), "The address of the header's file", "https://padaria-estrela.example/eventos"),
    filename: Type.Optional(
      described(FileName(), "The shown name: the name of a file alone, without folders", "cardapio.pdf"),
    ),
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
    name: described(Text(1, 512), "The name of an approved template", "confirmacao_pedido"),
    language: Type.Optional(described(Text(2, 20), "The language of the template; pt_BR by default", "pt_BR")),
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
    /** The value of the variable in a header that is a text. */
    headerText: Type.Optional(
      described(
        Text(1, 60),
        "The value of the variable in a text header, in place of `headerMedia`",
        "Padaria Estrela",
      ),
    ),
    buttons: Type.Optional(
      Type.Array(Button, {
        maxItems: 10,
        description: "The values of the buttons, if the template has variables in them",
      }),
    ),
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
