import { DAY_MS, iso, utcDayOf } from "../../../kernel/clock.ts";
import type { ChannelId } from "../../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import type { Tx } from "../../../store/engine/db.ts";
import {
  type ChargeState,
  listCharges,
  listReportedCharges,
  replaceReported,
} from "../../../store/tables/billing/charges.ts";
import { type ChannelRow, findChannel, listByState, updateChannel } from "../../../store/tables/channels/channels.ts";
import { EVERY_TENANT, type TenantScope } from "../../../store/tables/scope.ts";
import type { PublishedEvent } from "../../domain-event.ts";
import type { BillingEnv } from "../env.ts";
import { type Ends, periodDays } from "./summary.ts";

/** One line of the ledger: the cost of the messages of one kind and day. `amountMicros`: millionths of `currency`. */
export type LedgerLine = {
  /** The day of the delivery in the billing time zone. */
  day: string;
  channelId: ChannelId;
  country: string | null;
  category: string | null;
  type: string | null;
  state: ChargeState;
  currency: string;
  count: number;
  amountMicros: number;
};

/** The same line by the network's own count. `amountMicros` is null if the network hides it. */
export type ReportedLine = Omit<LedgerLine, "state" | "amountMicros"> & {
  tier: string | null;
  amountMicros: number | null;
};

/** A difference between the two counts. Only the days that the network has reported are compared. */
export type LedgerDifference = Pick<LedgerLine, "day" | "channelId" | "country" | "category" | "type"> & {
  counted: number;
  reported: number;
};

export type Ledger = { lines: LedgerLine[]; reported: ReportedLine[]; differences: LedgerDifference[] };

/** A longer list is cut: ask for fewer days. */
const MOST_LINES = 5000;

const orNull = (text: string): string | null => (text === "" ? null : text);

/**
 * The network's charges to an account in a period, the current month by default, beside the network's own count.
 * @throws AppError VALIDATION as `usageSummary` does.
 */
export const readLedger = (env: BillingEnv, scope: TenantScope, asked: Ends): Promise<Ledger> => {
  const days = periodDays(env, asked);
  return env.db.read(async (reader) => {
    const lines = (await listCharges(reader, scope, days, MOST_LINES)).map((row) => ({
      ...sharedOf(row),
      state: row.state,
      amountMicros: row.micros,
    }));
    const reported = (await listReportedCharges(reader, scope, days, MOST_LINES)).map((row) => ({
      ...sharedOf(row),
      tier: orNull(row.tier),
      amountMicros: row.micros,
    }));
    return { lines, reported, differences: differencesOf(lines, reported) };
  });
};

type Shared = Pick<
  Awaited<ReturnType<typeof listCharges>>[number],
  "localDay" | "channelId" | "country" | "category" | "type" | "currency" | "count"
>;

const sharedOf = ({ localDay, channelId, country, category, type, currency, count }: Shared) => ({
  day: localDay,
  channelId,
  country: orNull(country),
  category: orNull(category),
  type: orNull(type),
  currency,
  count,
});

type Compared = Pick<LedgerLine, "day" | "channelId" | "country" | "category" | "type">;

const keyOf = ({ day, channelId, country, category, type }: Compared): string =>
  JSON.stringify([day, channelId, country, category, type]);

const differencesOf = (lines: readonly LedgerLine[], reported: readonly ReportedLine[]): LedgerDifference[] => {
  const isReported = new Set(reported.map(({ day, channelId }) => `${day} ${channelId}`));
  const sums = new Map<string, LedgerDifference>();
  const add = ({ day, channelId, country, category, type }: Compared, counted: number, fromNetwork: number) => {
    const compared = { day, channelId, country, category, type };
    const sum = sums.get(keyOf(compared)) ?? { ...compared, counted: 0, reported: 0 };
    sums.set(keyOf(compared), { ...sum, counted: sum.counted + counted, reported: sum.reported + fromNetwork });
  };
  for (const line of lines) if (isReported.has(`${line.day} ${line.channelId}`)) add(line, line.count, 0);
  for (const line of reported) add(line, 0, line.count);
  return [...sums.values()].filter((sum) => sum.counted !== sum.reported);
};

