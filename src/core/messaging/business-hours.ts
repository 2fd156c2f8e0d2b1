import { type BusinessHours, type Openness, opennessAt, WEEKDAYS } from "../../kernel/business-hours.ts";
import { parseIso } from "../../kernel/clock.ts";
import { invalid } from "../../kernel/errors.ts";
import { issue } from "../../kernel/schema.ts";
import { timeZone } from "../../kernel/settings/setting-kinds.ts";
import type { Reader, Tx } from "../../store/engine/db.ts";
import { listClosedBatches, updateUnfinished } from "../../store/tables/messaging/batches.ts";
import { deleteBusinessHours, type HoursOwner, putBusinessHours } from "../../store/tables/messaging/business-hours.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { requireChannel } from "../channels/refusals.ts";
import { type Caller, recordAct } from "../tenancy/audit/audit.ts";
import { batchPayload } from "./batches/batch-settle.ts";
import type { MessagingEnv } from "./env.ts";
import { readHoursInForce } from "./openness.ts";

type HoursEnv = Pick<MessagingEnv, "db" | "clock">;

/** The owner of the hours of a channel. `NONE`: no hours are set, and it is always open. */
export const HOURS_SOURCES = ["CHANNEL", "ACCOUNT", "NONE"] as const;
/** The hours that apply, their owner, and whether it is open now. */
export type HoursInForce = Openness & {
  source: (typeof HOURS_SOURCES)[number];
  hours: BusinessHours | null;
  updatedAt: number | null;
};

/**
 * The hours that apply to an account, or to one of its channels: the channel's own, or the account's.
 * @throws AppError CHANNEL_NOT_FOUND
 */
export const getBusinessHours = (
  env: HoursEnv,
  scope: TenantScope,
  channelId: string | undefined,
): Promise<HoursInForce> =>
  env.db.read(async (reader) => inForce(env, reader, await ownerOf(reader, scope, channelId)));

/**
 * Sets the hours of an account or of one of its channels; null removes them. The waits of batches are computed again.
 * @throws AppError CHANNEL_NOT_FOUND, or VALIDATION for an unknown time zone, a day that is named twice, hours that
 * never open
 */
export const setBusinessHours = async (
  env: MessagingEnv,
  caller: Caller,
  channelId: string | undefined,
  hours: BusinessHours | null,
): Promise<HoursInForce> => {
  if (hours) check(hours);
  return env.db.write(async (tx) => {
    const owner = await ownerOf(tx, caller, channelId);
    if (hours) await putBusinessHours(tx, owner, { hours, updatedAt: env.clock.now() });
    else deleteBusinessHours(tx, owner);
    await recordAct(env, tx, caller, {
      action: "hours.change",
      tenantId: caller.tenantId,
      ...(owner.channelId === undefined ? {} : { target: owner.channelId }),
      details: { isSet: hours !== null },
    });
    await wakeBatches(env, tx, owner);
    return inForce(env, tx, owner);
  });
};

const ownerOf = async (r: Reader, { tenantId }: TenantScope, channelId: string | undefined): Promise<HoursOwner> => ({
  tenantId,
  channelId: channelId === undefined ? undefined : (await requireChannel(r, { tenantId }, channelId)).id,
});

const inForce = async ({ clock }: HoursEnv, r: Reader, owner: HoursOwner): Promise<HoursInForce> => {
  const { row, source } = await readHoursInForce(r, owner);
  return {
    source,
    hours: row?.hours ?? null,
    updatedAt: row?.updatedAt ?? null,
    ...opennessAt(row?.hours, clock.now()),
  };
};

const check = ({ timeZone: zone, weekly, dates }: BusinessHours): void => {
  const named = dates.map(({ date }) => date);
  const repeated = named.findIndex((date, index) => named.indexOf(date) < index);
  const unreal = named.findIndex((date) => parseIso(date) === undefined);
  const issues = [
    ...(timeZone.parse(zone) === undefined ? [issue("timeZone", "format", `must be ${timeZone.form}`)] : []),
    ...(WEEKDAYS.some((day) => (weekly[day] ?? []).length > 0)
      ? []
      : [issue("weekly", "required", "must open on at least one day")]),
    ...(repeated < 0 ? [] : [issue(`dates.${repeated}.date`, "forbidden", "is named twice")]),
    ...(unreal < 0 ? [] : [issue(`dates.${unreal}.date`, "format", "must be a day")]),
  ];
  if (issues.length > 0) throw invalid(...issues);
};

/** Wakes the batches that wait for the opening, because it may be open now. */
const wakeBatches = async (env: MessagingEnv, tx: Tx, { tenantId, channelId }: HoursOwner): Promise<void> => {
  const now = env.clock.now();
  for (const batch of await listClosedBatches(tx, tenantId, channelId)) {
    await updateUnfinished(tx, batch.id, { nextAt: now, opensAt: null });
    if (batch.pausedAt === null) env.jobs.replace(tx, "bulk.send", batchPayload(batch), { runAt: now });
  }
};
