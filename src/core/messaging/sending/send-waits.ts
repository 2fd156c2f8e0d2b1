import type { CoreCode } from "../../../kernel/errors.ts";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import type { Reader } from "../../../store/engine/db.ts";
import type { SendPause } from "../../../store/tables/queues.ts";
import { type AccountState, findAccountState } from "../../../store/tables/tenancy/tenants.ts";
import { type accountRefusal, isSuspended } from "../../tenancy/accounts/accounts.ts";
import type { MessagingEnv } from "../env.ts";

/** The account and the channel of a send. `account`: its state, if it was read just now. */
export type Sender = { tenantId: TenantId; channelId: ChannelId; account?: AccountState | undefined };

type Asked = { env: MessagingEnv; r: Reader; account: AccountState | undefined; sender: Sender };

/**
 * Why a queued message has not been sent yet. IN_TURN: others go first. SENDING: an attempt runs. OUTCOME_UNKNOWN: an
 * attempt ended without an answer, and a receipt may settle it. SLOWED_DOWN: the network, or the pace of a phone, makes
 * its queue wait. TRYING_AGAIN: the last attempt failed.
 */
export const WAIT_REASONS = [
  "IN_TURN",
  "SENDING",
  "PHONE_AWAY",
  "ACCOUNT_SUSPENDED",
  "SLOWED_DOWN",
  "TRYING_AGAIN",
  "OUTCOME_UNKNOWN",
] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

/** The properties of a reason for which the sends of a channel wait. */
type SendWait = {
  /** The reason that a client sees of a waiting message. */
  because: WaitReason;
  /**
   * Finds out before each attempt whether sends must wait for this; `text` is stored with the job. Null: an attempt
   * itself finds it out.
   */
  hold: { text: string; untilMs(asked: Asked): Promise<number | undefined> | number | undefined } | null;
  /**
   * The refusal of a new send meanwhile; null if it is accepted and waits, too. A fallback whose second channel refuses
   * so waits instead of being refused.
   */
  refusal: CoreCode | NonNullable<ReturnType<typeof accountRefusal>> | null;
  /** When the 24 hours of a queued send begin again after the wait. Null: the wait is a part of them. */
  restartsAt: ((account: Pick<AccountState, "reactivatedAt">) => number | null) | null;
};

/**
 * TABLE: why the sends of a channel wait. send-waits.test.ts of the gateway shows what becomes of a message for each.
 * The first hold of the table is the one that a send waits for.
 */
export const SEND_WAITS: Readonly<Record<SendPause, SendWait>> = {
  "rate-limit": { because: "SLOWED_DOWN", hold: null, refusal: null, restartsAt: null },
  pace: { because: "SLOWED_DOWN", hold: null, refusal: null, restartsAt: null },
  // see `waitForChannel`
  away: { because: "PHONE_AWAY", hold: null, refusal: "CHANNEL_NOT_CONNECTED", restartsAt: null },
  suspended: {
    because: "ACCOUNT_SUSPENDED",
    hold: {
      text: "the account is suspended",
      untilMs: ({ account }) => (isSuspended(account) ? Number.MAX_SAFE_INTEGER : undefined),
    },
    refusal: "ACCOUNT_SUSPENDED",
    restartsAt: ({ reactivatedAt }) => reactivatedAt,
  },
};

/** What a send waits for, and until when. */
export type Hold = { reason: SendPause; untilMs: number; text: string };

/** What the sends of a channel have to wait for now, before their network is asked. */
export const findHold = async (env: MessagingEnv, r: Reader, sender: Sender): Promise<Hold | undefined> => {
  const account = sender.account ?? (await findAccountState(r, sender.tenantId));
  for (const [reason, { hold }] of Object.entries(SEND_WAITS) as [SendPause, SendWait][]) {
    const untilMs = await hold?.untilMs({ env, r, account, sender });
    if (hold && untilMs !== undefined) return { reason, untilMs, text: hold.text };
  }
  return undefined;
};

const WAITS = Object.values(SEND_WAITS);

/** The refusals that pass with a wait. */
export const PASSING_REFUSALS: ReadonlySet<string> = new Set(WAITS.flatMap(({ refusal }) => refusal ?? []));

/** The start of the 24 hours of a send that was accepted at `at`. */
export const waitingSince = (at: number, account: Pick<AccountState, "reactivatedAt"> | undefined): number =>
  account ? Math.max(at, ...WAITS.map(({ restartsAt }) => restartsAt?.(account) ?? 0)) : at;