/** Enqueues the request for the billing data of a channel's account, in the write that connects the channel. */
export const enqueueAccountRead = async (
  env: Pick<BillingEnv, "registry" | "jobs">,
  tx: Tx,
  { channelId }: Pick<PublishedEvent, "channelId">,
): Promise<void> => {
  const channel = channelId === null ? undefined : await findChannel(tx, EVERY_TENANT, channelId);
  if (channel && env.registry.ofKind(channel.kind)?.rates)
    env.jobs.enqueue(tx, "charges.account", { channelId: channel.id });
};

/**
 * Learns the currency of a connected channel's account. An account that does not answer is asked again the next day.
 */
export const readAccount = async (env: BillingEnv, { payload }: Job<{ channelId: ChannelId }>): Promise<JobOutcome> => {
  const channel = await env.db.read((reader) => findChannel(reader, EVERY_TENANT, payload.channelId));
  const api = channel && env.supervisor.linkOf(channel, "live")?.charges;
  const answer = await api?.account();
  if (!channel || !answer) return { is: "done" };
  if (!answer.ok)
    env.log.warn({ channelId: channel.id, kind: answer.kind }, "the currency of an account could not be read");
  else
    await env.db.write(async (tx) => {
      const now = await findChannel(tx, EVERY_TENANT, channel.id);
      if (now) await updateChannel(tx, EVERY_TENANT, now.id, { profile: { ...now.profile, ...answer.value } });
    });
  return { is: "done" };
};

/** The network corrects its count for some days. */
const COMPARED_DAYS = 3;

/**
 * Handles one connected channel, then enqueues itself for the next one. Asks again for the billing data of its account
 * and, if the operator wants it, for the network's count of the last days. It never changes the ledger itself.
 */
export const compareCharges = async (env: BillingEnv, job: Job<{ afterId?: string }>): Promise<JobOutcome> => {
  const kinds = env.registry.kinds.filter((kind) => env.registry.ofKind(kind)?.rates);
  const afterId = job.payload.afterId ?? "";
  const [channel] = await env.db.read((reader) =>
    listByState(reader, { kinds, state: "CONNECTED", afterId, limit: 1 }),
  );
  if (channel && env.config.comparesCharges) await takeReported(env, channel);
  await env.db.write(async (tx) => {
    job.end(tx);
    if (!channel) return;
    env.jobs.enqueue(tx, "charges.account", { channelId: channel.id });
    env.jobs.enqueue(tx, "charges.compare", { afterId: channel.id });
  });
  return { is: "settled" };
};

const takeReported = async (env: BillingEnv, channel: ChannelRow): Promise<void> => {
  const api = env.supervisor.linkOf(channel, "live")?.charges;
  if (!api) return;
  const today = utcDayOf(env.clock.now());
  const answer = await api.reported({ fromMs: (today - COMPARED_DAYS) * DAY_MS, toMs: today * DAY_MS });
  if (!answer.ok) {
    env.log.warn({ channelId: channel.id, kind: answer.kind }, "the network's count of charges could not be read");
    return;
  }
  const currency = env.registry.declared(channel.kind)?.rates?.currencyOf(channel.profile) ?? "";
  const own = answer.value.filter(({ phoneNumber }) => phoneNumber === channel.phoneNumber);
  const { tenantId, id: channelId } = channel;
  await env.db.write(async (tx) => {
    for (let day = today - COMPARED_DAYS; day < today; day++) {
      const localDay = iso(day * DAY_MS).slice(0, 10);
      const ofDay = own.filter((one) => one.day === localDay);
      await replaceReported(
        tx,
        { tenantId, channelId, day },
        ofDay.map(({ country, category, type, tier, count, micros }) => ({
          country,
          category,
          type,
          tier,
          count,
          micros,
          localDay,
          day,
          currency,
        })),
      );
    }
  });
};
