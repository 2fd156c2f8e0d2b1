import { Type } from "@sinclair/typebox";
import type { Action } from "../contract/abilities/operations.ts";
import type { InboundMedia } from "../contract/events.ts";
import type { ChannelKind } from "../contract/kind.ts";
import type { BatchId, ChannelId, InvoiceId, MessageId, SubscriptionId, TenantId } from "../kernel/ids.ts";
import { Nullable, OneOf } from "../kernel/schema.ts";
import { type ValueOf, versioned } from "../kernel/versioned.ts";
import type { MessageReceived } from "./domain-event.ts";

// The payloads of jobs: ids, and data that is not on disk elsewhere. kernel/versioned.ts has the rule: a released form
// never changes. To change a payload, add a version with `next`, and add a fixture of the previous form to
// test/core/job-payloads.test.ts.

const id = <Id extends string = string>() => Type.Unsafe<Id>(Type.String({ minLength: 1 }));
const environment = OneOf(["live", "test"]);
const contact = Type.Object({ canonicalKey: Type.String(), type: Type.String() });

const NOTHING = versioned(Type.Object({}));
const CHANNEL = versioned(Type.Object({ channelId: id<ChannelId>() }));
const SUBSCRIPTION = versioned(Type.Object({ subscriptionId: id<SubscriptionId>() }));
const DELIVERY = versioned(
  Type.Object({ deliveryId: id(), subscriptionId: id<SubscriptionId>(), chat: Type.String() }),
);
const CALL = versioned(Type.Object({ callId: id() }));

const action = Type.Unsafe<Action>(
  Type.Union([
    Type.Object({ name: Type.Literal("react"), emoji: Type.String() }),
    Type.Object({ name: Type.Literal("edit"), text: Type.String() }),
    Type.Object({ name: OneOf(["delete", "read", "typing"]) }),
  ]),
);

const file = Type.Unsafe<InboundMedia>(
  Type.Object({
    nativeId: Type.String(),
    contentType: Type.String(),
    sizeBytes: Type.Optional(Type.Number()),
    filename: Type.Optional(Type.String()),
    sha256: Type.Optional(Type.String()),
  }),
);

/** A message as its event will carry it. Its content is as the network gave it. */
const received = Type.Unsafe<MessageReceived>(
  Type.Object({
    type: Type.Literal("message.received"),
    messageId: id<MessageId>(),
    at: Type.Number(),
    direction: OneOf(["inbound", "outbound"]),
    isHistory: Type.Boolean(),
    from: contact,
    chat: contact,
    pushName: Nullable(Type.String()),
    content: Type.Object({ type: Type.String() }),
  }),
);

const reach = {
  tenantId: id<TenantId>(),
  environment,
  channel: Nullable(
    Type.Object({
      id: id<ChannelId>(),
      sharedWebhookId: Nullable(id<SubscriptionId>()),
      formerWebhookId: Nullable(id<SubscriptionId>()),
    }),
  ),
  exceptId: Nullable(Type.String()),
};

