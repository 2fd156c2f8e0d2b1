/** Fields that are something else in one request: `Title.field` wins over the plain name. */
export const REQUESTS_FIELDS = {
  "SummariseRequest.messages": {
    description: "The chat, oldest first; not all blank",
    example: [
      { from: "user", text: "Vocês abrem no domingo?" },
      { from: "assistant", text: "Sim, das 7h às 13h." },
    ],
  },
  "AddBatchRecipientsRequest.recipients": {
    description: "Numbers, or `{to, variables}`; at most 1,000",
    example: [{ to: "5511988887777", variables: { nome: "Maria" } }],
  },
  "CreateBatchRequest.recipients": {
    description: "Numbers, or `{to, variables}`",
    example: [{ to: "5511988887777", variables: { nome: "Maria" } }],
  },
  "ChangeConversationControlRequest.action": { description: "`pass` needs `targetRole`", example: "pass" },
  "SendGroupMessageRequest.type": { description: "As the network names it", example: "text" },
} as const;
