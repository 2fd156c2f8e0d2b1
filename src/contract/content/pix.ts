import { type Static, Type } from "@sinclair/typebox";
import { isPixText, PIX_LIMITS, PIX_MOST_CENTS, pixCodeAmount, pixKeyIn } from "../../kernel/numbers/brazil.ts";
import { described, type Issue, issue, Text } from "../../kernel/schema.ts";

/**
 * A charge by Pix. No network has this content type: Recado turns it into an order or a text, whichever the channel
 * sends.
 */
export const PixContent = Type.Object(
  {
    amountCents: Type.Integer({
      minimum: 1,
      maximum: PIX_MOST_CENTS,
      description: "The sum in cents of BRL",
      examples: [12990],
    }),
    key: described(
      Text(1, 77),
      "Where the money goes: a CPF, a CNPJ, a mail address, a mobile number with +55, or a random key",
      "financeiro@padaria-estrela.example",
    ),
    merchantName: described(Text(1, 60), "The receiver, at most 25 Latin characters", "Padaria Estrela"),
    merchantCity: Type.Optional(
      described(Text(1, 60), "The receiver's city, at most 15 Latin characters; not needed with `code`", "Recife"),
    ),
    txid: described(
      Type.String({
        pattern: `^[A-Za-z0-9]{1,${PIX_LIMITS.txid}}$`,
        description: `must be 1 to ${PIX_LIMITS.txid} letters and digits`,
        examples: ["pedido123"],
      }),
      "The charge's own id, 1 to 25 letters and digits; the receiver's bank names it beside the payment",
    ),
    code: Type.Optional(
      described(
        Text(1, 512),
        "The code that the receiver's bank made for this charge; without it, Recado makes a code for `key`",
        "00020126560014br.gov.bcb.pix0134financeiro@padaria-estrela.example5204000053039865406129.905802BR5915Padaria Estrela6006Recife62130509pedido12363042689",
      ),
    ),
    text: Type.Optional(described(Text(1, 1024), "The text before the charge", "Seu pedido 123")),
  },
  { title: "PixContent" },
);
export type PixCharge = Static<typeof PixContent>;

/** The rules of a Pix code that the schema cannot express. */
export const pixIssues = ({ key, merchantName, merchantCity, code, amountCents }: PixCharge): Issue[] => [
  ...(pixKeyIn(key)
    ? []
    : [
        issue(
          "content.key",
          "format",
          "must be a CPF, a CNPJ, a mail address, a mobile number with +55, or a random key",
        ),
      ]),
  ...plain("content.merchantName", merchantName, PIX_LIMITS.name),
  ...(merchantCity === undefined ? [] : plain("content.merchantCity", merchantCity, PIX_LIMITS.city)),
  ...(code === undefined && merchantCity === undefined
    ? [issue("content.merchantCity", "required", "is required without code")]
    : []),
  ...(code === undefined ? [] : codeIssues(code, amountCents)),
];

const plain = (path: string, text: string, most: number): Issue[] =>
  isPixText(text, most) ? [] : [issue(path, "maxLength", `must have 1 to ${most} Latin characters`)];

const codeIssues = (code: string, amountCents: number): Issue[] => {
  const amount = pixCodeAmount(code);
  if (amount === undefined) return [issue("content.code", "format", "must be a whole Pix code (copia e cola)")];
  return amount === null || amount === amountCents
    ? []
    : [issue("content.amountCents", "forbidden", `must be ${amount}, the amount of the code`)];
};
