import type { Permission } from "../../../src/core/tenancy/keys/keys.ts";
import type { Power } from "../../../src/core/tenancy/people/roles.ts";

/**
 * The credentials of a route: none, a user's token, also a pending token, any key or complete token, or a permission.
 */
export type Access = "public" | "user" | "pending" | "any" | Permission;
/** The four bodies of the platform's errors, by route. */
export type Shape = "text" | "plain" | "webhooks" | "logs";
/** Ids of things that exist, by the name of the path's parameter. */
export type Ids = {
  institutionId: string;
  userId: string;
  apiKeyId: string;
  channelId: string;
  contactId: string;
  conversationId: string;
  messageId: string;
  batchId: string;
  sessionId: string;
  invitationId: string;
  id: string;
};
/**
 * The ids, the e-mail of a registered person who is no member, the credentials of the channel, and the tokens of
 * invitations. One invitation is to the customer itself, one came by mail to an unregistered person; and of links of
 * the stranger's.
 */
export type Things = Ids & {
  strangerEmail: string;
  ownToken?: string;
  mailedToken?: string;
  verifyToken?: string;
  resetToken?: string;
  phoneNumberId?: string;
  businessAccountId?: string;
  accessToken?: string;
};
/** Ids of unknown things. */
export const NOTHING: Ids = {
  institutionId: "none",
  userId: "none",
  apiKeyId: "none",
  channelId: "none",
  contactId: "none",
  conversationId: "none",
  messageId: "none",
  batchId: "none",
  sessionId: "none",
  invitationId: "none",
  id: "none",
};
/**
 * `perMinute`: the operation's own limit. `opens`: 409 if the tests' server cannot act (it sends no mail) or must not
 * (the last owner stays). `power`: the power that a user's role needs. `testOnly`: only test keys open it. `hasFile`:
 * its message came with a file.
 */
export type Route = {
  access: Access;
  power?: Power;
  shape: Shape;
  opens: number;
  perMinute?: number;
  testOnly?: true;
  hasFile?: true;
  body?(things: Things): object;
};

/** No two requests of a run name the same number or address. */
let made = 900_000_000;
const next = (): number => ++made;

const CONTACT = () => ({ phoneNumber: `5521${next()}`, name: "Ana" });
const TO = "5511999990002";
const FILE = { to: TO, mediaUrl: "https://files.example.com/a" };
/** The template that the channel of the tests has. */
export const APPROVED = "hello";
const WEBHOOK = {
  name: "A webhook",
  url: "https://hooks.example.com/in",
  events: ["message.sent"],
  secret: "the-secret-of-a-webhook",
};
const SANDBOX = { access: "sandbox.write", shape: "plain", testOnly: true } as const;

/**
 * Every route of the platform: its credentials, the shape of its errors, a good body, and the answer to it. A route
 * that is missing here fails the tests.
 */
