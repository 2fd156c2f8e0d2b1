import { type BusinessHours, opennessAt } from "../../../kernel/business-hours.ts";
import { DAY_MS, othersServed, SECOND_MS, utcDayOf } from "../../../kernel/clock.ts";
import { recipientDigits } from "../../../kernel/numbers/phone-numbers.ts";
import type { ChannelRow } from "../../../store/tables/channels/channels.ts";
import { countUnfinished } from "../../../store/tables/messaging/batches.ts";
import { findTemplateByName } from "../../../store/tables/messaging/templates.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { listDailySends } from "../../../store/tables/tenancy/tenants.ts";
import { getChannel } from "../../channels/channel.ts";
import { newChatQuota } from "../../channels/quota.ts";
import { countOptedOut } from "../../conversations/opt-outs.ts";
import { isNumber, onceEach } from "../../messaging/batches/batch-input.ts";
import { checkStart, DEFAULT_DELAY_MS, MAX_RUNNING } from "../../messaging/batches/batches.ts";
import { readOpenness } from "../../messaging/openness.ts";
import { excessOfPeople, toPersonKey, writersAmong } from "../../messaging/sending/new-people.ts";
import type { BillingEnv } from "../env.ts";
import { type Estimate, estimateCost } from "./estimate.ts";

type Named = { name: string; language: string };

/** A batch before it is made. `fallback`: the template that another channel may send in place of each message. */
export type Planned = {
  channelId: string;
  to: readonly string[];
  template?: Named;
  delayMs?: number;
  startsAt?: number;
  respectHours?: boolean;
  fallback?: { channelId: string; template: Named };
};

export const FORECAST_REFUSALS = [
  "RECIPIENT_INVALID",
  "DUPLICATE_RECIPIENT",
  "TEMPLATE_NOT_APPROVED",
  "ANSWER_WINDOW_CLOSED",
  "RECIPIENT_OPTED_OUT",
  "DAY_LIMIT_REACHED",
  "NEW_PEOPLE_LIMIT_REACHED",
  "BATCH_LIMIT_REACHED",
] as const;
/** An expected refusal: of this many recipients, or of the whole batch. */
type Refusal = { code: (typeof FORECAST_REFUSALS)[number]; count: number; isWhole: boolean };

/**
 * The expected cost and duration of a batch. `fallbackCost`: the maximum additional cost, if every recipient gets the
 * fallback. `latestEndsAt`: the end if every recipient is new to the channel, and its operator's daily limit of new
 * chats applies; null without such a limit.
 */
export type Forecast = {
  recipients: number;
  refused: Refusal[];
  cost: Estimate;
  fallbackCost: Estimate | null;
  startsAt: number;
  endsAt: number;
  latestEndsAt: number | null;
};

/**
 * Forecasts a batch without making it. Nothing is stored, and no price is an amount due.
 * @throws AppError CHANNEL_NOT_FOUND, or VALIDATION for an unknown template and for a start as in `createBatch`
 */
export const forecastBatch = async (
  env: BillingEnv,
  scope: TenantScope,
  planned: Planned,
  { messagesPerDay }: { messagesPerDay: number },
): Promise<Forecast> => {
  checkStart(env.clock.now(), planned.startsAt);
  const channel = await getChannel(env, scope, planned.channelId);
  const { valid, refused } = checkedRecipients(env, channel, planned.to);
  await othersServed();
  const cost = await costOf(env, scope, { phoneId: channel.id, to: valid, template: planned.template });
  const fallbackCost = planned.fallback
    ? await costOf(env, scope, {
        phoneId: planned.fallback.channelId,
        to: valid,
        template: planned.fallback.template,
      })
    : null;
  await othersServed();
  refused.push(...(await refusalsOf(env, scope, { channel, valid, planned, messagesPerDay })));
  return { recipients: valid.length, refused, cost, fallbackCost, ...(await timesOf(env, channel, planned, valid)) };
};

const checkedRecipients = (env: BillingEnv, { kind }: ChannelRow, to: readonly string[]) => {
  const takesIds = env.registry.declared(kind)?.network.recipients === "ids";
  const given = takesIds ? to.map((one) => one.trim()) : to.map(recipientDigits);
  const formed = given.filter((one) => (takesIds ? one !== "" : isNumber(one)));
  const valid = onceEach(formed.map((one) => ({ to: one }))).flatMap((one) => (one.error ? [] : [one.to]));
  return {
    valid,
    refused: [
      ...some("RECIPIENT_INVALID", given.length - formed.length),
      ...some("DUPLICATE_RECIPIENT", formed.length - valid.length),
    ],
  };
};

const some = (code: Refusal["code"], count: number): Refusal[] => (count > 0 ? [{ code, count, isWhole: false }] : []);
const whole = (code: Refusal["code"], count: number): Refusal[] => (count > 0 ? [{ code, count, isWhole: true }] : []);

const AT_ONCE = 1000;

/** The estimate of many recipients, a part at a time, so that other work need not wait. */
const costOf = async (
  env: BillingEnv,
  scope: TenantScope,
  { phoneId, to, template }: { phoneId: string; to: readonly string[]; template: Named | undefined },
): Promise<Estimate> => {
  let sum = await estimateCost(env, scope, { phoneId, to: to.slice(0, AT_ONCE), template });
  for (let done = AT_ONCE; done < to.length && sum.isCharged; done += AT_ONCE) {
    await othersServed();
    sum = added(sum, await estimateCost(env, scope, { phoneId, to: to.slice(done, done + AT_ONCE), template }));
  }
  return sum;
};

