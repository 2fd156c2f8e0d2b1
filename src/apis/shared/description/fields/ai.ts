/** Fields of agents, knowledge and calls of language models. */
export const AI_FIELDS = {
  messages: {
    examples: [
      [
        { from: "user", text: "Vocês abrem no domingo?" },
        { from: "assistant", text: "Sim, das 7h às 13h." },
      ],
      120,
    ],
  },
  format: { description: "How the other program stores it", examples: ["bullet", "baileys"] },
  summary: { description: "In the language asked for", example: "Maria pergunta pelo horário de domingo." },
  keyTopics: { description: "What the chat is about", example: ["horário"] },
  openQuestions: { description: "What nobody has answered yet", example: ["Aceitam encomendas?"] },
  usage: { example: { promptTokens: 120, completionTokens: 40 } },
  promptTokens: { description: "Tokens that went to the model", example: 120 },
  completionTokens: { description: "Tokens that the model wrote", example: 40 },
  alternatives: {
    description: "Other categories, likeliest first",
    example: [{ category: "reclamação", confidence: 0.1 }],
  },
  confidence: { description: "How sure the model is, from 0 to 1", example: 0.9 },
  rationale: { description: "Why, in the model's words", example: "Pede dois bolos." },
  source: { description: "Which of `url`, `text` and `objectKey` is given", example: "URL" },
  sourceRef: { example: "https://padaria-estrela.example/cardapio" },
  withKnowledge: { example: true },
  passages: {
    example: [
      {
        id: "019a1b2c-3333-4a13-8b23-c33d43e53f01",
        documentId: "019a1b2c-4444-4a14-8b24-c34d44e54f01",
        title: "Horários",
        text: "Domingo: das 7h às 13h.",
        similarity: 0.82,
      },
    ],
  },
  similarity: { example: 0.82 },
  documentId: { description: "The document of the agent", example: "019a1b2c-4444-4a14-8b24-c34d44e54f01" },
  documentCount: { example: 3 },
  chunkCount: { description: "Into how many pieces it was cut", example: 12 },
  errorReason: { example: null },
  enabled: { description: "Whether the agent begins conversations; true by default", example: true },
  systemPrompt: {
    description: "Who the agent is and how it answers",
    example: "Você atende os clientes da Padaria Estrela, em São Paulo.",
  },
  systemPromptOverride: {
    description: "In place of the agent's prompt, for this test alone",
    example: "Você atende os clientes da Padaria Estrela. Responda com uma frase.",
  },
  greeting: {
    description: "Sent before the first answer to a contact; null: none",
    example: "Olá! Aqui é a Padaria Estrela.",
  },
  contextWindowTurns: { description: "How many last turns the model sees; 10 by default", example: 10 },
  conversationTtlDays: {
    description: "Days without a turn after which a conversation closes; 30 by default",
    example: 30,
  },
  ragTopK: { description: "How many pieces of knowledge an answer may use; 4 by default", example: 4 },
  handoffRules: {
    description: "When a person goes on with a conversation",
    example: { keywords: ["atendente"], afterTurns: 20 },
  },
  keywords: { description: "Any of them in the last message hands the conversation over", example: ["atendente"] },
  afterTurns: { description: "After so many turns; null: never", example: 20 },
  budget: { example: { dailyTokensPerContact: 20000, dailyTokens: 1000000 } },
  dailyTokens: { description: "Tokens per UTC day in all; null is the server's default", example: 1000000 },
  dailyTokensPerContact: {
    description: "Tokens per UTC day for one contact; null is the server's default",
    example: 20000,
  },
  contactKey: { description: "The contact's canonical key", example: "pn:5511988887777" },
  turnCount: { description: "How many turns it has", example: 4 },
  handoffAt: { description: "When a person took it over; null before", example: null },
  handoffReason: { description: "Why; null before", example: null },
  lastTurnAt: { description: "Null before the first turn", example: "2026-11-22T12:00:00.000Z" },
  closedAt: { description: "Null while it is open", example: null },
  chatMessageId: { example: null },
  sentMessageId: {
    description: "The agent's message that was sent; null for others",
    example: "019a1b2c-2222-4a12-8b22-c32d42e52f01",
  },
  retrievedChunkIds: { description: "The pieces of knowledge that the answer used", example: [] },
  tokensEstimate: { description: "About how many tokens the turn has", example: 12 },
  baseUrl: {
    description: "Where the provider's API is; null is the server's default",
    example: "https://api.openai.com/v1",
  },
  configured: { example: true },
  keyHint: { example: "1234" },
  defaultModel: {
    description: "For chats, where none is named; null is the server's default",
    example: "gpt-4.1-mini",
  },
  embeddingModel: { description: "For knowledge; null is the server's default", example: "text-embedding-3-small" },
} as const;
