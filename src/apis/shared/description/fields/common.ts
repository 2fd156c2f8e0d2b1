/** Fields that are everywhere. */
export const COMMON_FIELDS = {
  id: { example: "019a1b2c-3d4e-4f50-8a61-b2c3d4e5f601" },
  name: { examples: ["Padaria Estrela", "confirmacao_pedido"] },
  type: { examples: ["text", "BODY", "pn", "message:received"] },
  status: { examples: ["CONNECTED", "ACTIVE", "NONE"] },
  state: { examples: ["composing", "DUE", "active", "a3f9c2d17b604e58"] },
  message: {
    examples: [
      "Vocês abrem no domingo?",
      { type: "WA_EMBEDDED_SIGNUP", event: "FINISH", data: { waba_id: "1029384756", phone_number_id: "5647382910" } },
    ],
  },
  code: { examples: ["AQBx7f3kLm", "123456", "ABCD1234", "plano_padaria", 131047] },
  error: { description: "Why, in the words of the other side", examples: ["HTTP 503", "UPSTREAM_REFUSED", null] },
  limit: { examples: [20, 250] },
  createdAt: { example: "2026-11-22T12:00:00.000Z" },
  updatedAt: { example: "2026-11-22T12:00:00.000Z" },
  finishedAt: { description: "When it ended; null before", example: "2026-11-22T12:05:00.000Z" },
  deletedAt: { description: "When it was deleted; null before", example: null },
  since: { description: "Since when", example: "2026-11-22T12:00:00.000Z" },
  at: { example: "2026-11-22T12:00:00.000Z" },
  deleted: { example: true },
  sent: { examples: [120, [{ way: "mail", isSent: true, reason: null }]] },
  received: { examples: [true, 95] },
  pending: {
    examples: [
      3,
      { action: "DISCONNECT_IN_BUSINESS_APP", reason: "The owner has to disconnect the number in the business app." },
    ],
  },
  failed: { examples: [1, []] },
  to: { examples: ["5511988887777", "2026-11-30T23:59:59.999Z", ["5511988887777"]] },
} as const;
