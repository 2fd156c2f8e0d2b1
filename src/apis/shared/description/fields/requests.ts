/** Fields that are something else in one request: `Title.field` wins over the plain name. */
export const REQUESTS_FIELDS = {
  "SummariseRequest.messages": {
    description: "The chat, oldest first; not all blank",
    example: [
      { from: "user", text: "Vocês abrem no domingo?" },
      { from: "assistant", text: "Sim, das 7h às 13h." },
    ],
  },
  "CreateGatewayKeyRequest.readOnly": { description: "The key reads, and changes nothing", example: false },
  "CreateGatewayKeyRequest.allowedAddresses": {
    description: "IP addresses and CIDRs from which alone the key may be used; none: from anywhere",
    example: ["203.0.113.0/24"],
  },
  "CreateGatewayKeyRequest.scopes": {
    description: "What the key is limited to, as the gateway API names it; none: everything",
    example: ["messages.write"],
  },
  "JoinAccountRequest.code": { description: "The code that a key of the account made" },
  "CreateWebhookRequest.url": {
    description: "A public HTTPS address, or that of a message broker",
    example: "https://padaria-estrela.example/eventos",
  },
  "UpdateWebhookRequest.url": {
    description: "A public HTTPS address, or that of a message broker",
    example: "https://padaria-estrela.example/eventos",
  },
  "ReplaceWebhookRequest.url": {
    description: "A public HTTPS address, or that of a message broker",
    example: "https://padaria-estrela.example/eventos",
  },
  "CreateApiKeyRequest.expiresAt": {
    description: "In the future; never by default",
    example: "2027-11-22T12:00:00.000Z",
  },
  "CreateGatewayKeyRequest.expiresAt": {
    description: "In the future; never by default",
    example: "2027-11-22T12:00:00.000Z",
  },
  "AcceptInvitationRequest.token": { description: "The token of the mailed link", example: "Zk3vX9pQ2rT7wL5m" },
  "JoinRequest.token": { description: "The token of the mailed link", example: "Zk3vX9pQ2rT7wL5m" },
  "VerifyEmailRequest.token": { description: "The token of the mailed link", example: "Zk3vX9pQ2rT7wL5m" },
  "ResetPasswordRequest.token": { description: "The token of the mailed link", example: "Zk3vX9pQ2rT7wL5m" },
  "CreateContactRequest.name": { example: "Maria Souza" },
  "RegisterRequest.name": { example: "Maria Souza" },
  "JoinRequest.name": { example: "Maria Souza" },
  "CreateApiKeyRequest.name": { example: "Integração do site" },
  "CreateBatchRequest.name": { description: "A name for the institution's own people", example: "Promoção de sábado" },
  "AddBatchRecipientsRequest.recipients": {
    description: "Numbers, or `{to, variables}`; at most 1,000",
    example: [{ to: "5511988887777", variables: { nome: "Maria" } }],
  },
  "CreateBatchRequest.recipients": {
    description: "Numbers, or `{to, variables}`",
    example: [{ to: "5511988887777", variables: { nome: "Maria" } }],
  },
  "CreateChannelRequest.history": {
    description: "How much of earlier chats is taken over, `none` by default; CHAT_SESSION only",
    example: "none",
  },
  "AssignConversationRequest.userId": {
    description: "A member; null: nobody",
    example: "019a1b2c-7777-4a17-8b27-c37d47e57f01",
  },
  "TransferConversationRequest.userId": {
    description: "The member who takes over",
    example: "019a1b2c-7777-4a17-8b27-c37d47e57f01",
  },
  "ChangeConversationControlRequest.action": { description: "`pass` needs `targetRole`", example: "pass" },
  "SimulateStatusRequest.status": { description: "The next status", example: "delivered" },
  "SendGroupMessageRequest.type": { description: "As the network names it", example: "text" },
  "CreateApiKeyRequest.environment": {
    description: "`live` by default; with `test` nothing reaches a network",
    example: "live",
  },
} as const;
