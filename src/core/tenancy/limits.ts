import { sourceOf } from "../../kernel/client-address.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Allowance } from "../../runtime/rate-limit.ts";
import type { PlatformPlan } from "../../store/tenants.ts";
import { type LastingLimiter, OF_ADDRESS } from "./lasting-limiter.ts";
import { limitsOf } from "./plans.ts";

export type { Allowance } from "../../runtime/rate-limit.ts";

export type LimitEnv = {
  clock: Clock;
  limiter: LastingLimiter;
  rates: { gatewayPerMinute: number; gatewaySendsPerMinute: number; addressPerMinute: number };
};

/** Whole seconds until the window ends, at least one. */
export const secondsUntilReset = ({ clock }: Pick<LimitEnv, "clock">, { resetAt }: Allowance): number =>
  Math.max(1, Math.ceil((resetAt - clock.now()) / 1000));

/**
 * Requests without a valid identity are limited by where they come from, at each part of the server (`at`) by itself.
 */
export const allowAddress = (
  { clock, limiter }: Pick<LimitEnv, "clock" | "limiter">,
  { at, address, perMinute }: { at: string; address: string; perMinute: number },
): Allowance => limiter.take(`${OF_ADDRESS}${at}/${sourceOf(address)}`, perMinute, clock.now());

const forged = (address: string): string => `${OF_ADDRESS}forged/${sourceOf(address)}`;

/**
 * How many requests with a wrong signature an address has sent in this minute: beyond the limit none of its requests to
 * receivers is looked at.
 */
export const forgeriesOf = ({ clock, limiter, rates }: LimitEnv, address: string): Allowance =>
  limiter.peek(forged(address), rates.addressPerMinute, clock.now());
export const noteForgery = ({ clock, limiter, rates }: LimitEnv, address: string): void =>
  void limiter.take(forged(address), rates.addressPerMinute, clock.now());

/** A request of a user who has yet to choose an institution. */
export const allowUser = ({ clock, limiter, rates }: LimitEnv, userId: string): Allowance =>
  limiter.take(`user:${userId}`, rates.addressPerMinute, clock.now());

/** A request of an account; what sends a message counts in a window of its own as well. */
export const allowAccount = ({ clock, limiter, rates }: LimitEnv, tenantId: string, isSend: boolean): Allowance => {
  const now = clock.now();
  const sends = `account-sends:${tenantId}`;
  if (isSend) {
    const ofSends = limiter.peek(sends, rates.gatewaySendsPerMinute, now);
    if (ofSends.isExceeded) return ofSends;
  }
  const all = limiter.take(`account:${tenantId}`, rates.gatewayPerMinute, now);
  if (isSend && !all.isExceeded) limiter.take(sends, rates.gatewaySendsPerMinute, now);
  return all;
};

/**
 * A request of an institution, within its plan and, where it came with a key, within the key's own limit. The answer is
 * the tighter of both.
 */
export const allowInstitution = (
  { clock, limiter }: LimitEnv,
  who: { tenantId: string; plan: PlatformPlan | null; keyId?: string; keyLimit?: number },
): Allowance => {
  const now = clock.now();
  const planLimit = limitsOf(who.plan).requestsPerMinute;
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
 * A request for an operation that has a window of its own, which all keys and users of the institution share; it counts
 * in the general windows as well.
 */
export const allowOperation = (
  { clock, limiter }: LimitEnv,
  tenantId: string,
  operation: string,
  perMinute: number,
): Allowance => limiter.take(`operation:${tenantId}:${operation}`, perMinute, clock.now());
