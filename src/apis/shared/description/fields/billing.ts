/** Fields of usage, plans, charges and invoices. */
export const BILLING_FIELDS = {
  period: { example: { from: "2026-11-01T00:00:00.000Z", to: "2026-12-01T00:00:00.000Z" } },
  activePhones: { example: 1 },
  breakdown: {
    examples: [
      {
        SESSION: { sent: 100, received: 95 },
        WABA: { sent: 20, received: 0, conversations: { UTILITY: 20 } },
        SOCIAL: { sent: 0, received: 0 },
      },
      { messages: 6000, phoneMonths: 4000, wabaPassthrough: 2990 },
    ],
  },
  networkCharges: {
    example: [{ category: "UTILITY", state: "DUE", currency: "BRL", count: 20, amountMicros: 800000 }],
  },
  reported: { examples: [[], 20] },
  differences: { description: "Where the network counts otherwise than Recado", example: [] },
  byCountry: { example: [{ country: "BR", count: 1, amountMicros: 40000 }] },
  isCharged: { example: true },
  paidAt: { description: "Null while it is not paid", example: "2026-11-22T12:00:00.000Z" },
  kind: { description: "How the plan bills", example: "pay_as_you_go" },
  dunningStage: { description: "How late the account pays", example: "NONE" },
} as const;