/** TABLE: the payload of each kind of job. */
export const PAYLOADS = {
  "upstream.process": versioned(Type.Object({ envelopeId: Type.Integer() })),
  "message.deliver": versioned(
    Type.Object({ messageId: id<MessageId>(), channelId: id<ChannelId>(), chat: Type.String(), environment }),
  ),
  "message.fall-back": versioned(Type.Object({ messageId: id<MessageId>(), channelId: id<ChannelId>() })),
  "message.operate": versioned(
    Type.Object({ messageId: id<MessageId>(), channelId: id<ChannelId>(), chat: Type.String(), action }),
  ),
  "scheduled.accept": versioned(Type.Object({ scheduledId: id(), channelId: id<ChannelId>() })),
  "lookup.run": versioned(Type.Object({ taskId: id(), channelId: id<ChannelId>() })),
  "bulk.send": versioned(Type.Object({ batchId: id<BatchId>(), channelId: id<ChannelId>(), environment })),
  "event.dispatch": DELIVERY,
  "event.retry": DELIVERY,
  "event.fan-out": versioned(Type.Object({ ...reach, eventSeq: Type.Integer(), after: Type.String() })),
  "subscription.resume": SUBSCRIPTION,
  "subscription.retry": versioned(
    Type.Object({
      subscriptionId: id<SubscriptionId>(),
      isNewSeries: Type.Boolean(),
      withUntried: Type.Boolean(),
      afterSeq: Type.Integer(),
    }),
  ),
  "subscription.release": versioned(Type.Object({ subscriptionId: id<SubscriptionId>(), afterSeq: Type.Integer() })),
  "subscription.forget": SUBSCRIPTION,
  "account.join-rest": versioned(
    Type.Object({
      accountId: id<TenantId>(),
      channelIds: Type.Array(id<ChannelId>()),
      isLast: Type.Boolean(),
      table: Type.Integer(),
      after: Type.Integer(),
    }),
  ),
  "contacts.index": versioned(Type.Object({ tenantId: id<TenantId>(), after: Type.Integer() })),
  "member.forget": versioned(Type.Object({ tenantId: id<TenantId>(), userId: id() })),
  "channel.forget": CHANNEL,
  "channels.refresh": NOTHING,
  "channel.refresh": CHANNEL,
  "channel.reset": CHANNEL,
  "channel.unlink": CHANNEL,
  "channel.announce-qr": CHANNEL,
  "channel.give-up": CHANNEL,
  "templates.sync": CHANNEL,
  "templates.sync-all": versioned(Type.Object({ afterId: Type.Optional(Type.String()) })),
  "media.download": versioned(
    Type.Object({
      mediaId: id(),
      tenantId: id<TenantId>(),
      channelId: id<ChannelId>(),
      channelKind: id<ChannelKind>(),
      environment,
      file,
      domainEvent: received,
    }),
  ),
  "media.erase": versioned(Type.Object({ key: Type.String({ minLength: 1 }) })),
  "media.forget": CHANNEL,
  "media.expire": NOTHING,
  "agent.respond": versioned(
    Type.Object({
      tenantId: id<TenantId>(),
      channelId: id<ChannelId>(),
      contactKey: Type.String(),
      messageId: id<MessageId>(),
      conversationId: id(),
      turnId: id(),
    }),
  ),
  "conversation.release-idle": versioned(Type.Object({ channelId: id<ChannelId>(), chat: Type.String() })),
  "agent.forget": CHANNEL,
  "agents.expire": NOTHING,
  "document.ingest": versioned(Type.Object({ documentId: id(), tenantId: id<TenantId>() })),
  "document.forget": versioned(Type.Object({ documentId: id(), channelId: id<ChannelId>() })),
  "invoices.close": NOTHING,
  "invoices.reconcile": NOTHING,
  "charges.account": CHANNEL,
  "charges.compare": versioned(Type.Object({ afterId: Type.Optional(Type.String()) })),
  "invoice.issue": versioned(Type.Object({ invoiceId: id<InvoiceId>(), tenantId: id<TenantId>() })),
  "processor.apply": versioned(Type.Object({ eventId: id() })),
  "dunning.run": NOTHING,
  "mail.send": versioned(Type.Object({ mailId: id() })),
  "user.recover": versioned(Type.Object({ emailKey: Type.String({ minLength: 1 }) })),
  "alerts.look": NOTHING,
  "alert.send": versioned(Type.Object({ noticeId: id(), way: OneOf(["url", "telegram"]) })),
  "call.ring-out": CALL,
  "call.end": CALL,
  "call.end-at-network": versioned(Type.Object({ callId: id(), channelId: id<ChannelId>() })),
  "recordings.expire": NOTHING,
  "person.erase": versioned(Type.Object({ erasureId: id() })),
  "store.prune": NOTHING,
  "backup.make": NOTHING,
  "updates.look": NOTHING,
} as const;

/** Every kind of background work with what it carries. */
export type JobPayloads = { [Name in keyof typeof PAYLOADS]: ValueOf<(typeof PAYLOADS)[Name]> };
