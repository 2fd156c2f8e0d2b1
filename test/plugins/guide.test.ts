import { expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { OperationLimits } from "../../src/contract/capabilities.ts";
import type { ChannelEvent, LinkReport, Receipt, Received } from "../../src/contract/events.ts";
import type { SendOutcome } from "../../src/contract/outcome.ts";
import type { ChannelHost, SendOrder, Vault } from "../../src/contract/plugin.ts";
import type { HttpRequest } from "../../src/contract/ports/http.ts";
import type { UpstreamResult } from "../../src/contract/upstream.ts";
import type { ChannelWebhook, Route } from "../../src/contract/webhooks.ts";
import { MEMBERS } from "../../src/loading/members.ts";
import { webhookRequest } from "../support/networks/webhook-request.ts";

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
  makeSticker: true,
  makeThumbnail: true,
  makeStandard: true,
  ended: true,
  unknown: true,
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
  forwards: true,
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
  plainer: true,
  disappearsAfter: true,
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
  "delivered-up-to": true,
  "read-up-to": true,
  reacted: true,
  edited: true,
  revoked: true,
  voted: true,
  newsletter: true,
  "newsletter-counts": true,
  pinned: true,
  kept: true,
  responded: true,
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
  chat: true,
  label: true,
  labelled: true,
  "message-labelled": true,
  shown: true,
  starred: true,
  hidden: true,
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
  furtherParts: true,
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
  by: true,
  isPlayed: true,
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
const OPERATION: AllOf<OperationLimits> = {
  inbound: true,
  outbound: true,
  types: true,
  withinMs: true,
  broadcastsWithinMs: true,
};
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

test("the guide's webhook for forms runs as it stands, and refuses a form of too many fields", async () => {
  const [, example = ""] = /```js\n(\/\/ a network that signs[\s\S]*?)```/.exec(guide) ?? [];
  const dir = mkdtempSync(join(tmpdir(), "recado-guide-"));
  const path = join(dir, "example.mjs");
  writeFileSync(path, `${example}\nexport { webhook };\n`);
  const { webhook } = (await import(path)) as { webhook: ChannelWebhook };
  rmSync(dir, { recursive: true });
  const token = "secret-of-the-guide";
  const request = (fields: [string, string][], text = new URLSearchParams(fields).toString()) => {
    const { url } = webhookRequest();
    const signed = url + fields.map(([name, value]) => `${name}${value}`).join("");
    const signature = createHmac("sha1", token).update(signed).digest("base64");
    return webhookRequest(text, new Headers({ "x-pager-signature": signature }));
  };
  const message: [string, string][] = [
    ["from", "ana7"],
    ["id", "1"],
    ["text", "Olá & até já"],
  ];
  expect(await webhook.verify(request(message), { token })).toBe(true);
  expect(await webhook.verify(request(message), { token: "another" })).toBe(false);
  const hostile = { ...request(message), headers: new Headers({ "x-pager-signature": "é".repeat(28) }) };
  expect(await webhook.verify(hostile, { token })).toBe(false);
  expect(await webhook.parse(request(message))).toMatchObject([
    { key: "1", content: { content: { text: "Olá & até já" } } },
  ]);
  const many = Array.from({ length: 201 }, (_, place): [string, string] => [`f${1000 + place}`, "x"]);
  expect(await webhook.verify(request(many.slice(1)), { token })).toBe(true);
  expect(await webhook.verify(request(many), { token })).toBe(false);
});
