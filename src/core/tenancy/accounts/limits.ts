import type { Clock } from "../../../kernel/clock.ts";
import { sourceOf } from "../../../kernel/network/client-address.ts";
import type { Allowance } from "../../../runtime/rate-limit.ts";
import type { PlatformPlan } from "../../../store/tables/tenancy/tenants.ts";
import { type LastingLimiter, OF_ADDRESS } from "./lasting-limiter.ts";
import { planLimits } from "./plans.ts";

export type { Allowance } from "../../../runtime/rate-limit.ts";

export type LimitEnv = {
  clock: Clock;
  limiter: LastingLimiter;
  rates: { gatewayPerMinute: number; gatewaySendsPerMinute: number; addressPerMinute: number };
};

/** Whole seconds until the window ends, at least one. */
export const secondsUntilReset = ({ clock }: Pick<LimitEnv, "clock">, { resetAt }: Allowance): number =>
  Math.max(1, Math.ceil((resetAt - clock.now()) / 1000));

/**
 * Limits requests without valid credentials by their address. Each part of the server (`at`) has a window of its own.
 */
export const allowAddress = (
  { clock, limiter }: Pick<LimitEnv, "clock" | "limiter">,
  { at, address, perMinute }: { at: string; address: string; perMinute: number },
): Allowance => limiter.take(`${OF_ADDRESS}${at}/${sourceOf(address)}`, perMinute, clock.now());

const forged = (address: string): string => `${OF_ADDRESS}forged/${sourceOf(address)}`;

/**
 * Counts requests with a wrong signature by address. Above the limit, the receivers refuse all requests of the address
 * for the rest of the minute.
 */
export const forgeriesOf = ({ clock, limiter, rates }: LimitEnv, address: string): Allowance =>
  limiter.peek(forged(address), rates.addressPerMinute, clock.now());
export const noteForgery = ({ clock, limiter, rates }: LimitEnv, address: string): void =>
  void limiter.take(forged(address), rates.addressPerMinute, clock.now());

/** Limits requests of a user who has not chosen an institution yet. */
export const allowUser = ({ clock, limiter, rates }: LimitEnv, userId: string): Allowance =>
  limiter.take(`user:${userId}`, rates.addressPerMinute, clock.now());

/**
 * Limits requests of an account. A request that sends a message also counts in the window of sends. The answer contains
 * the tighter window.
 */
export const allowAccount = ({ clock, limiter, rates }: LimitEnv, tenantId: string, isSend: boolean): Allowance => {
  const now = clock.now();
  const sends = `account-sends:${tenantId}`;
  if (isSend) {
    const ofSends = limiter.peek(sends, rates.gatewaySendsPerMinute, now);
    if (ofSends.isExceeded) return ofSends;
  }
  const all = limiter.take(`account:${tenantId}`, rates.gatewayPerMinute, now);
  if (!isSend || all.isExceeded) return all;
  const ofSends = limiter.take(sends, rates.gatewaySendsPerMinute, now);
  return ofSends.remaining < all.remaining ? ofSends : all;
};

/** Counts the further sends of a request of an account. Counts none of them where the window has no room for all. */
export const allowFurtherSends = ({ clock, limiter, rates }: LimitEnv, tenantId: string, more: number): Allowance => {
  const [sends, now] = [`account-sends:${tenantId}`, clock.now()];
  const before = limiter.peek(sends, rates.gatewaySendsPerMinute, now);
  const isExceeded = before.remaining < more;
  for (let counted = 0; !isExceeded && counted < more; counted++) limiter.take(sends, rates.gatewaySendsPerMinute, now);
  return { ...before, isExceeded };
};

/**
 * Limits requests of a person in the console. They count in windows of the person, as wide as those of an account: a
 * page sends many requests at once. It must neither use up the limits of the account's programs, nor be refused because
 * of them.
 */
export const allowPerson = (
  { clock, limiter, rates }: LimitEnv,
  person: { kind: string; id: string },
  isSend: boolean,
): Allowance => {
  const now = clock.now();
  const name = `${person.kind}:${person.id}`;
  const all = limiter.take(`console:${name}`, rates.gatewayPerMinute, now);
  if (!isSend || all.isExceeded) return all;
  const ofSends = limiter.take(`console-sends:${name}`, rates.gatewaySendsPerMinute, now);
  return ofSends.remaining < all.remaining || ofSends.isExceeded ? ofSends : all;
};

/** The requests that an account has left in this minute; counts nothing. */
export const allowancesOf = (
  { clock, limiter, rates }: LimitEnv,
  tenantId: string,
): { requests: Allowance; sends: Allowance } => ({
  requests: limiter.peek(`account:${tenantId}`, rates.gatewayPerMinute, clock.now()),
  sends: limiter.peek(`account-sends:${tenantId}`, rates.gatewaySendsPerMinute, clock.now()),
});

/** The requests that an institution has left in this minute by its plan; counts nothing. */
export const allowanceOfPlan = (
  { clock, limiter }: Pick<LimitEnv, "clock" | "limiter">,
  { tenantId, plan }: { tenantId: string; plan: PlatformPlan | null },
): Allowance => limiter.peek(`institution:${tenantId}`, planLimits(plan).requestsPerMinute, clock.now());

/**
 * Limits requests of an institution by its plan and, for a request with a key, by the key's own limit. The answer
 * contains the tighter one.
 */
export const allowInstitution = (
  { clock, limiter }: LimitEnv,
  who: { tenantId: string; plan: PlatformPlan | null; keyId?: string; keyLimit?: number },
): Allowance => {
  const now = clock.now();
  const planLimit = planLimits(who.plan).requestsPerMinute;
  if (who.keyId === undefined || who.keyLimit === undefined)
    return limiter.take(`institution:${who.tenantId}`, planLimit, now);
  const ofKey = limiter.peek(`key:${who.keyId}`, who.keyLimit, now);
  if (ofKey.isExceeded) return ofKey;
  const ofPlan = limiter.take(`institution:${who.tenantId}`, planLimit, now);
  if (ofPlan.isExceeded) return ofPlan;
  const counted = limiter.take(`key:${who.keyId}`, who.keyLimit, now);
  return counted.remaining < ofPlan.remaining ? counted : ofPlan;
};

/**
 * Limits an operation with a window of its own, which all keys and users of the institution share. It also counts in
 * the general windows.
 */
export const allowOperation = (
  { clock, limiter }: LimitEnv,
  tenantId: string,
  operation: string,
  perMinute: number,
): Allowance => limiter.take(`operation:${tenantId}:${operation}`, perMinute, clock.now());
