import { MINUTE_MS } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { ChannelId, TenantId } from "../kernel/ids.ts";
import type { Job, JobOutcome } from "../runtime/jobs.ts";
import type { Tx } from "../store/engine/db.ts";
import { writeOrRehearse } from "../store/engine/rehearsal.ts";
import {
  type Counts,
  countHistory,
  countJoining,
  HISTORY,
  isErasing,
  isRunning,
  type Joining,
  listShared,
  moveConversations,
  moveHistory,
  moveJobs,
  moveRows,
  readHistory,
  type SharedContact,
  settleKeys,
} from "../store/laws/joining.ts";
import { nameLearntModel } from "../store/tables/ai/knowledge.ts";
import { deleteLlmSettings, findLlmSettings, putLlmSettings } from "../store/tables/ai/llm.ts";
import { listUnpaid } from "../store/tables/billing/invoices.ts";
import { deleteBillingCustomer, findBillingCustomer, saveBillingCustomer } from "../store/tables/billing/processor.ts";
import { listChannels } from "../store/tables/channels/channels.ts";
import {
  type ContactRow,
  deleteContact,
  findContact,
  findContactByAlias,
  optOutOf,
  updateContact,
} from "../store/tables/conversations/contacts.ts";
import { type Queue, queueOf } from "../store/tables/queues.ts";
import { findTenant, type TenantRow, updateTenant } from "../store/tables/tenancy/tenants.ts";
import { learnOutdated } from "./ai/knowledge/outdated.ts";
import { embeddingKeyRow, keyRow, toEndpoint } from "./ai/provider.ts";
import { customerRow } from "./billing/invoices/customer.ts";
import type { Env } from "./env.ts";
import { requireWithinLimits } from "./tenancy/accounts/collections.ts";
import { accountOfCode, joinRefused, requireAccount } from "./tenancy/accounts/join-codes.ts";
import { DEFAULT_BILLING_PLAN, planLimits } from "./tenancy/accounts/plans.ts";
import { type Requester, recordAct } from "./tenancy/audit/audit.ts";
import { type Member, requireOwn, roleNow } from "./tenancy/people/members.ts";
import { requirePower } from "./tenancy/people/roles.ts";

/** The rows of one write, which must be all or nothing: few enough that the write does not delay others for long. */
export const MOST_ROWS = 10_000;
/** Messages are counted up to this number. */
const MOST_COUNTED = 100_000;
/** Rows of a table of the history that are read, and moved, per write. */
const PAGE = 1000;
const BUSY_SECONDS = 5;
/** Requests and jobs that began before a join have ended by then. */
const REST_AFTER_MS = 10 * MINUTE_MS;

/** `moved`: rows by table, without the history. `messages`: up to a bound. `mergedContacts`: people whom both knew. */
export type Joined = {
  accountId: TenantId;
  institutionId: TenantId;
  phones: { id: string; label: string }[];
  moved: Counts;
  messages: number;
  mergedContacts: number;
};

/** `mostRows`: a larger account is refused. */
type Wish = { accountId: string; institutionId: string; isDryRun?: boolean | undefined; mostRows?: number };

/**
 * Moves everything of an account to an institution, whose keys and members then reach it through both APIs. Ids, keys
 * and webhooks stay unchanged. It cannot be undone. One write moves all rows on which others depend, so nothing is ever
 * half done. The history follows within minutes.
 * @throws AppError TENANT_NOT_FOUND, JOIN_REFUSED, LIMIT_REACHED, OVERLOADED while work of the account runs.
 */
export const joinAccount = (env: Env, by: Requester, { isDryRun, ...wish }: Wish): Promise<Joined> =>
  writeOrRehearse(env.db, { isDryRun }, (tx) => joinWithin(env, tx, by, wish));

const joinWithin = async (
  env: Env,
  tx: Tx,
  by: Requester,
  { mostRows = MOST_ROWS, ...wish }: Wish,
): Promise<Joined> => {
  const account = await requireAccount(tx, wish.accountId);
  const institution = await requireInstitution(tx, wish.institutionId);
  await requireSettled(tx, account, institution);
  const channels = await listChannels(tx, { tenantId: account.id });
  const joining = { from: account.id, into: institution.id, channelIds: channels.map(({ id }) => id) };
  const moved = await countJoining(tx, joining, mostRows + 1);
  const messages = await countHistory(tx, account.id, MOST_COUNTED);
  const rows = Object.values(moved).reduce((sum, n) => sum + n, 0);
  if (rows > mostRows)
    throw new AppError("JOIN_REFUSED", {
      message: `More than ${mostRows} rows would move at once: stop the server, and use recado account join.`,
      details: { reason: "too-large", mostRows },
    });
  const mergedContacts = await moveAll(env, tx, joining);
  await joinMoney(env, tx, account, institution);
  await requireWithinLimits(env, tx, {
    tenantId: institution.id,
    channels: planLimits(institution.platformPlan).channels,
  });
  await recordAct(env, tx, by, {
    action: "account.join",
    target: institution.id,
    tenantId: account.id,
    details: { rows },
  });
  await recordAct(env, tx, by, {
    action: "institution.add-account",
    target: account.id,
    tenantId: institution.id,
    details: { rows },
  });
  env.jobs.enqueue(tx, "account.join-rest", {
    accountId: account.id,
    channelIds: joining.channelIds,
    isLast: false,
    table: 0,
    after: 0,
  });
  env.jobs.enqueue(tx, "contacts.index", { tenantId: institution.id, after: 0 });
  tx.afterCommit(() => env.endStreams(account.id));
  const phones = channels.map(({ id, label }) => ({ id, label }));
  return { accountId: account.id, institutionId: institution.id, phones, moved, messages, mergedContacts };
};