const added = (one: Estimate, other: Estimate): Estimate => {
  const byCountry = new Map(one.byCountry.map((line) => [line.country, line]));
  for (const line of other.byCountry) {
    const { count = 0, amountMicros = 0 } = byCountry.get(line.country) ?? {};
    byCountry.set(line.country, {
      country: line.country,
      count: count + line.count,
      amountMicros: amountMicros + line.amountMicros,
    });
  }
  return {
    ...one,
    amountMicros: one.amountMicros + other.amountMicros,
    rated: one.rated + other.rated,
    unrated: one.unrated + other.unrated,
    byCountry: [...byCountry.values()].toSorted((a, b) => a.country.localeCompare(b.country)),
  };
};

type Wanted = { channel: ChannelRow; valid: readonly string[]; planned: Planned; messagesPerDay: number };

const refusalsOf = async (env: BillingEnv, scope: TenantScope, wanted: Wanted): Promise<Refusal[]> => {
  const { channel, valid, planned, messagesPerDay } = wanted;
  const startsAt = planned.startsAt ?? env.clock.now();
  const asRecipients = valid.map((to) => ({ to }));
  const excess = await excessOfPeople(env, scope, channel.id, asRecipients);
  const { sends, running } = await env.db.read(async (reader) => ({
    sends: await listDailySends(reader, scope.tenantId, utcDayOf(startsAt)),
    running: await countUnfinished(reader, channel.id, "live"),
  }));
  return [
    ...(await templateRefusal(env, wanted)),
    ...(await windowRefusal(env, wanted)),
    ...some("RECIPIENT_OPTED_OUT", await countOptedOut(env, { ...scope, environment: "live" }, valid)),
    ...whole("DAY_LIMIT_REACHED", sends + valid.length - messagesPerDay),
    ...whole("NEW_PEOPLE_LIMIT_REACHED", excess?.count ?? 0),
    ...whole("BATCH_LIMIT_REACHED", running >= MAX_RUNNING ? valid.length : 0),
  ];
};

const templateRefusal = async (env: BillingEnv, { channel, valid, planned }: Wanted): Promise<Refusal[]> => {
  const { template } = planned;
  if (!template || !env.registry.declared(channel.kind)?.capabilities.templates) return [];
  const known = await env.db.read((reader) => findTemplateByName(reader, channel.id, template));
  return known?.status === "APPROVED" ? [] : whole("TEMPLATE_NOT_APPROVED", valid.length);
};

/** A text reaches only people who have written within the network's window. */
const windowRefusal = async (env: BillingEnv, { channel, valid, planned }: Wanted): Promise<Refusal[]> => {
  const windowMs = env.registry.declared(channel.kind)?.network.answerWindowMs;
  if (planned.template || windowMs === undefined) return [];
  const people = new Set(valid.map(toPersonKey));
  const known = await writersAmong(env, channel.id, { people, sinceMs: env.clock.now() - windowMs });
  return some("ANSWER_WINDOW_CLOSED", valid.filter((one) => !known.has(toPersonKey(one))).length);
};

const timesOf = async (
  env: BillingEnv,
  channel: ChannelRow,
  { startsAt = env.clock.now(), delayMs = DEFAULT_DELAY_MS, respectHours = false }: Planned,
  valid: readonly string[],
) => {
  const hours = respectHours
    ? (
        await env.db.read((reader) =>
          readOpenness(reader, { tenantId: channel.tenantId, channelId: channel.id }, startsAt),
        )
      ).hours
    : undefined;
  const endsAt = await endOf(valid.length, { startsAt, delayMs, hours });
  // an unknown limit does not count: the channel is not connected, or its network does not answer
  const { own } = await newChatQuota(env, channel, channel.id).catch(() => ({ own: null }));
  if (own === null) return { startsAt, endsAt, latestEndsAt: null };
  const days = Math.ceil(Math.max(0, valid.length - Math.max(0, own.limit - own.used)) / Math.max(1, own.limit));
  return { startsAt, endsAt, latestEndsAt: Math.max(endsAt, startsAt + days * DAY_MS) };
};

const STEP_MS = 60 * SECOND_MS;
const STEPS_A_TURN = 200;

/** The time of the last message, at an even pace. Business hours are checked once a minute. */
const endOf = async (
  count: number,
  { startsAt, delayMs, hours }: { startsAt: number; delayMs: number; hours: BusinessHours | undefined },
): Promise<number> => {
  const gaps = Math.max(0, count - 1);
  if (!hours) return startsAt + gaps * delayMs;
  const perStep = Math.max(1, Math.floor(STEP_MS / delayMs));
  let at = opennessAt(hours, startsAt).opensAt ?? startsAt;
  for (let left = gaps, steps = 1; left > 0; left -= perStep, steps++) {
    if (steps % STEPS_A_TURN === 0) await othersServed();
    at += Math.min(left, perStep) * delayMs;
    at = opennessAt(hours, at).opensAt ?? at;
  }
  return at;
};
