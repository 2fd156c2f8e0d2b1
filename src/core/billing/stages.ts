import type { TenantId } from "../../kernel/ids.ts";
import type { Reader, Tx } from "../../store/engine/db.ts";
import { type InvoiceRow, listUnpaid, markOverdue } from "../../store/tables/billing/invoices.ts";
import { listChannels } from "../../store/tables/channels/channels.ts";
import { DUNNING_STAGES, findTenant, type TenantRow, updateTenant } from "../../store/tables/tenancy/tenants.ts";
import { resumeSends } from "../channels/links/channel-queues.ts";
import { DEFAULT_BILLING_PLAN } from "../tenancy/accounts/plans.ts";
import { type By, type Requester, recordAct } from "../tenancy/audit/audit.ts";
import { queueMail } from "../tenancy/mail/mails.ts";
import { daysAfter, daysBetween, today } from "./days.ts";
import type { BillingEnv } from "./env.ts";
import { pixCodeOf } from "./invoices/pix.ts";
import { noticeMail } from "./notices.ts";

type Stage = TenantRow["dunningStage"];

const SUSPENDED_AFTER_DAYS = 14;

/** TABLE: the days overdue from which an account is at each stage. */
const BEGINS: readonly (readonly [days: number, stage: Stage])[] = [
  [SUSPENDED_AFTER_DAYS, "SUSPENDED"],
  [7, "CRITICAL"],
  [1, "WARNING"],
];

/**
 * At these stages every unpaid invoice is charged. The account then has links to pay before its requests are refused.
 */
const CHARGED_AT: readonly Stage[] = ["CRITICAL", "SUSPENDED"];
/** The most unpaid invoices of an account that are read, the longest due first. */
const MOST = 100;

/** The dunning state of an account. `isChanged`: an invoice has become overdue and is not marked yet. */
type DunningState = { account: TenantRow; unpaid: InvoiceRow[]; stage: Stage; isChanged: boolean };

/** Undefined if `applyStage` would change nothing; else the invoices to charge first. */
export const findMisplaced = async (
  env: BillingEnv,
  reader: Reader,
  tenantId: TenantId,
): Promise<{ uncharged: InvoiceRow[] } | undefined> => {
  const dunningState = await dunningStateOf(env, reader, tenantId);
  const isMisplaced =
    dunningState !== undefined && (dunningState.isChanged || dunningState.stage !== dunningState.account.dunningStage);
  return isMisplaced ? { uncharged: unchargedOf(env, dunningState) } : undefined;
};

const isRising = ({ account, stage }: DunningState): boolean =>
  DUNNING_STAGES.indexOf(stage) > DUNNING_STAGES.indexOf(account.dunningStage);

const unchargedOf = ({ processor }: BillingEnv, dunningState: DunningState): InvoiceRow[] => {
  const isDue =
    processor !== undefined &&
    CHARGED_AT.includes(dunningState.stage) &&
    (isRising(dunningState) || dunningState.isChanged);
  return isDue ? dunningState.unpaid.filter(({ gatewayChargeId }) => gatewayChargeId === null) : [];
};

const dunningStateOf = async (
  env: BillingEnv,
  reader: Reader,
  tenantId: TenantId,
): Promise<DunningState | undefined> => {
  const account = await findTenant(reader, tenantId);
  if (!account) return undefined;
  const unpaid = await listUnpaid(reader, { tenantId }, MOST);
  const day = today(env);
  // an institution of the platform pays elsewhere, unless it has a plan of the gateway too
  const paysHere = account.platformPlan === null || account.planCode !== DEFAULT_BILLING_PLAN;
  const asked = paysHere ? stageOf(account, unpaid, day) : "NONE";
  const stage = asked !== "NONE" && account.dunningStage === "SUSPENDED" ? "SUSPENDED" : asked;
  return {
    account,
    unpaid,
    stage,
    isChanged: unpaid.some(({ status, dueDate }) => status !== "OVERDUE" && dueDate < day),
  };
};

