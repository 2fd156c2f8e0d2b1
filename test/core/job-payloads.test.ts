import { describe, expect, test } from "bun:test";
import { JOBS, type JobPayloads } from "../../src/core/jobs.ts";

const [A, B, C] = [
  "0198a000-1111-4222-8333-444455556666",
  "0198a000-2222-4222-8333-444455556666",
  "0198a000-3333-4222-8333-444455556666",
];
const contact = { canonicalKey: "pn:5511999990001", type: "pn", pn: "5511999990001", lid: null };
const received = {
  type: "message.received",
  messageId: C,
  at: 1,
  direction: "inbound",
  isHistory: false,
  media: null,
  from: contact,
  chat: contact,
  pushName: null,
  content: { type: "image", text: "até logo" },
  quotedMessageId: null,
  to: null,
  conversationId: null,
};

/**
 * A text of every released version of every kind, oldest first, as it lies in databases. A line is only ever added:
 * what stands here is on the disks of others.
 */
const RELEASED: Record<keyof JobPayloads, readonly object[]> = {
  "upstream.process": [{ envelopeId: 1 }],
  "message.deliver": [{ messageId: A, channelId: B, chat: "pn:1", environment: "live" }],
  "message.fall-back": [{ messageId: A, channelId: B }],
  "message.operate": [{ messageId: A, channelId: B, chat: "pn:1", action: { name: "react", emoji: "" } }],
  "scheduled.accept": [{ scheduledId: A, channelId: B }],
  "lookup.run": [{ taskId: A, channelId: B }],
  "bulk.send": [{ batchId: A, channelId: B, environment: "test" }],
  "event.dispatch": [{ deliveryId: A, subscriptionId: B, chat: "pn:1" }],
  "event.retry": [{ deliveryId: A, subscriptionId: B, chat: "" }],
  "event.fan-out": [
    {
      tenantId: A,
      environment: "live",
      channel: { id: B, sharedWebhookId: null, formerWebhookId: C },
      exceptId: null,
      eventSeq: 1,
      after: "",
    },
  ],
  "subscription.resume": [{ subscriptionId: A }],
  "subscription.retry": [{ subscriptionId: A, isNewSeries: true, withUntried: false, afterSeq: 0 }],
  "subscription.release": [{ subscriptionId: A, afterSeq: 0 }],
  "subscription.forget": [{ subscriptionId: A }],
  "account.join-rest": [{ accountId: A, channelIds: [B], isLast: true, table: 1, after: 2 }],
  "contacts.index": [{ tenantId: A, after: 0 }],
  "member.forget": [{ tenantId: A, userId: B }],
  "channel.forget": [{ channelId: A }],
  "channels.refresh": [{}],
  "channel.refresh": [{ channelId: A }],
  "channel.reset": [{ channelId: A }],
  "channel.unlink": [{ channelId: A }],
  "channel.announce-qr": [{ channelId: A }],
  "channel.give-up": [{ channelId: A }],
  "templates.sync": [{ channelId: A }],
  "templates.sync-all": [{}],
  "media.download": [
    {
      mediaId: A,
      tenantId: A,
      channelId: B,
      channelKind: "WABA",
      environment: "live",
      file: { nativeId: "1", contentType: "image/jpeg" },
      domainEvent: received,
    },
  ],
  "media.erase": [{ key: "media/a" }],
  "media.forget": [{ channelId: A }],
  "media.expire": [{}],
  "agent.respond": [{ tenantId: A, channelId: B, contactKey: "pn:1", messageId: C, conversationId: A, turnId: B }],
  "conversation.release-idle": [{ channelId: A, chat: "pn:1" }],
  "agent.forget": [{ channelId: A }],
  "agents.expire": [{}],
  "document.ingest": [{ documentId: A, tenantId: B }],
  "document.forget": [{ documentId: A, channelId: B }],
  "invoices.close": [{}],
  "invoices.reconcile": [{}],
  "charges.account": [{ channelId: A }],
  "charges.compare": [{ afterId: A }],
  "invoice.issue": [{ invoiceId: A, tenantId: B }],
  "processor.apply": [{ eventId: "evt_1" }],
  "dunning.run": [{}],
  "mail.send": [{ mailId: A }],
  "user.recover": [{ emailKey: "a@b.example" }],
  "call.ring-out": [{ callId: A }],
  "call.end": [{ callId: A }],
  "call.end-at-network": [{ callId: A, channelId: B }],
  "recordings.expire": [{}],
  "person.erase": [{ erasureId: A }],
  "store.prune": [{}],
  "alerts.look": [{}],
  "alert.send": [{ noticeId: "n", way: "url" }],
  "backup.make": [{}],
  "updates.look": [{}],
};

describe("what jobs carry", () => {
  test.each(Object.entries(RELEASED))(
    "%s: every released version is read, and the newest has a fixture",
    (name, texts) => {
      const format = JOBS[name as keyof JobPayloads].payload;
      expect(texts).toHaveLength(format.version);
      for (const [at, text] of texts.entries()) expect(format.decode(JSON.stringify(text), at + 1).ok).toBe(true);
    },
  );

  test.each<string>(["react", "edit", "delete", "read", "typing"])(
    "an operation that is a %s keeps what it is",
    (name) => {
      const more: Record<string, object> = { react: { emoji: "👍" }, edit: { text: "new" } };
      const action = { name, ...more[name] };
      const text = JSON.stringify({ messageId: A, channelId: B, chat: "pn:1", action });
      expect(JOBS["message.operate"].payload.decode(text, 1)).toMatchObject({ ok: true, value: { action } });
    },
  );

  test("an operation that nobody knows is refused", () => {
    const text = JSON.stringify({ messageId: A, channelId: B, chat: "pn:1", action: { name: "explode" } });
    expect(JOBS["message.operate"].payload.decode(text, 1)).toMatchObject({ ok: false, why: { is: "damaged" } });
  });
});
