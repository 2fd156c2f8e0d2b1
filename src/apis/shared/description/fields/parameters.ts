import { FIELDS, type Field } from "./index.ts";

const UUID = "019a1b2c-3d4e-4f50-8a61-b2c3d4e5f601";
const PHONE = "019a1b2c-1111-4a11-8b21-c31d41e51f01";

/** TABLE: parameters of paths, by the segment before them and their name. */
const IN_PATHS: Readonly<Record<string, Field>> = {
  "api-keys/{apiKeyId}": { description: "The key's id, not the key", example: UUID },
  "gateway-keys/{apiKeyId}": { description: "The key's id, not the key", example: UUID },
  "bulk/{batchId}": { description: "The batch's id", example: UUID },
  "calls/{id}": { description: "The call's id here, or the network's", example: UUID },
  "channels/{channelId}": { description: "The channel's id", example: PHONE },
  "contacts/{contactId}": { description: "The contact's id", example: UUID },
  "contacts/{to}": { description: "A number, canonical key or chat address", example: "5511988887777" },
  "conversations/{contactKey}": {
    description: "The canonical key of the contact, percent-encoded",
    example: "pn:5511988887777",
  },
  "conversations/{conversationId}": { description: "The conversation's id", example: UUID },
  "conversations/{to}": { description: "The other person's id or canonical key", example: "igsid:17841400000000001" },
  "groups/{id}": { description: "The group's id here, or the network's", example: UUID },
  "institutions/{institutionId}": { description: "The institution's id", example: UUID },
  "invitations/{invitationId}": { description: "The invitation's id", example: UUID },
  "jobs/{name}": {
    description: "backup, charges, dunning, invoices, media-retention, scheduler or updates",
    example: "backup",
  },
  "members/{userId}": { description: "The member's user id", example: UUID },
  "messages/{id}": { description: "The `messageId`", example: UUID },
  "messages/{messageId}": { description: "The message's id", example: UUID },
  "plans/{code}": { description: "The plan's code", example: "plano_padaria" },
  "sessions/{sessionId}": { description: "The session's id", example: UUID },
  "upstream/{upstreamId}": { description: "The `mediaHandle` of the upload", example: "1037543291543636" },
  "webhooks/{id}": { description: "The webhook's id", example: UUID },
};

/** TABLE: other parameters, by name. `/path?name` wins over `?name`. */
const ELSEWHERE: Readonly<Record<string, Field>> = {
  "?action": { description: "Only acts of this kind", example: "account.create" },
  "?channelId": { description: "Only those of this channel", example: PHONE },
  "?contactId": { description: "Only those with this contact", example: UUID },
  "?cursor": { description: "The `nextCursor` of the page before; absent for the first", example: UUID },
  "?exp": { description: "When the address ends, in seconds since 1970", examples: ["1795348800", 1795348800] },
  "?include": { description: "`data`: with the body of each event", example: "data" },
  "?kind": { description: "Institutions of the platform alone, or other accounts alone", example: "institution" },
  "?key": { description: "A canonical key, number, user id, username or chat address", example: "5511988887777" },
  "?limit": { description: "How many at most; 50 by default, up to 200", examples: [50, "50"] },
  "?name": { description: "Only those with this name", example: "confirmacao_pedido" },
  "?page": { description: "The page, from 1", examples: [1, "1"] },
  "?revoked": { description: "`true` lists revoked keys too; false by default", examples: ["true", "false"] },
  "?search": { description: "What to search for", example: "maria" },
  "?since": { description: "From this time on", example: "2026-11-01T00:00:00.000Z" },
  "?seen": { description: "The `version` of the answer that is shown", example: "5f1c0e9b7a3d2468" },
  "?sig": { description: "The signature of the address", example: "Zk3vX9pQ2rT7wL5m" },
  "?sort": {
    description: "`created`: newest first; `scheduledAt`: by the time of sending, earliest first",
    example: "scheduledAt",
  },
  "?state": { description: "Only those in this state", example: "OPEN" },
  "?status": { description: "Only those with this status", examples: ["PENDING", "ACTIVE", "DELIVERED", "OPEN"] },
  "?type": { description: "Only those of this type", example: "message:received" },
  "?types": { description: "Event types, separated by commas; all by default", example: "message:received" },
  "?unread": { description: "Only those with unread messages, or only those without", examples: [true, "true"] },
  "?until": { description: "Before this time", example: "2026-12-01T00:00:00.000Z" },
  "?wait": { description: "How many seconds to wait for it; none by default", examples: [20, "20"] },
  "/v1/bulk/{batchId}/recipients?limit": {
    description: "How many at most; 100 by default, up to 1,000",
    examples: [100, "100"],
  },
  "/v1/bulk/{batchId}/recipients?cursor": {
    description: "The `nextCursor` of the page before; absent for the first",
    example: "99",
  },
  "/v1/phones/search?type": { description: "Only phones of this type" },
  "/v1/phones/search?status": { description: "Only phones with this status", example: "CONNECTED" },
  "?step": { description: "By hour or by day in UTC; by hour by default", example: "hour" },
};

/** TABLE: headers of requests, in lower case. */
const HEADERS: Readonly<Record<string, Field>> = {
  "idempotency-key": {
    description: "A repeat within 24 hours with the same key gets the first answer",
    example: "pedido-1042",
  },
  "last-event-id": { description: "The `id` of the last event that was read", example: UUID },
  prefer: { description: "`handling=strict` refuses unknown fields", example: "handling=strict" },
};

type Parameter = { path: string; in: string; name: string };

/**
 * What the description says of a parameter, by its place: `path` as the document has it, below the API's base URL.
 * A name without a line of its own has what a field of that name has.
 */
export const parameterOf = ({ path, in: place, name }: Parameter): Field | undefined => {
  if (place === "header") return HEADERS[name.toLowerCase()];
  if (place !== "path") return ELSEWHERE[`${path}?${name}`] ?? ELSEWHERE[`?${name}`] ?? FIELDS[name];
  const segments = path.split("/");
  const before = segments[segments.indexOf(`{${name}}`) - 1];
  return IN_PATHS[`${before}/{${name}}`] ?? FIELDS[name];
};
