/** Fields of messages, templates, flows, files and lookups. */
export const MESSAGES_FIELDS = {
  content: { examples: [{ text: "Olá, Maria! Seu bolo está pronto." }, "Vocês abrem no domingo?"] },
  readAt: { description: "When it was read; null before", example: null },
  failedReason: { description: "`[CODE]` and why it failed; null otherwise", example: null },
  failedAt: { description: "When it failed; null otherwise", example: null },
  contacts: {
    examples: [
      [{ name: "Maria Souza", phone: "5511988887777" }],
      true,
      { ok: true, flagPersisted: true, requestId: "req_1" },
    ],
  },
  sections: {
    description: "Row ids are unique in the whole list",
    example: [{ title: "Bolos", rows: [{ id: "cenoura", title: "Cenoura", description: "Com chocolate" }] }],
  },
  totalAmount: { description: "Subtotal, tax and shipping, less the discount", example: { value: 5000, offset: 100 } },
  subtotal: { description: "The sum of the items", example: { value: 5000, offset: 100 } },
  payments: {
    description: "Each needs the fields of its `type`",
    example: [
      {
        type: "pix_dynamic_code",
        code: "00020126580014br.gov.bcb.pix",
        merchantName: "Padaria Estrela",
        key: "12345678000195",
        keyType: "CNPJ",
      },
    ],
  },
  key: { examples: ["12345678000195", "ak_live_Zk3vX9pQ2rT7wL5m"] },
  payload: {
    examples: [
      {
        phoneId: "019a1b2c-1111-4a11-8b21-c31d41e51f01",
        to: "5511988887777",
        type: "text",
        content: { text: "Olá, Maria! Seu bolo está pronto." },
      },
      { body: "Amanhã abrimos às 9h." },
      "CARDAPIO",
    ],
  },
  cached: { description: "All numbers were known", example: true },
  components: {
    example: [
      { type: "BODY", text: "Olá, {{1}}! O pedido {{2}} está pronto.", example: { body_text: [["Maria", "1042"]] } },
    ],
  },
  ackedAt: { description: "When the file was taken; null before", example: null },
  handle: { description: "For the example of a template's header, or to send", example: "4::aW1hZ2UvanBlZw==:ARZ9x" },
  uploadedAt: { description: "When the network got it", example: "2026-11-22T12:00:00.000Z" },
} as const;
