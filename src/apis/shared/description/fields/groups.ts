/** Fields of groups. */
export const GROUPS_FIELDS = {
  subject: { description: "The group's name", example: "Clientes da Padaria" },
  joinApprovalMode: { description: "Whether administrators approve who joins", example: "AUTO_APPROVE" },
  inviteLink: {
    description: "Null while the network has given none",
    example: "https://chat.whatsapp.com/Zk3vX9pQ2rT",
  },
  participants: {
    examples: [["5511988887777"], [{ waId: "5511988887777", joinedAt: "2026-11-22T12:00:00.000Z", isAdmin: false }]],
  },
  participantOutcomes: { example: [{ waId: "5511988887777", outcome: "done" }] },
  outcome: { description: "What became of this person", example: "done" },
  waId: { description: "The person's number or id", example: "5511988887777" },
  waIds: { description: "Numbers or ids; at most 50", example: ["5511988887777"] },
  isAdmin: { description: "Whether the person is an administrator of it", example: false },
  rules: {
    description: "What only administrators may do",
    example: { onlyAdminsSend: false, onlyAdminsEdit: true, onlyAdminsAdd: false },
  },
  onlyAdminsSend: { description: "Whether only they write", example: false },
  onlyAdminsEdit: { description: "Whether only they change the group", example: true },
  onlyAdminsAdd: { description: "Whether only they add people", example: false },
  totalParticipantCount: { description: "How many people it has", example: 12 },
  upstreamGroupId: { description: "The network's id of the group", example: "120363000000000001@g.us" },
  joinRequestId: { example: "jr_1042" },
  joinRequestIds: { example: ["jr_1042"] },
  approved: { description: "Ids of the requests that were approved", example: ["jr_1042"] },
  rejected: { description: "Ids of the requests that were rejected", example: ["jr_1042"] },
} as const;