export const ROUTES: Readonly<Record<string, Route>> = {
  "POST /v1/auth/register": {
    access: "public",
    shape: "text",
    opens: 201,
    body: () => ({
      name: "A User",
      email: `new${next()}@example.com`,
      password: "password-1",
      institutionName: "A Company",
    }),
  },
  "POST /v1/auth/login": {
    access: "public",
    shape: "text",
    opens: 200,
    body: ({ strangerEmail }) => ({ email: strangerEmail, password: "password-1" }),
  },
  "POST /v1/auth/select-institution": {
    access: "pending",
    shape: "plain",
    opens: 200,
    body: ({ institutionId }) => ({ institutionId }),
  },
  "GET /v1/auth/institutions": { access: "pending", shape: "plain", opens: 200 },
  "GET /v1/auth/sessions": { access: "pending", shape: "plain", opens: 200 },
  "DELETE /v1/auth/sessions/{sessionId}": { access: "pending", shape: "plain", opens: 204 },
  "POST /v1/auth/change-password": {
    access: "pending",
    shape: "plain",
    opens: 200,
    body: () => ({ currentPassword: "password-1", newPassword: "password-1" }),
  },
  "POST /v1/auth/verify-email": {
    access: "public",
    shape: "plain",
    opens: 204,
    body: ({ verifyToken }) => ({ token: verifyToken }),
  },
  "POST /v1/auth/forgot-password": {
    access: "public",
    shape: "plain",
    opens: 409,
    body: ({ strangerEmail }) => ({ email: strangerEmail }),
  },
  "POST /v1/auth/reset-password": {
    access: "public",
    shape: "plain",
    opens: 200,
    body: ({ resetToken }) => ({ token: resetToken, password: "password-2" }),
  },
  "POST /v1/auth/request-verification": { access: "pending", shape: "plain", opens: 409 },
  "POST /v1/auth/delete-user": {
    access: "pending",
    shape: "plain",
    opens: 409,
    body: () => ({ password: "password-1" }),
  },
  "GET /v1/account": { access: "any", shape: "plain", opens: 200 },
  "POST /v1/institutions": { access: "user", shape: "plain", opens: 201, body: () => ({ name: "Another Company" }) },
  "POST /v1/auth/accept-invitation": {
    access: "pending",
    shape: "plain",
    opens: 200,
    body: ({ ownToken }) => ({ token: ownToken }),
  },
  "POST /v1/auth/join": {
    access: "public",
    shape: "plain",
    opens: 201,
    body: ({ mailedToken }) => ({ token: mailedToken, name: "A User", password: "password-1" }),
  },
  "POST /v1/institutions/{institutionId}/members": {
    access: "user",
    power: "members.write",
    shape: "plain",
    opens: 201,
    perMinute: 10,
    body: ({ strangerEmail }) => ({ email: strangerEmail }),
  },
  "GET /v1/institutions/{institutionId}/members": { access: "user", power: "members.read", shape: "plain", opens: 200 },
  "PATCH /v1/institutions/{institutionId}/members/{userId}": {
    access: "user",
    power: "members.write",
    shape: "plain",
    opens: 200,
    body: () => ({ role: "VIEWER" }),
  },
  "DELETE /v1/institutions/{institutionId}/members/{userId}": {
    access: "user",
    power: "members.write",
    shape: "plain",
    opens: 204,
  },
  "DELETE /v1/institutions/{institutionId}/invitations/{invitationId}": {
    access: "user",
    power: "members.write",
    shape: "plain",
    opens: 204,
  },
  "POST /v1/institutions/{institutionId}/gateway-keys": {
    access: "user",
    power: "keys.write",
    shape: "plain",
    opens: 201,
    body: () => ({ name: "A key of the gateway" }),
  },
  "GET /v1/institutions/{institutionId}/gateway-keys": {
    access: "user",
    power: "keys.read",
    shape: "plain",
    opens: 200,
  },
  "DELETE /v1/institutions/{institutionId}/gateway-keys/{apiKeyId}": {
    access: "user",
    power: "keys.write",
    shape: "plain",
    opens: 404,
  },
  "POST /v1/institutions/{institutionId}/accounts": {
    access: "user",
    power: "accounts.join",
    shape: "plain",
    opens: 404,
    perMinute: 10,
    body: () => ({ code: "a code of nothing" }),
  },
  "POST /v1/api-keys": {
    access: "user",
    power: "keys.write",
    shape: "plain",
    opens: 201,
    body: () => ({ name: "A key", permissions: ["channels.read"] }),
  },
  "GET /v1/api-keys": { access: "user", power: "keys.read", shape: "plain", opens: 200 },
  "DELETE /v1/api-keys/{apiKeyId}": { access: "user", power: "keys.write", shape: "plain", opens: 204 },
  "POST /v1/channels": {
    access: "channels.write",
    shape: "plain",
    opens: 201,
    body: () => ({ name: "A channel", type: "CHAT_WABA" }),
  },
  "GET /v1/channel-types": { access: "channels.read", shape: "plain", opens: 200 },
  "GET /v1/channels": { access: "channels.read", shape: "plain", opens: 200 },
  "GET /v1/channels/{channelId}": { access: "channels.read", shape: "plain", opens: 200 },
  "POST /v1/channels/{channelId}/connect": { access: "channels.write", shape: "plain", opens: 200 },
  "POST /v1/channels/{channelId}/disconnect": { access: "channels.write", shape: "plain", opens: 200 },
  "PUT /v1/channels/{channelId}/credentials": {
    access: "channels.write",
    shape: "plain",
    opens: 200,
    body: ({ phoneNumberId, businessAccountId, accessToken }) => ({
      credentials: { phoneNumberId, businessAccountId, accessToken },
    }),
  },
  "DELETE /v1/channels/{channelId}": { access: "channels.write", shape: "plain", opens: 204 },
  "POST /v1/contacts": { access: "contacts.write", shape: "plain", opens: 201, body: CONTACT },
  "GET /v1/contacts": { access: "contacts.read", shape: "plain", opens: 200 },
  "GET /v1/contacts/{contactId}": { access: "contacts.read", shape: "plain", opens: 200 },
  "PATCH /v1/contacts/{contactId}": {
    access: "contacts.write",
    shape: "plain",
    opens: 200,
    body: () => ({ name: "Bia" }),
  },
  "PUT /v1/contacts/{contactId}/opt-out": { access: "contacts.write", shape: "plain", opens: 200 },
  "DELETE /v1/contacts/{contactId}/opt-out": { access: "contacts.write", shape: "plain", opens: 200 },
  "DELETE /v1/contacts/{contactId}": { access: "contacts.write", shape: "plain", opens: 204 },
  "POST /v1/channels/{channelId}/messages/text": {
    access: "messages.send",
    shape: "plain",
    opens: 202,
    body: () => ({ to: TO, text: "olá" }),
  },
  "POST /v1/channels/{channelId}/messages/image": {
    access: "messages.send",
    shape: "plain",
    opens: 202,
    body: () => FILE,
  },
  "POST /v1/channels/{channelId}/messages/video": {
    access: "messages.send",
    shape: "plain",
    opens: 202,
    body: () => FILE,
  },
  "POST /v1/channels/{channelId}/messages/audio": {
    access: "messages.send",
    shape: "plain",
    opens: 202,
    body: () => FILE,
  },
  "POST /v1/channels/{channelId}/messages/document": {
    access: "messages.send",
    shape: "plain",
    opens: 202,
    body: () => FILE,
  },
  "POST /v1/channels/{channelId}/messages/contact": {
    access: "messages.send",
    shape: "plain",
    opens: 202,
    body: () => ({ to: TO, contacts: [{ name: "Ana", phone: TO }] }),
  },
  "POST /v1/channels/{channelId}/messages/pix": {
    access: "messages.send",
    shape: "plain",
    opens: 202,
    body: () => ({
      to: TO,
      amountCents: 100,
      key: "a@b.example",
      merchantName: "Padaria",
      merchantCity: "Recife",
      txid: "pedido1",
    }),
  },
  "POST /v1/channels/{channelId}/messages/template": {
    access: "messages.send",
    shape: "plain",
    opens: 202,
    body: () => ({ to: TO, name: APPROVED }),
  },
  "GET /v1/business-hours": { access: "channels.read", shape: "plain", opens: 200 },
  "PUT /v1/business-hours": {
    access: "channels.write",
    shape: "plain",
    opens: 200,
    body: () => ({ timeZone: "UTC", weekly: { monday: [{ from: "09:00", to: "18:00" }] } }),
  },
  "GET /v1/channels/{channelId}/templates": { access: "channels.read", shape: "plain", opens: 200 },
  "POST /v1/channels/{channelId}/templates/sync": {
    access: "channels.write",
    shape: "plain",
    opens: 200,
    perMinute: 10,
  },
  "GET /v1/conversations": { access: "conversations.read", shape: "plain", opens: 200 },
  "GET /v1/conversations/{conversationId}": { access: "conversations.read", shape: "plain", opens: 200 },
  "POST /v1/conversations/{conversationId}/assign": {
    access: "conversations.write",
    shape: "plain",
    opens: 200,
    body: ({ userId }) => ({ userId }),
  },
  "POST /v1/conversations/{conversationId}/transfer": {
    access: "conversations.write",
    shape: "plain",
    opens: 200,
    body: ({ userId }) => ({ userId, note: "Please" }),
  },
  "POST /v1/conversations/{conversationId}/close": { access: "conversations.write", shape: "plain", opens: 200 },
  "GET /v1/conversations/{conversationId}/messages": { access: "messages.read", shape: "plain", opens: 200 },
  "GET /v1/messages/{messageId}": { access: "messages.read", shape: "plain", opens: 200 },
  "GET /v1/messages/{messageId}/media": { access: "messages.read", shape: "plain", opens: 302, hasFile: true },
  "POST /v1/bulk": {
    access: "bulk-send.write",
    shape: "plain",
    opens: 202,
    perMinute: 10,
    body: ({ channelId }) => ({ channelId, text: "olá", recipients: ["5511999990002"] }),
  },
  "GET /v1/bulk": { access: "bulk-send.read", shape: "plain", opens: 200 },
  "GET /v1/bulk/{batchId}": { access: "bulk-send.read", shape: "plain", opens: 200, perMinute: 60 },
  "GET /v1/bulk/{batchId}/recipients": { access: "bulk-send.read", shape: "plain", opens: 200 },
  "POST /v1/bulk/{batchId}/recipients": {
    access: "bulk-send.write",
    shape: "plain",
    body: () => ({ recipients: ["5511999990099"] }),
    opens: 200,
    perMinute: 60,
  },
  "POST /v1/bulk/{batchId}/pause": { access: "bulk-send.write", shape: "plain", opens: 200, perMinute: 30 },
  "POST /v1/bulk/{batchId}/resume": { access: "bulk-send.write", shape: "plain", opens: 200, perMinute: 30 },
  "POST /v1/bulk/{batchId}/cancel": { access: "bulk-send.write", shape: "plain", opens: 200, perMinute: 10 },
  "POST /v1/bulk/validate": {
    access: "bulk-send.write",
    shape: "plain",
    opens: 200,
    body: () => ({ numbers: ["5511999990002"] }),
  },
  "POST /v1/bulk/forecast": {
    access: "bulk-send.write",
    shape: "plain",
    opens: 404,
    perMinute: 30,
    body: () => ({ to: ["5511999990002"], channelId: "0198a000-1111-4222-8333-444455556666" }),
  },
  "POST /v1/webhooks": { access: "webhooks.write", shape: "webhooks", opens: 201, body: () => WEBHOOK },
  "GET /v1/webhooks": { access: "webhooks.read", shape: "webhooks", opens: 200 },
  "GET /v1/webhooks/{id}": { access: "webhooks.read", shape: "webhooks", opens: 200 },
  "PATCH /v1/webhooks/{id}": {
    access: "webhooks.write",
    shape: "webhooks",
    opens: 200,
    body: () => ({ name: "Another name" }),
  },
  "PUT /v1/webhooks/{id}": {
    access: "webhooks.write",
    shape: "webhooks",
    opens: 200,
    body: () => ({ name: "Another name" }),
  },
  "DELETE /v1/webhooks/{id}": { access: "webhooks.write", shape: "webhooks", opens: 204 },
  "POST /v1/webhooks/{id}/retry": { access: "webhooks.write", shape: "logs", opens: 202 },
  "POST /v1/webhooks/{id}/test": { access: "webhooks.write", shape: "logs", opens: 200 }, // the body may be missing
  "GET /v1/webhooks/{id}/logs": { access: "webhooks.read", shape: "logs", opens: 200 },
  "POST /v1/sandbox/channels/{channelId}/connect": { ...SANDBOX, opens: 200 },
  "POST /v1/sandbox/channels/{channelId}/disconnect": { ...SANDBOX, opens: 200 },
  "POST /v1/sandbox/channels/{channelId}/messages": { ...SANDBOX, opens: 202, body: () => ({ from: TO, text: "olá" }) },
  "POST /v1/sandbox/messages/{messageId}/status": { ...SANDBOX, opens: 200, body: () => ({ status: "read" }) },
};

export const isPermission = (access: Access): access is Permission => access.includes(".");

/** The method and path of a route with these ids. */
export const addressed = (route: string, ids: Readonly<Record<string, string>>): { method: string; path: string } => {
  const [method = "", template = ""] = route.split(" ");
  return { method, path: template.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "unknown") };
};

/** The routes of an OpenAPI document, as `METHOD /path`. */
export const documented = (document: { paths: Record<string, object> }): string[] =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
