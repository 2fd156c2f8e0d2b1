/** Fields of phones and channels, and of what their networks offer. */
export const CHANNELS_FIELDS = {
  sharedWebhookId: { description: "The linked shared webhook; null for none", example: null },
  disconnectedAt: { description: "Since when it is not connected; null while it is", example: null },
  stateReason: { example: null },
  restriction: { example: null },
  allows: { description: "`replies`: only answers may be sent", example: "replies" },
  templatesAsText: {
    description: "Whether templates are sent as their text where the phone's network has none",
    example: true,
  },
  history: { examples: ["none", true, { ok: true, flagPersisted: true, requestId: "req_2" }] },
  registration: {
    description: "What became of the number's registration",
    example: { ok: true, coexistence: true, reconnected: false, platformType: "CLOUD_API", reason: "COEXISTENT" },
  },
  sync: {
    description: "For coexistence: what the business app sends",
    examples: [
      { contacts: true, history: true },
      {
        contacts: { ok: true, flagPersisted: true, requestId: "req_1" },
        history: { ok: true, flagPersisted: true, requestId: "req_2" },
      },
    ],
  },
  requestId: { description: "The network's id of the request; null where none was made", example: "req_1" },
  step: { description: "Where the owner left the window", example: null },
  result: { description: "What became of the sign-up", example: "FINISHED" },
  isCoexistent: { description: "Whether the number stays in the business app too", example: true },
  action: { examples: ["DISCONNECT_IN_BUSINESS_APP", "pass", "account.create"] },
  hint: { example: { code: "SCAN_AGAIN", en: "Scan the code once more.", pt: "Leia o código mais uma vez." } },
  bsuid: { description: "The business-scoped user id; null unknown", example: null },
  parentBsuid: { description: "The user id for the whole portfolio; null unknown", example: null },
  heldBy: { description: "Which other app leads the conversation; null: none", example: null },
  iceBreakers: {
    example: [{ locale: "default", questions: [{ question: "Vocês abrem no domingo?", payload: "DOMINGO" }] }],
  },
  menu: { example: [{ locale: "default", items: [{ type: "postback", title: "Cardápio", payload: "CARDAPIO" }] }] },
  isReached: { example: true },
  network: {
    example: {
      status: "NONE",
      total: 250,
      used: 12,
      cycleStartsAt: "2026-11-01T00:00:00.000Z",
      cycleEndsAt: "2026-12-01T00:00:00.000Z",
      askedAt: "2026-11-22T12:00:00.000Z",
    },
  },
  own: { example: { limit: 50, used: 12, resetsAt: "2026-11-23T00:00:00.000Z" } },
  stage: { description: "What has to happen next", example: "ASSERTION_REQUIRED" },
  response: {
    description: "The authenticator's response, in base64url",
    example: { clientDataJSON: "e30", authenticatorData: "Zm9v", signature: "YmFy", userHandle: null },
  },
  method: { description: "How the code comes", example: "SMS" },
  isRegistered: { description: "Whether the number can send now", example: true },
  marketingMessages: { description: "How MARKETING templates go out; null is the default", example: "off" },
  isProxied: { description: "Whether a proxy passed the request on", example: true },
  isTrusted: { description: "Whether RECADO_TRUSTED_PROXIES names that proxy", example: true },
  leader: { description: "Who leads the chat: another app, the agent or a person", example: "agent" },
} as const;
