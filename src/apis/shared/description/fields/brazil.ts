/** The fields of a charge, which the body of the gateway has in its content, and that of the platform itself. */
const PIX = {
  key: {
    description: "Where the money goes: a CPF, a CNPJ, a mail address, a mobile number with +55, or a random key",
    example: "financeiro@padaria-estrela.example",
  },
  merchantName: { description: "The receiver, at most 25 Latin characters", example: "Padaria Estrela" },
  code: {
    description: "The code that the receiver's bank made for this charge; without it one to `key` is made",
    example:
      "00020126560014br.gov.bcb.pix0134financeiro@padaria-estrela.example5204000053039865406129.905802BR5915Padaria Estrela6006Recife62130509pedido12363042689",
  },
  text: { description: "What is written before it", example: "Seu pedido 123" },
};

const of = (title: string, fields: object): Record<string, object> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [`${title}.${name}`, field]));

/** What the description says of charges by Pix and of business hours. */
export const BRAZIL_FIELDS = {
  ...of("PixContent", PIX),
  ...of("SendPixRequest", PIX),
  opensAt: { example: "2026-11-23T12:00:00.000Z" },
};
