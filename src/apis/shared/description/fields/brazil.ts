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
  amountCents: { description: "In cents of BRL", example: 12_990 },
  merchantCity: {
    description: "The receiver's city, at most 15 Latin characters; not needed with `code`",
    example: "Recife",
  },
  txid: {
    description: "The charge's own id: the receiver's bank names it beside the payment",
    example: "pedido123",
  },
  ...of("PixContent", PIX),
  ...of("SendPixRequest", PIX),
  timeZone: { description: "Of the IANA database", example: "America/Sao_Paulo" },
  weekly: {
    description: "The times of each weekday, four at most; a day without times is closed",
    example: {
      monday: [{ from: "09:00", to: "18:00" }],
      saturday: [{ from: "09:00", to: "12:00" }],
    },
  },
  holidays: {
    description:
      "On which of Brazil's holidays it is closed. NATIONAL: those by law, Good Friday included; AND_OPTIONAL: Carnival's " +
      "Tuesday and Corpus Christi too",
    example: "NATIONAL",
  },
  dates: {
    description: "Days with times of their own, before the week and the holidays; without times closed",
    example: [{ date: "2026-12-24", times: [{ from: "09:00", to: "12:00" }] }],
  },
  "OpeningTimes.from": { description: "When it opens", example: "09:00" },
  "OpeningTimes.to": {
    description: "When it closes; a time that is not later than `from` is that of the next day",
    example: "18:00",
  },
  isOpen: { example: false },
  opensAt: { example: "2026-11-23T12:00:00.000Z" },
  "BusinessHours.source": {
    description: "CHANNEL: the phone's own; ACCOUNT: the account's; NONE: nobody set any",
    example: "ACCOUNT",
  },
  "BusinessHours.hours": { description: "Null without hours" },
  respectHours: { description: "Whether business hours count for it" },
  closedText: {
    description: "What is sent outside business hours, once per chat and day; null: nothing",
    example: "Estamos fechados. Voltamos às 9h.",
  },
};