/** An invoice whose suspension an administrator has ended no longer suspends the account. */
const stageOf = ({ reprievedOn }: TenantRow, unpaid: readonly InvoiceRow[], day: string): Stage => {
  const [oldest] = unpaid;
  const asked = oldest ? stageAfter(daysBetween(oldest.dueDate, day)) : "NONE";
  if (asked !== "SUSPENDED" || reprievedOn === null) return asked;
  const lastForgiven = daysAfter(reprievedOn, -SUSPENDED_AFTER_DAYS);
  const counted = unpaid.find(({ dueDate }) => dueDate > lastForgiven);
  return counted && stageAfter(daysBetween(counted.dueDate, day)) === "SUSPENDED" ? "SUSPENDED" : "CRITICAL";
};

const stageAfter = (daysOverdue: number): Stage => BEGINS.find(([days]) => daysOverdue >= days)?.[1] ?? "NONE";

/**
 * Moves an account to the dunning stage of its longest unpaid invoice, up or down. Overdue invoices are marked, and
 * each new stage sends one mail. A suspension stops the account's sends and requests. It ends only when nothing is
 * overdue, and then waiting sends continue.
 */
export const applyStage = async (env: BillingEnv, tx: Tx, by: By, tenantId: TenantId): Promise<void> => {
  const dunningState = await dunningStateOf(env, tx, tenantId);
  if (!dunningState) return;
  const { account, unpaid, stage, isChanged } = dunningState;
  if (isChanged) await markOverdue(tx, { tenantId }, { day: today(env), nowMs: env.clock.now() });
  if (stage !== account.dunningStage) await moveTo(env, tx, by, { account, stage });
  if (isRising(dunningState) && stage !== "NONE") {
    const overdue = unpaid.filter(({ dueDate }) => dueDate < today(env));
    const notice = noticeMail(
      {
        account,
        stage,
        overdue,
        pixOf: (invoice) => pixCodeOf(env, invoice),
      },
      env.config.language,
    );
    await queueMail(env, tx, { tenantId: account.id, recipient: account.billingEmail, ...notice });
  }
  for (const { id } of unchargedOf(env, dunningState))
    env.jobs.enqueue(tx, "invoice.issue", { invoiceId: id, tenantId }); // invoices that could not be charged before
};

/**
 * Ends the suspension of an account that still has overdue invoices, at its administrator's request. These invoices do
 * not suspend it again until nothing is overdue. Another invoice suspends it in its own time. Returns the updated
 * account.
 */
export const reprieve = async (env: BillingEnv, tx: Tx, by: Requester, account: TenantRow): Promise<TenantRow> => {
  if (account.dunningStage !== "SUSPENDED") return account;
  await moveTo(env, tx, by, { account, stage: "CRITICAL" });
  return (await updateTenant(tx, account.id, { reprievedOn: today(env) })) ?? account;
};

const moveTo = async (
  env: BillingEnv,
  tx: Tx,
  by: By,
  { account, stage }: { account: TenantRow; stage: Stage },
): Promise<void> => {
  const { id, status, dunningStage: from } = account;
  const updatedAt = env.clock.now();
  // the reprieve does not cover later overdue invoices, nor payments that were reverted
  if (stage === "NONE") await updateTenant(tx, id, { reprievedOn: null });
  tx.afterCommit(() => env.log.info({ tenantId: id, from, to: stage }, "an account's dunning stage has changed"));
  if (stage === "SUSPENDED") {
    await updateTenant(tx, id, { dunningStage: stage, status: status === "ACTIVE" ? "SUSPENDED" : status, updatedAt });
    await recordAct(env, tx, by, { action: "account.suspend", target: id, tenantId: id });
    tx.afterCommit(() => env.endStreams(id));
  } else if (from === "SUSPENDED") {
    await updateTenant(tx, id, {
      dunningStage: stage,
      status: status === "SUSPENDED" ? "ACTIVE" : status,
      reactivatedAt: updatedAt,
      updatedAt,
    });
    await recordAct(env, tx, by, { action: "account.reinstate", target: id, tenantId: id });
    for (const channel of await listChannels(tx, { tenantId: id })) resumeSends(env, tx, channel.id, "suspended");
  } else await updateTenant(tx, id, { dunningStage: stage, updatedAt });
};
