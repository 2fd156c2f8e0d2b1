import type { OutgoingDelivery } from "../../contract/ports/delivery-target.ts";
import type { SubscriptionId } from "../../kernel/ids.ts";
import type { EventRow } from "../../store/tables/events/events.ts";
import type { SubscriptionRow } from "../../store/tables/events/subscriptions.ts";
import type { SigningSecrets } from "../domain-event.ts";
import type { EventsEnv } from "./env.ts";
import { headersOf, type OwnHeaders, ownHeaders } from "./own-headers.ts";
import { urlOf } from "./webhook-url.ts";

/** The row that the sealed secret of a webhook is bound to. */
export const secretRow = (id: SubscriptionId): string => `subscriptions:${id}:secret`;

type Secrets = EventsEnv["secrets"];

/**
 * Secrets that open each text of a webhook's row once. The opened texts live as long as the row is in memory: a change,
 * a rotation and a removal discard both. See docs/decisions/0020-deliveries-from-memory.md.
 */
const rememberedBy = new WeakMap<SubscriptionRow, Secrets>();
const remembering = (secrets: Secrets, subscription: SubscriptionRow): Secrets => {
  const known = rememberedBy.get(subscription);
  if (known) return known;
  const opened = new Map<string, string>();
  const made: Secrets = {
    ...secrets,
    open(row, sealed) {
      const plain = opened.get(sealed) ?? secrets.open(row, sealed);
      opened.set(sealed, plain);
      return plain;
    },
  };
  rememberedBy.set(subscription, made);
  return made;
};

/** The secrets that sign the deliveries of a webhook. The previous one is included until it expires. */
export const signingSecretsOf = (
  { clock, secrets }: Pick<EventsEnv, "clock" | "secrets">,
  { id, secret, previousSecret, previousSecretUntil }: SubscriptionRow,
): SigningSecrets => {
  const isStillGood = previousSecret !== null && (previousSecretUntil ?? 0) > clock.now();
  return {
    secret: secrets.open(secretRow(id), secret),
    previousSecret: isStillGood ? secrets.open(secretRow(id), previousSecret) : undefined,
  };
};

const MAX_BODY_BYTES = 256 * 1024;
const REQUEST_HEADER = "X-Request-Id";

/** The id of the request behind an event, unless the webhook has its own header with that name. */
const requestHeader = (own: OwnHeaders, requestId: string | null): Record<string, string> => {
  const isTaken = Object.keys(own).some((name) => name.toLowerCase() === REQUEST_HEADER.toLowerCase());
  return requestId === null || isTaken ? {} : { [REQUEST_HEADER]: requestId };
};

type Attempted = {
  event: Pick<EventRow, "id" | "audience" | "type" | "body">;
  /** The body with what is too large to be kept (`Audience.filled`), which goes out whole. */
  filled?: string;
  orderingKey: string;
  /** The id of the request that asked for the message of the event; null for every other event. */
  requestId: string | null;
  /** From 1. */
  attempt: number;
  isTest: boolean;
  /** Signs a test in place of the secrets. */
  forgedSecret?: string;
};

/**
 * One attempt as it goes out: the frozen body, adapted to the subscription and cut if it is over 256 KiB, its
 * signatures, and the webhook's own headers.
 */
export const outgoingOf = (
  { audiences, clock, secrets }: Pick<EventsEnv, "audiences" | "clock" | "secrets">,
  subscription: SubscriptionRow,
  { event, filled, orderingKey, requestId, attempt, isTest, forgedSecret }: Attempted,
): OutgoingDelivery => {
  const env = { audiences, clock, secrets: remembering(secrets, subscription) };
  const audience = env.audiences.of(event.audience);
  const adapted = audience.adapt?.(event.body, subscription.profile) ?? event.body;
  const kept = Buffer.byteLength(adapted) > MAX_BODY_BYTES ? audience.cut(adapted) : adapted;
  const body = filled ?? kept;
  const signed = audience.headers({
    eventId: event.id,
    eventType: event.type,
    body,
    ...(forgedSecret === undefined
      ? signingSecretsOf(env, subscription)
      : { secret: forgedSecret, previousSecret: undefined }),
    attempt,
    atMs: env.clock.now(),
    isTest,
  });
  const own = ownHeaders(env, headersOf(subscription));
  const headers = { ...own, ...requestHeader(own, requestId), ...signed };
  const url = urlOf(env, subscription);
  const address = audience.addressOf?.(url, event.type, subscription.profile) ?? url;
  return { url: address, eventId: event.id, eventType: event.type, orderingKey, headers, body };
};
