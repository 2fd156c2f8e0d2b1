/** What the gateway API says of the API that is compatible with the Cloud API. */
export const CLOUD_FIELDS = {
  "CloudApi.baseUrl": {
    description: "The base URL of a program, without a version; null where the server has the API switched off",
    example: "https://recado.example/graph",
  },
  "CloudApi.phoneNumberId": { description: "The phone number id of the Cloud API", example: "482913377120945" },
  "CloudApi.businessAccountId": {
    description: "The id of the WhatsApp Business account",
    example: "719204458812366",
  },
  "CloudApi.appId": { description: "The id of the app", example: "305518820946127" },
  "CloudApi.displayPhoneNumber": {
    description: "The number as programs know it; null: the phone's own",
    example: "5511988887777",
  },
  "CloudApiChanges.displayPhoneNumber": {
    description: "The number as a program knows it, as with or without the ninth digit; null: the phone's own",
    example: "551188887777",
  },
  "NewCloudToken.token": { description: "Shown once", example: "ck_live_exemplo" },
  "NewCloudTokenRequest.name": { description: "Which program has the token", example: "Chatwoot" },
  "CloudToken.name": { description: "Which program has the token", example: "Chatwoot" },
  "CloudToken.prefix": { description: "How the token begins", example: "ck_live_exemplo" },
  "NewCloudToken.name": { description: "Which program has the token", example: "Chatwoot" },
  "NewCloudToken.prefix": { description: "How the token begins", example: "ck_live_exemplo" },
  "CloudWebhookInput.verifyToken": {
    description: "What the program expects in the handshake",
    example: "9f86d081884c7d659a2feaa0c55ad015",
  },
  "CloudWebhookInput.secret": {
    description: "Signs the webhooks (`X-Hub-Signature-256`); by default one is made",
    example: "segredo-de-exemplo",
  },
  "CloudWebhook.secret": {
    description: "Signs the webhooks (`X-Hub-Signature-256`); only in the answer that sets it",
    example: "segredo-de-exemplo",
  },
  "CloudWebhookSecret.secret": { description: "Shown once", example: "segredo-de-exemplo" },
};
