/** Fields that the platform API alone has. */
export const PLATFORM_FIELDS = {
  user: { example: { id: "019a1b2c-7777-4a17-8b27-c37d47e57f01", name: "Maria Souza", email: "maria@example.com" } },
  institution: { example: { id: "019a1b2c-8888-4a18-8b28-c38d48e58f01", name: "Padaria Estrela" } },
  institutions: { example: [{ id: "019a1b2c-8888-4a18-8b28-c38d48e58f01", name: "Padaria Estrela" }] },
  isCurrent: { description: "Whether it is the session of this request", example: true },
  environment: { description: "`test`: nothing reaches a network", example: "live" },
  lastMessageAt: { example: "2026-11-22T12:00:00.000Z" },
  assignedUserId: { description: "The member who answers; null: nobody", example: null },
  transferNote: { example: null },
  media: { example: null },
  waitingSince: { example: null },
  startsAt: { example: null },
  pausedAt: { example: null },
  invalid: { description: "Numbers that cannot be written to", example: [{ number: "123", reason: "invalid_format" }] },
} as const;
