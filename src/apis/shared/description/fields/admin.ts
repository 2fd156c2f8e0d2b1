/** Fields of administration, keys and the server's own state. */
export const ADMIN_FIELDS = {
  limitedTo: { example: null },
  revokedAt: { description: "Null while the key is valid", examples: [null, "2026-11-22T12:00:00.000Z"] },
  lastUsedAt: { description: "Null: never", examples: [null, "2026-11-22T12:00:00.000Z"] },
  accounts: { example: { total: 2, suspended: 0 } },
  phones: { example: { total: 3, connected: 2 } },
  invoices: { example: { unpaid: 1 } },
  jobs: { example: { waiting: 12 } },
  today: { description: "Messages since midnight in UTC", example: { sent: 120, received: 95 } },
  oldServerStopped: { example: true },
  hasPassword: { description: "Whether the operator has chosen a password yet", example: true },
  hasSecondStep: { description: "Whether signing in takes a code or a passkey too", example: true },
  checks: { example: { database: "ok", cache: "ok", storage: "ok" } },
  now: { description: "The time that the test clock shows", example: "2026-11-22T12:00:00.000Z" },
  advanceMs: { description: "Milliseconds; none moves nothing", example: 60000 },
  subidoEm: { description: "When it was started", example: "2026-11-22T12:00:00.000Z" },
} as const;