const requireInstitution = async (tx: Tx, id: string): Promise<TenantRow> => {
  const institution = await findTenant(tx, id as TenantId);
  if (!institution?.platformPlan) throw new AppError("TENANT_NOT_FOUND", { message: "There is no such institution." });
  if (institution.status !== "ACTIVE") throw joinRefused("institution-inactive", "The institution is not active.");
  return institution;
};

/** The queues of an account that name it: their jobs go to the institution's. */
const queuesOf = (tenantId: TenantId): Queue[] =>
  ["fan-out", "ai", "knowledge", "trials", "billing"].map((kind) => queueOf(kind, tenantId));

/** Requires that neither of the two has open work whose result only that one would get. */
const requireSettled = async (tx: Tx, account: TenantRow, institution: TenantRow): Promise<void> => {
  if ((await listUnpaid(tx, { tenantId: account.id }, 1)).length > 0)
    throw joinRefused("unpaid", "The account has invoices that are not paid.");
  const plans = [account.planCode, institution.planCode].filter((code) => code !== DEFAULT_BILLING_PLAN);
  if (new Set(plans).size > 1)
    throw joinRefused(
      "two-plans",
      "The account and the institution have different billing plans: change one of them first.",
    );
  if (await isErasing(tx, account.id))
    throw joinRefused("erasing", "Personal data of the account is being erased: try again when that is done.");
  if (
    await isRunning(
      tx,
      queuesOf(account.id).map(({ key }) => key),
    )
  )
    throw new AppError("OVERLOADED", {
      message: "The account is at work: try again in a few seconds.",
      retryAfterSeconds: BUSY_SECONDS,
    });
};

/** Moves every row; resolves with the number of merged contacts. */
const moveAll = async (env: Env, tx: Tx, joining: Joining): Promise<number> => {
  const shared = await listShared(tx, joining);
  for (const one of shared) await mergeContact(env, tx, joining, one);
  settleKeys(tx, joining, env.clock.now());
  // before the rows are the institution's, whose provider may have another model
  const own = { tenantId: joining.from };
  nameLearntModel(tx, own, toEndpoint(env, await findLlmSettings(tx, own)).embeddingModel);
  moveRows(tx, joining);
  const into = queuesOf(joining.into);
  for (const [n, queue] of queuesOf(joining.from).entries()) moveJobs(tx, queue, into[n] as Queue, joining.into);
  await moveLlmSettings(env, tx, joining);
  await learnOutdated(env, tx, joining.into);
  await movePayer(env, tx, joining);
  return shared.length;
};

/** The institution's data about a person stays; missing data is added. */
const mergeContact = async (env: Env, tx: Tx, { from, into }: Joining, shared: SharedContact): Promise<void> => {
  const viewer = { environment: "live" } as const;
  const [contact, known] = [
    await findContact(tx, { ...viewer, tenantId: from }, shared.id),
    await findContact(tx, { ...viewer, tenantId: into }, shared.knownId),
  ];
  if (!contact || !known) return;
  moveConversations(tx, shared, env.clock.now());
  await deleteContact(tx, { tenantId: from }, contact.id);
  await updateContact(tx, { tenantId: into }, known.id, {
    name: known.name ?? contact.name,
    email: known.email ?? contact.email,
    tags: [...new Set([...known.tags, ...contact.tags])],
    metadata: { ...contact.metadata, ...known.metadata },
    ...optOutOf([known, contact]),
    ...(await addressesFrom(tx, contact, known)),
    updatedAt: env.clock.now(),
  });
};

/** The number or alias that the known contact lacks, unless another contact of the institution has it. */
const addressesFrom = async (tx: Tx, contact: ContactRow, known: ContactRow): Promise<Partial<ContactRow>> => {
  const { tenantId, environment } = known;
  if (known.phoneNumber === null && contact.phoneNumber !== null) return { phoneNumber: contact.phoneNumber };
  if (known.alias !== null || contact.alias === null) return {};
  const other = await findContactByAlias(tx, { tenantId, environment }, contact.alias);
  return other ? {} : { alias: contact.alias };
};

