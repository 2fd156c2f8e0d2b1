import { describe, expect, test } from "bun:test";
import { dropKept } from "../../../../../src/core/media/kept.ts";
import { checkedBatch } from "../../../../../src/core/messaging/batches/batch-input.ts";
import { createBatch } from "../../../../../src/core/messaging/batches/batches.ts";
import type { MessagingEnv } from "../../../../../src/core/messaging/env.ts";
import { scheduleMessage } from "../../../../../src/core/messaging/scheduled/schedule.ts";
import { acceptMessage } from "../../../../../src/core/messaging/sending/accept.ts";
import type { Envelope } from "../../../../../src/core/messaging/sending/sendable.ts";
import { callerIn, LOCAL } from "../../../../../src/core/tenancy/audit/audit.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../../src/kernel/clock.ts";
import { TO } from "../../../../support/customers/customer.ts";
import { AFTER_MINUTES, useTwoPhones } from "../../../../support/customers/failover.ts";
import { FILES, filesOf } from "../../../../support/customers/media.ts";
import { scheduled } from "../../../../support/customers/scheduled.ts";
import { putTemplate, TEMPLATE_PARTS, type TemplatePart } from "../../../../support/customers/template-parts.ts";

const { w, c } = useTwoPhones();
const PICTURE = TEMPLATE_PARTS["a picture header"] as TemplatePart;
const EXPIRY_MS = 7 * DAY_MS;

const kept = async (): Promise<string> => {
  const body = { base64: Buffer.from(FILES.png).toString("base64") };
  return (await w.gateway("/v1/media/files/base64", { key: c.key, body })).body.mediaHandle;
};
const withFile = (mediaHandle: string) => ({ name: "novo", headerMedia: { type: "image" as const, mediaHandle } });
const put = () => putTemplate(w, { key: c.key, phone: c.official }, PICTURE);
const hasFile = (handle: string): boolean => filesOf(w).some((file) => file.includes(handle.slice("file-".length)));
const scope = () => callerIn(c.accountId, LOCAL);

describe("G-375 the file of a fallback's template", () => {
  test("is sent although its handle ends while the fallback waits, and goes with it", async () => {
    await put();
    const handle = await kept();
    await w.advance(EXPIRY_MS - MINUTE_MS);
    await c.lost();
    await c.sentWith({ template: withFile(handle), reasons: ["lost"] });
    await w.advance(AFTER_MINUTES * MINUTE_MS);
    await w.settle();
    expect(c.templates()).toHaveLength(1);
    await w.advance(2 * HOUR_MS);
    expect(hasFile(handle)).toBe(false);
  });

  test("is sent although it ends while its message is scheduled, also beside a file of the message", async () => {
    await put();
    const [own, ofFallback] = [await kept(), await kept()];
    await scheduled(w, c, EXPIRY_MS + HOUR_MS, {
      type: "image",
      content: { mediaHandle: own },
      fallback: c.fallback({ template: withFile(ofFallback), reasons: ["lost"] }),
    });
    await w.advance(EXPIRY_MS + 30 * MINUTE_MS);
    expect([own, ofFallback].map(hasFile)).toEqual([true, true]);
    await c.lost();
    await w.advance(HOUR_MS);
    expect(c.templates()).toHaveLength(1);
  });
});

/** TABLE: the writes that accept work with the file of a template, and the field that each refuses. */
const WRITES: Record<string, { accept(env: MessagingEnv, handle: string): Promise<unknown>; path: string }> = {
  "a message with a fallback": {
    accept: (env, handle) =>
      acceptMessage(env, scope(), envelope(handle), {
        environment: "live",
        mustBeConnected: true,
        acceptedBy: null,
        requestId: null,
      }),
    path: "fallback.template.headerMedia.mediaHandle",
  },
  "a scheduled message with a fallback": {
    accept: (env, handle) =>
      scheduleMessage(
        env,
        scope(),
        { scheduledAt: w.clock.now() + HOUR_MS, envelope: envelope(handle) },
        { requestId: null },
      ),
    path: "fallback.template.headerMedia.mediaHandle",
  },
  "a batch of a template": {
    accept: (env, handle) => batch(env, { channelId: c.official.id, template: withFile(handle) }),
    path: "template.headerMedia.mediaHandle",
  },
  "a batch with a fallback": {
    accept: (env, handle) => batch(env, { channelId: c.phone.id, text: "olá", fallback: fallbackWith(handle) }),
    path: "fallback.template.headerMedia.mediaHandle",
  },
};
const fallbackWith = (handle: string) => ({
  channelId: c.official.id,
  template: withFile(handle),
  afterMinutes: AFTER_MINUTES,
  reasons: ["lost" as const],
  mayArriveTwice: false,
});
const envelope = (handle: string): Envelope => ({
  channelId: c.phone.id,
  to: TO,
  type: "text",
  content: { text: "olá" },
  fallback: fallbackWith(handle),
});
const batch = (env: MessagingEnv, input: Omit<Parameters<typeof checkedBatch>[0], "recipients">) =>
  createBatch(env, scope(), checkedBatch({ ...input, recipients: [TO] }), {
    environment: "live",
    messagesPerDay: 100,
    requestId: null,
  });

test.each(Object.keys(WRITES))("G-375 %s is refused in its write if the file was deleted before", async (name) => {
  const { accept, path } = WRITES[name] as (typeof WRITES)[string];
  await put();
  const handle = await kept();
  const { env } = w.app;
  const write: typeof env.db.write = async (...given) => {
    await dropKept(env, scope(), handle);
    return env.db.write(...given);
  };
  const late = { ...env, db: Object.assign(Object.create(env.db), { write }) };
  const refusal = await accept(late, handle).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: "VALIDATION", issues: [{ path }] });
});
