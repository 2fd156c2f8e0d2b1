/**
 * The kinds of things that belong to one tenant and that a request can name. The last four are words that anybody may
 * know: the things that they find belong to the tenant.
 */
export type Kind =
  | "account"
  | "agentConversation"
  | "agentTool"
  | "agentTurn"
  | "batch"
  | "call"
  | "cannedReply"
  | "channel"
  | "cloudToken"
  | "contact"
  | "conversation"
  | "delivery"
  | "email"
  | "event"
  | "file"
  | "fileHandle"
  | "flow"
  | "gatewayKey"
  | "group"
  | "invitation"
  | "invitationToken"
  | "invoice"
  | "joinCode"
  | "key"
  | "knowledge"
  | "lookup"
  | "message"
  | "networkNumber"
  | "pairingLink"
  | "scheduledMessage"
  | "sender"
  | "signIn"
  | "template"
  | "trialRun"
  | "user"
  | "webhook"
  | "idempotencyKey"
  | "person"
  | "templateName"
  | "text";

/**
 * The tenant's things that a request can reach, as its route states them.
 *
 * - Names: for each parameter or field that names something of a tenant, its kind, such as `{ id: "channel" }`. Names
 *   of another tenant's things get the answer to names of nothing. A field within another has a dotted name.
 * - `own`: it names nothing, and reads or changes the caller's own things.
 * - `administrator`: only the administrator may ask.
 * - `none: why`: no tenant asks.
 */
export type Isolation = Readonly<Record<string, Kind | readonly Kind[]>> | "own" | "administrator" | `none: ${string}`;

/** The isolation of a route as its table holds it: each name with its kinds, or the word. */
export type StatedIsolation = string | readonly (readonly [name: string, kinds: readonly Kind[]])[];

export const statedIsolation = (isolation: Isolation): StatedIsolation =>
  typeof isolation === "string"
    ? isolation
    : Object.entries(isolation).map(([name, kinds]) => [name, [kinds].flat() as readonly Kind[]]);
