/** Fields of what events say. */
export const HAPPENINGS_FIELDS = {
  "AgentBudgetExhausted.budget": { description: "Whose budget is used up", example: "contact" },
  "AgentDocumentChange.status": { description: "READY: it is learnt and answers use it", example: "READY" },
  "AgentDocumentChange.errorReason": { description: "A code and a few words; null when it is learnt", example: null },
  "GroupLifecycle.action": { description: "What became of the group", example: "created" },
  "GroupParticipantsChange.action": { description: "What became of these people", example: "join" },
  "GroupStatusChange.status": { description: "SUSPENDED: nothing can be sent to it", example: "ACTIVE" },
  "SyncedContact.action": { description: "Whether the app has it now, or had it", example: "add" },
} as const;
