import { Type } from "@sinclair/typebox";
import type { Clock } from "../../../src/kernel/clock.ts";
import { OneOf, Text } from "../../../src/kernel/schema.ts";
import { callOperations } from "./calls/users.ts";
import { groupOperations } from "./groups/groups.ts";
import type { Graph } from "./index.ts";
import { onboardingOperations } from "./onboarding/control.ts";
import { advance, type Control, type Operation, operation, serveOperations } from "./operations.ts";
import { FailureOrder, NumberSeed, RecipientSeed, SettingsPatch, STATUSES, TemplateSeed, TokenSeed } from "./seeds.ts";
import { TEMPLATE_EVENTS } from "./templates/review.ts";
import { InboundOptions, InboundSeed } from "./webhooks/inbound-seeds.ts";
import { Signature, WebhookConfig } from "./webhooks/webhooks.ts";

const strict = { additionalProperties: false } as const;
const optional = Type.Optional;

const Nothing = Type.Object({}, strict);
const TokenName = Type.Object({ token: Text(1, 500) }, strict);
const StatusOrder = Type.Object(
  {
    wamid: Text(1, 200),
    statuses: Type.Array(OneOf(STATUSES)),
    isBatched: optional(Type.Boolean()),
    code: optional(Type.Integer()),
    details: optional(Text(0, 1000)),
  },
  strict,
);
const Batch = Type.Composite([Type.Object({ messages: Type.Array(InboundSeed) }), InboundOptions], strict);
const Field = Type.Object(
  {
    businessAccountId: Text(1, 64),
    field: Text(1, 100),
    value: Type.Record(Type.String(), Type.Unknown()),
    at: optional(Type.Number()),
  },
  strict,
);
const Raw = Type.Object({ body: Type.Unknown(), signature: optional(Signature) }, strict);
const Slice = Type.Object({ from: optional(Type.Integer({ minimum: 0 })) }, strict);
const Review = Type.Object(
  {
    id: Text(1, 64),
    event: OneOf(TEMPLATE_EVENTS),
    reason: optional(Text(0, 200)),
    more: optional(Type.Record(Type.String(), Type.Unknown())),
  },
  strict,
);
const File = Type.Object(
  {
    id: optional(Text(1, 64)),
    base64: Type.String(),
    mimeType: Text(1, 200),
    phoneNumberId: Text(1, 64),
    sha256: optional(Text(1, 64)),
    filename: optional(Text(1, 255)),
  },
  strict,
);
const LastingFailure = Type.Composite([FailureOrder, Type.Object({ isLasting: optional(Type.Boolean()) })], strict);

const operationsOf = (graph: Graph, clock: Clock): Record<string, Operation> => ({
  numbers: operation(NumberSeed, (seed) => graph.addNumber(seed)),
  tokens: operation(TokenSeed, (seed) => graph.addToken(seed)),
  "tokens/expire": operation(TokenName, ({ token }) => graph.expireToken(token)),
  "tokens/invalidate": operation(TokenName, ({ token }) => graph.invalidateToken(token)),
  templates: operation(TemplateSeed, (seed) => graph.addTemplate(seed)),
  "templates/review": operation(Review, ({ id, event, ...options }) => graph.reviewTemplate(id, event, options)),
  media: operation(File, ({ base64, ...seed }) => graph.addMedia({ ...seed, bytes: Buffer.from(base64, "base64") })),
  "uploads/interrupt": operation(Type.Object({ keepBytes: Type.Integer({ minimum: 0 }) }, strict), ({ keepBytes }) =>
    graph.interruptUpload(keepBytes),
  ),
  recipients: operation(RecipientSeed, (seed) => graph.addRecipient(seed)),
  settings: operation(SettingsPatch, (patch) => graph.configure(patch)),
  failures: operation(LastingFailure, (order) => graph.fail(order)),
  "failures/clear": operation(Nothing, () => graph.clearFailures()),
  statuses: operation(StatusOrder, ({ wamid, statuses, ...options }) =>
    graph.deliverStatuses(wamid, statuses, options),
  ),
  inbound: operation(Batch, ({ messages, ...options }) => graph.inbound.batch(messages, options)),
  "inbound/field": operation(Field, (change) => graph.inbound.field(change)),
  "inbound/raw": operation(Raw, ({ body, ...options }) => graph.inbound.raw(body, options)),
  "webhooks/configure": operation(WebhookConfig, (config) => graph.webhooks.configure(config)),
  "webhooks/verify": operation(Type.Object({ verifyToken: Text(0, 500) }, strict), ({ verifyToken }) =>
    graph.webhooks.verify(verifyToken),
  ),
  "webhooks/resend": operation(Type.Object({ id: Type.Integer({ minimum: 0 }) }, strict), ({ id }) =>
    graph.webhooks.resend(id),
  ),
  "webhooks/settled": operation(Nothing, () => graph.webhooks.settled()),
  "webhooks/journal": operation(Slice, ({ from = 0 }) => graph.webhooks.journal.slice(from)),
  journal: operation(Slice, ({ from = 0 }) => graph.journal.slice(from)),
  "journal/messages": operation(Nothing, () => graph.sentSummary()),
  "journal/reads": operation(Nothing, () => graph.reads),
  "journal/reactions": operation(Nothing, () => graph.reactions),
  "clock/advance": operation(Type.Object({ byMs: Type.Integer({ minimum: 0 }) }, strict), ({ byMs }) =>
    advance(clock, byMs),
  ),
  reset: operation(Nothing, () => graph.reset()),
  ...onboardingOperations(graph),
  ...groupOperations(graph.groups),
  ...callOperations(graph),
});

/** The control API over HTTP. */
export const controlOf = (graph: Graph, clock: Clock): Control => serveOperations(operationsOf(graph, clock));
