import type { DeliveryOutcome } from "../../contract/ports/delivery-target.ts";
import { AppError } from "../../kernel/errors.ts";
import { gatewaySecret, newId } from "../../kernel/ids.ts";
import { findChannel } from "../../store/tables/channels/channels.ts";
import type { SubscriptionRow } from "../../store/tables/events/subscriptions.ts";
import { EVERY_TENANT } from "../../store/tables/scope.ts";
import { allowOperation, type LimitEnv, secondsUntilReset } from "../tenancy/accounts/limits.ts";
import type { EventsEnv } from "./env.ts";
import { outgoingOf } from "./outgoing.ts";

const TESTS_PER_MINUTE = 10;

type TestEnv = EventsEnv & LimitEnv;

/** An endpoint's answer to a test. */
export type TestOutcome = DeliveryOutcome & { eventId: string };

/**
 * The requested event. `type` is the audience's name of an event type. `isForged`: it is signed with a secret that
 * nobody knows, so that an endpoint which checks signatures refuses it.
 */
export type TestAsked = { type: string; isForged: boolean };

/**
 * Sends one signed sample event to a webhook at once, even if the webhook does not want events of this type or is
 * paused. It is sent once, stored nowhere, and changes neither the breaker nor any count. A header marks it as a test.
 * @throws AppError OPERATION_LIMIT_REACHED after 10 tests of the tenant within a minute
 */
export const testSubscription = async (
  env: TestEnv,
  subscription: SubscriptionRow,
  { type, isForged }: TestAsked,
): Promise<TestOutcome> => {
  const { tenantId, environment } = subscription;
  const allowance = allowOperation(env, tenantId, "webhook.test", TESTS_PER_MINUTE);
  if (allowance.isExceeded)
    throw new AppError("OPERATION_LIMIT_REACHED", {
      message: `At most ${TESTS_PER_MINUTE} tests of webhooks may be made in a minute.`,
      retryAfterSeconds: secondsUntilReset(env, allowance),
    });
  const id = newId(env);
  const { channelId } = subscription;
  const channel =
    channelId === null ? undefined : await env.db.read((reader) => findChannel(reader, EVERY_TENANT, channelId));
  const published = {
    id,
    tenantId,
    channelId,
    kind: channel?.kind ?? null,
    environment,
    createdAt: env.clock.now(),
  };
  const audience = env.audiences.of(subscription.audience);
  const sample = audience.sample(published, type);
  if (!sample) throw new Error(`there is no sample of the event ${type}`);
  const event = { id, audience: audience.name, ...sample };
  const outgoing = outgoingOf(env, subscription, {
    event,
    orderingKey: `test/${id}`,
    requestId: null,
    attempt: 1,
    isTest: true,
    ...(isForged ? { forgedSecret: gatewaySecret(env.random) } : {}),
  });
  return { ...(await env.target.send(outgoing)), eventId: id };
};
