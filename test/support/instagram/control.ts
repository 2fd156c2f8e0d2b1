import { Type } from "@sinclair/typebox";
import type { Clock } from "../../../src/kernel/clock.ts";
import { Text } from "../../../src/kernel/schema.ts";
import { advance, type Control, type Operation, operation, serveOperations } from "../graph/operations.ts";
import { Signature, WebhookConfig } from "../graph/webhooks/webhooks.ts";
import type { Instagram } from "./index.ts";
import {
  AccountSeed,
  AppSeed,
  Authorization,
  CommentSeed,
  FailureOrder,
  SettingsPatch,
  TokenSeed,
  UserSeed,
} from "./seeds.ts";
import { InboundOptions, InboundSeed } from "./webhooks/inbound-seeds.ts";

const strict = { additionalProperties: false } as const;
const optional = Type.Optional;

const Nothing = Type.Object({}, strict);
const Withdrawn = Type.Object({ token: Text(1, 500), subcode: optional(Type.Integer({ minimum: 0 })) }, strict);
const Batch = Type.Composite([Type.Object({ events: Type.Array(InboundSeed) }), InboundOptions], strict);
const Field = Type.Object(
  { igUserId: Text(1, 64), field: Text(1, 100), value: Type.Record(Type.String(), Type.Unknown()) },
  strict,
);
const Raw = Type.Object({ body: Type.Unknown(), signature: optional(Signature) }, strict);
const Echo = Type.Object(
  { messageId: Text(1, 500), mid: optional(Text(1, 500)), signature: optional(Signature) },
  strict,
);
const Slice = Type.Object({ from: optional(Type.Integer({ minimum: 0 })) }, strict);
const LastingFailure = Type.Composite([FailureOrder, Type.Object({ isLasting: optional(Type.Boolean()) })], strict);

const operationsOf = (instagram: Instagram, clock: Clock): Record<string, Operation> => ({
  apps: operation(AppSeed, (seed) => instagram.addApp(seed)),
  accounts: operation(AccountSeed, (seed) => instagram.addAccount(seed)),
  users: operation(UserSeed, (seed) => instagram.addUser(seed)),
  tokens: operation(TokenSeed, (seed) => instagram.addToken(seed)),
  "tokens/expire": operation(Type.Object({ token: Text(1, 500) }, strict), ({ token }) => instagram.expireToken(token)),
  "tokens/invalidate": operation(Withdrawn, ({ token, subcode }) => instagram.invalidateToken(token, subcode)),
  codes: operation(Authorization, (authorization) => instagram.authorize(authorization)),
  comments: operation(CommentSeed, (seed) => instagram.addComment(seed)),
  settings: operation(SettingsPatch, (patch) => instagram.configure(patch)),
  failures: operation(LastingFailure, (order) => instagram.fail(order)),
  "failures/clear": operation(Nothing, () => instagram.clearFailures()),
  echoes: operation(Echo, ({ messageId, ...options }) => instagram.deliverEcho(messageId, options)),
  inbound: operation(Batch, ({ events, ...options }) => instagram.inbound.batch(events, options)),
  "inbound/field": operation(Field, (change) => instagram.inbound.field(change)),
  "inbound/raw": operation(Raw, ({ body, ...options }) => instagram.inbound.raw(body, options)),
  "webhooks/configure": operation(WebhookConfig, (config) => instagram.webhooks.configure(config)),
  "webhooks/verify": operation(Type.Object({ verifyToken: Text(0, 500) }, strict), ({ verifyToken }) =>
    instagram.webhooks.verify(verifyToken),
  ),
  "webhooks/resend": operation(Type.Object({ id: Type.Integer({ minimum: 0 }) }, strict), ({ id }) =>
    instagram.webhooks.resend(id),
  ),
  "webhooks/settled": operation(Nothing, () => instagram.webhooks.settled()),
  "webhooks/journal": operation(Slice, ({ from = 0 }) => instagram.webhooks.journal.slice(from)),
  journal: operation(Slice, ({ from = 0 }) => instagram.journal.slice(from)),
  "journal/messages": operation(Nothing, () => instagram.sentSummary()),
  "journal/actions": operation(Nothing, () => instagram.actions),
  "journal/tokens": operation(Nothing, () => [...instagram.tokens.values()]),
  "clock/advance": operation(Type.Object({ byMs: Type.Integer({ minimum: 0 }) }, strict), ({ byMs }) =>
    advance(clock, byMs),
  ),
  reset: operation(Nothing, () => instagram.reset()),
});

/** The control API over HTTP. */
export const controlOf = (instagram: Instagram, clock: Clock): Control =>
  serveOperations(operationsOf(instagram, clock));
