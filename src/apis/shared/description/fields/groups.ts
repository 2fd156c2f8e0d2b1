/** Fields of groups. */
export const GROUPS_FIELDS = {
  joinApprovalMode: { description: "Whether administrators approve who joins", example: "AUTO_APPROVE" },
  participants: {
    examples: [["5511988887777"], [{ waId: "5511988887777", joinedAt: "2026-11-22T12:00:00.000Z", isAdmin: false }]],
  },
  outcome: { description: "What became of this person", example: "done" },
} as const;
