import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { OperationLimits } from "../../src/contract/capabilities.ts";
import type { ChannelEvent, LinkReport, Receipt, Received } from "../../src/contract/events.ts";
import type { SendOutcome } from "../../src/contract/outcome.ts";
import type { ChannelHost, SendOrder, Vault } from "../../src/contract/plugin.ts";
import type { HttpRequest } from "../../src/contract/ports/http.ts";
import type { UpstreamResult } from "../../src/contract/upstream.ts";
import type { Route } from "../../src/contract/webhooks.ts";
import { MEMBERS } from "../../src/plugin-members.ts";

/** Every member of a type, or of each type of a union: the compiler asks for a new one. */
type AllOf<Thing> = Readonly<Record<Thing extends Thing ? keyof Required<Thing> & string : never, true>>;

const HOST: AllOf<ChannelHost> = {
  channelId: true,
  webhookUrl: true,
  vault: true,
  http: true,
  adapterState: true,
  openProxy: true,
  clock: true,
  random: true,
  log: true,
  emit: true,
  report: true,
  openFile: true,
  makeVoice: true,
  ended: true,
};
const VAULT: AllOf<Vault> = { read: true, write: true, openKeyStore: true };
const REQUEST: AllOf<HttpRequest> = {
  url: true,
  method: true,
  headers: true,
  body: true,
  timeoutMs: true,
  maxResponseBytes: true,
  signal: true,
  statusDecides: true,
  isRepeatable: true,
};
const ORDER: AllOf<SendOrder> = {
  type: true,
  content: true,
  messageId: true,
  to: true,
  key: true,
  quotedProviderMessageId: true,
  options: true,
  templateCategory: true,
};
const OUTCOME: AllOf<SendOutcome> = {
  ok: true,
  key: true,
  recipient: true,
  furtherKeys: true,
  identity: true,
  parts: true,
  price: true,
  kind: true,
  code: true,
  reason: true,
  upstreamCode: true,
  retryAfterMs: true,
  isRateLimit: true,
  isUncertain: true,
  isOfChat: true,
  isQuota: true,
  isTemplateMisfit: true,
};
const RESULT: AllOf<UpstreamResult<unknown>> = {
  ok: true,
  value: true,
  kind: true,
  error: true,
  fileFault: true,
  reason: true,
  mayHaveHappened: true,
  retryAfterMs: true,
  isOwnLimit: true,
};
const KINDS: Readonly<Record<ChannelEvent["kind"], true>> = {
  received: true,
  receipt: true,
  "read-up-to": true,
  reacted: true,
  edited: true,
  revoked: true,
  voted: true,
  "poll-results": true,
  reach: true,
  consent: true,
  delegation: true,
  broadcast: true,
  known: true,
  template: true,
  health: true,
  contacts: true,
  sync: true,
  group: true,
  call: true,
  "call-permission": true,
  holder: true,
  commented: true,
  client: true,
  presence: true,
  unknown: true,
};
const REPORT: AllOf<LinkReport> = {
  state: true,
  reason: true,
  phoneNumber: true,
  profile: true,
  restriction: true,
  pairing: true,
};
const RECEIVED: AllOf<Received> = {
  kind: true,
  key: true,
  at: true,
  from: true,
  chat: true,
  pushName: true,
  content: true,
  media: true,
  quotedProviderMessageId: true,
  isOwn: true,
  isHistory: true,
  isPlaceholder: true,
  heldBy: true,
  isImported: true,
  raw: true,
};
const RECEIPT: AllOf<Receipt> = {
  kind: true,
  key: true,
  at: true,
  status: true,
  messageId: true,
  to: true,
  error: true,
  parts: true,
  price: true,
  pricing: true,
};
const RECEIPT_ERROR: AllOf<NonNullable<Receipt["error"]>> = {
  code: true,
  reason: true,
  isFormatRefused: true,
  isTemplateMisfit: true,
  failure: true,
};
const OPERATION: AllOf<OperationLimits> = { inbound: true, outbound: true, types: true, withinMs: true };
const ROUTE: AllOf<Route> = { by: true, id: true, phoneNumber: true };

const TABLES: Readonly<Record<string, Readonly<Record<string, true>>>> = {
  ...MEMBERS,
  host: HOST,
  vault: VAULT,
  request: REQUEST,
  order: ORDER,
  outcome: OUTCOME,
  result: RESULT,
  "kinds of events": KINDS,
  report: REPORT,
  received: RECEIVED,
  receipt: RECEIPT,
  "error of a receipt": RECEIPT_ERROR,
  operation: OPERATION,
  route: ROUTE,
};

const guide = readFileSync(join(resolve(import.meta.dir, "../.."), "plugins/README.md"), "utf8");
/** The words that the guide writes as code. */
const words = new Set(
  [...guide.matchAll(/^```[\s\S]*?^```|(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/gm)].flatMap(
    ([code]) => code.match(/[A-Za-z][\w-]*/g) ?? [],
  ),
);

test("the guide for authors has every member of the contract", () => {
  const missing = Object.entries(TABLES).flatMap(([name, table]) =>
    Object.keys(table)
      .filter((member) => !words.has(member) && member !== "standsIn") // the simulator's alone, and refused
      .map((member) => `${name}: ${member}`),
  );
  expect(missing).toEqual([]);
});