/** An institution's own provider of language models stays. Its keys are sealed for one account, so they are sealed anew. */
const moveLlmSettings = async ({ secrets }: Env, tx: Tx, { from, into }: Joining): Promise<void> => {
  const settings = await findLlmSettings(tx, { tenantId: from });
  if (!settings) return;
  await deleteLlmSettings(tx, { tenantId: from });
  if (await findLlmSettings(tx, { tenantId: into })) return;
  const key = settings.key === null ? null : secrets.seal(keyRow(into), secrets.open(keyRow(from), settings.key));
  const { embeddingKey: sealed } = settings;
  const embeddingKey =
    sealed === null ? null : secrets.seal(embeddingKeyRow(into), secrets.open(embeddingKeyRow(from), sealed));
  await putLlmSettings(tx, { ...settings, tenantId: into, key, embeddingKey });
};

/** An institution's own payer stays. The CPF or CNPJ is sealed for one account, so it is sealed anew. */
const movePayer = async ({ secrets }: Env, tx: Tx, { from, into }: Joining): Promise<void> => {
  const payer = await findBillingCustomer(tx, { tenantId: from });
  if (!payer) return;
  await deleteBillingCustomer(tx, { tenantId: from });
  if (await findBillingCustomer(tx, { tenantId: into })) return;
  const { cpfCnpj: sealed } = payer;
  const cpfCnpj = sealed === null ? null : secrets.seal(customerRow(into), secrets.open(customerRow(from), sealed));
  await saveBillingCustomer(tx, { ...payer, tenantId: into, cpfCnpj });
};

/** The institution pays by the plan that one of the two has. The account stays as a record, and costs nothing. */
const joinMoney = async ({ clock }: Env, tx: Tx, account: TenantRow, institution: TenantRow): Promise<void> => {
  const updatedAt = clock.now();
  await updateTenant(tx, institution.id, {
    planCode: institution.planCode === DEFAULT_BILLING_PLAN ? account.planCode : institution.planCode,
    billingEmail: institution.billingEmail ?? account.billingEmail,
    wabaMarkupPct: institution.wabaMarkupPct ?? account.wabaMarkupPct,
    updatedAt,
  });
  await updateTenant(tx, account.id, {
    status: "JOINED",
    joinedInto: institution.id,
    planCode: DEFAULT_BILLING_PLAN,
    dunningStage: "NONE",
    updatedAt,
  });
};

type Rest = { accountId: TenantId; channelIds: ChannelId[]; isLast: boolean; table: number; after: number };

/**
 * Moves the history of a joined account, some rows per write. Ten minutes later it moves again the rows of requests and
 * jobs that had begun before.
 */
export const joinRest = async (env: Env, job: Job<Rest>): Promise<JobOutcome> => {
  const { accountId: from, channelIds, isLast } = job.payload;
  const into = (await env.db.read((reader) => findTenant(reader, from)))?.joinedInto;
  if (!into) return { is: "done" };
  if (isLast && job.payload.table === 0 && job.payload.after === 0)
    await env.db.write((tx) => moveAll(env, tx, { from, into, channelIds }));
  for (let place: Rest | undefined = job.payload; place !== undefined; ) {
    const { table, after }: Rest = place;
    const name = HISTORY[table];
    if (name === undefined) break;
    const { rows, last } = await readHistory(env.db, { table: name, from, after, limit: PAGE });
    const next: Rest = { ...place, ...(last === undefined ? { table: table + 1, after: 0 } : { after: last }) };
    if (rows.length > 0)
      await env.db.write(async (tx) => {
        moveHistory(tx, name, { from, into, rows });
        job.saveProgress(tx, next);
      });
    place = next;
  }
  await env.db.write(async (tx) => {
    job.end(tx);
    if (isLast) return;
    const again: Rest = { accountId: from, channelIds, isLast: true, table: 0, after: 0 };
    env.jobs.enqueue(tx, "account.join-rest", again, { runAt: env.clock.now() + REST_AFTER_MS });
  });
  return { is: "settled" };
};

/**
 * Joins an account with an institution, for an owner of the institution with a code of the account.
 * @throws AppError ROLE_REFUSED, LINK_UNKNOWN, and what `joinAccount` throws.
 */
export const joinByCode = (
  env: Env,
  member: Member,
  { institutionId, code, isDryRun }: { institutionId: string; code: string; isDryRun?: boolean },
): Promise<Joined> => {
  requireOwn(member.tenantId, institutionId);
  return writeOrRehearse(env.db, { isDryRun }, async (tx) => {
    requirePower(await roleNow(tx, member), "accounts.join");
    return joinWithin(env, tx, member, { accountId: await accountOfCode(env, tx, code), institutionId });
  });
};
