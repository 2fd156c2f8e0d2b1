import { GATEWAY } from "../../src/apis/gateway/events/render.ts";
import type { App } from "../../src/app.ts";
import { writePast } from "../../src/commands/demo/past.ts";
import type { LinkState } from "../../src/contract/events.ts";
import { createSubscription } from "../../src/core/events/subscriptions.ts";
import { callerIn, LOCAL } from "../../src/core/tenancy/audit/audit.ts";
import { DAY_MS, iso } from "../../src/kernel/clock.ts";
import { type ChannelId, type MessageId, newId, type SubscriptionId, type TenantId } from "../../src/kernel/ids.ts";
import type { Tx } from "../../src/store/engine/db.ts";
import { insertChannel } from "../../src/store/tables/channels/channels.ts";
import { insertAttempt } from "../../src/store/tables/events/attempts.ts";
import { insertDelivery, insertEvent } from "../../src/store/tables/events/events.ts";

/** The amounts for one account, which the console must bear (design/console.md, section 4). */
export type Load = { phones: number; conversations: number; messagesEach: number; deadLetters: number };
export const LOAD: Load = { phones: 500, conversations: 5000, messagesEach: 20, deadLetters: 10_000 };

type LoadEnv = App["env"];
const PER_WRITE = 200;
const DAYS = 30;

/** TABLE: the number of phones in each state, of 20. */
const STATES: readonly LinkState[] = [
  ...Array.from({ length: 16 }, () => "CONNECTED" as const),
  "RESTRICTED",
  "DISCONNECTED",
  "TOKEN_EXPIRED",
  "FAILED",
];

/** Fills an account with a load for the console, straight into the tables. Nothing is sent. */
export const seedLoad = async (env: LoadEnv, tenantId: TenantId, load: Load = LOAD): Promise<void> => {
  const toMs = env.clock.now();
  const fromMs = toMs - DAYS * DAY_MS;
  const channelIds = Array.from({ length: load.phones }, () => newId<ChannelId>(env));
  await inWrites(env, load.phones, (tx, index) =>
    addPhone(tx, { tenantId, id: channelIds[index] as ChannelId, index, fromMs }),
  );
  const { conversations, messagesEach: messages } = load;
  await writePast(env, { tenantId, channelIds, conversations, messages, fromMs, toMs });
  const webhook = await createSubscription(
    env,
    callerIn(tenantId, LOCAL),
    { audience: GATEWAY, kind: "shared" },
    { name: "Shop system", url: "https://shop.example.com/hook", secret: "a-secret-of-the-load", events: [] },
  );
  await inWrites(env, load.deadLetters, (tx, index) =>
    addDeadLetter(env, tx, {
      tenantId,
      channelId: channelIds[index % channelIds.length] as ChannelId,
      subscriptionId: webhook.id,
      at: Math.floor(fromMs + ((toMs - fromMs) * index) / load.deadLetters),
    }),
  );
};

const inWrites = async (
  { db }: LoadEnv,
  count: number,
  write: (tx: Tx, index: number) => Promise<void>,
): Promise<void> => {
  for (let first = 0; first < count; first += PER_WRITE)
    await db.write(
      async (tx) => {
        for (let index = first; index < Math.min(count, first + PER_WRITE); index++) await write(tx, index);
      },
      { isDurable: false },
    );
};

/** An official number needs no link, so a starting server asks no network. */
const addPhone = (
  tx: Tx,
  { tenantId, id, index, fromMs }: { tenantId: TenantId; id: ChannelId; index: number; fromMs: number },
): Promise<void> =>
  insertChannel(tx, {
    id,
    tenantId,
    kind: "WABA",
    holdsConnection: false,
    label: `Loja ${index + 1}`,
    environment: "live",
    state: STATES[index % STATES.length] ?? "CONNECTED",
    phoneNumber: `5511${String(30_000_000 + index)}`,
    numberId: `load-${id}`,
    accountId: null,
    verifyTokenHash: null,
    isWebhookConfigured: true,
    profile: {},
    sharedWebhookId: null,
    validatedAt: fromMs,
    connectedAt: fromMs,
    disconnectedAt: null,
    stateSince: fromMs,
    templatesAskedAt: null,
    createdAt: fromMs,
    updatedAt: fromMs,
  });

type DeadLetter = { tenantId: TenantId; channelId: ChannelId; subscriptionId: SubscriptionId; at: number };

const URL = "https://shop.example.com/hook";
const REASON = "the endpoint answered 500";

const addDeadLetter = async (
  env: LoadEnv,
  tx: Tx,
  { tenantId, channelId, subscriptionId, at }: DeadLetter,
): Promise<void> => {
  const timed = { clock: { now: () => at }, random: env.random };
  const [eventId, deliveryId] = [newId(timed), newId(timed)];
  const messageId = newId<MessageId>(timed);
  const data = { phoneId: channelId, messageId, status: "delivered", timestamp: iso(at) };
  const eventSeq = await insertEvent(tx, {
    id: eventId,
    tenantId,
    channelId,
    chat: channelId,
    callId: null,
    messageId,
    direction: "outbound",
    audience: GATEWAY,
    type: "message:status",
    body: JSON.stringify({ id: eventId, type: "message:status", timestamp: iso(at), data }),
    createdAt: at,
  });
  await insertDelivery(tx, {
    id: deliveryId,
    eventSeq,
    tenantId,
    subscriptionId,
    status: "DEAD",
    chat: "",
    url: URL,
    nextAt: null,
    lastError: REASON,
    createdAt: at,
  });
  tx.run("UPDATE deliveries SET attempts = 8, last_status_code = 500 WHERE id = ?1", [deliveryId]);
  await insertAttempt(tx, {
    publicId: newId(timed),
    deliveryId,
    subscriptionId,
    eventType: "message:status",
    attempt: 8,
    isDelivered: false,
    statusCode: 500,
    failure: "status",
    error: REASON,
    response: "no room",
    durationMs: 120,
    at,
  });
};
