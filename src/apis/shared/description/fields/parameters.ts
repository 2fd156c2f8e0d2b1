import { FIELDS, type Field } from "./index.ts";

const UUID = "019a1b2c-3d4e-4f50-8a61-b2c3d4e5f601";
const PHONE = "019a1b2c-1111-4a11-8b21-c31d41e51f01";

/** TABLE: parameters of paths, by the segment before them and their name. */
const IN_PATHS: Readonly<Record<string, Field>> = {
  "calls/{id}": { description: "The call's id here, or the network's", example: UUID },
  "contacts/{to}": { description: "A number, canonical key or chat address", example: "5511988887777" },
  "conversations/{contactKey}": {
    description: "The canonical key of the contact, percent-encoded",
    example: "pn:5511988887777",
  },
  "conversations/{to}": { description: "The other person's id or canonical key", example: "igsid:17841400000000001" },
  "groups/{id}": { description: "The group's id here, or the network's", example: UUID },
  "jobs/{name}": {
    description: "backup, charges, dunning, invoices, media-retention, scheduler or updates",
    example: "backup",
  },
  "messages/{id}": { description: "The `messageId`", example: UUID },
  "plans/{code}": { description: "The plan's code", example: "plano_padaria" },
  "upstream/{upstreamId}": { description: "The `mediaHandle` of the upload", example: "1037543291543636" },
};

/** TABLE: other parameters, by name. `/path?name` wins over `?name`. */
const ELSEWHERE: Readonly<Record<string, Field>> = {
  "?action": { description: "Only acts of this kind", example: "account.create" },
  "?cursor": { description: "The `nextCursor` of the page before; absent for the first", example: UUID },
  "?exp": { description: "When the address ends, in seconds since 1970", examples: ["1795348800", 1795348800] },
  "?include": { description: "`data`: with the body of each event", example: "data" },
  "?kind": { description: "Institutions of the platform alone, or other accounts alone", example: "institution" },
  "?key": { description: "A canonical key, number, user id, username or chat address", example: "5511988887777" },
  "?limit": { description: "How many at most; 50 by default, up to 200", examples: [50, "50"] },
  "?name": { description: "Only those with this name", example: "confirmacao_pedido" },
  "?revoked": { description: "`true` lists revoked keys too; false by default", examples: ["true", "false"] },
  "?search": { description: "What to search for", example: "maria" },
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
  "?wait": { description: "How many seconds to wait for it; none by default", examples: [20, "20"] },
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
