/** Fields of agents, knowledge and calls of language models. */
export const AI_FIELDS = {
  usage: { example: { promptTokens: 120, completionTokens: 40 } },
  alternatives: {
    description: "Other categories, likeliest first",
    example: [{ category: "reclamação", confidence: 0.1 }],
  },
  source: { description: "Which of `url`, `text` and `objectKey` is given", example: "URL" },
  errorReason: { example: null },
  enabled: { description: "Whether the agent begins conversations; true by default", example: true },
  handoffRules: {
    description: "When a person goes on with a conversation",
    example: { keywords: ["atendente"], afterTurns: 20 },
  },
  budget: { example: { dailyTokensPerContact: 20000, dailyTokens: 1000000 } },
  contactKey: { description: "The contact's canonical key", example: "pn:5511988887777" },
  handoffAt: { description: "When a person took it over; null before", example: null },
  handoffReason: { description: "Why; null before", example: null },
  closedAt: { description: "Null while it is open", example: null },
  configured: { example: true },
} as const;
