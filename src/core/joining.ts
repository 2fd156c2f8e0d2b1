import { MINUTE_MS } from "../kernel/clock.ts";
import { hmacSha256, isSameSecret } from "../kernel/crypto.ts";
import { AppError } from "../kernel/errors.ts";
import type { ContactId, TenantId } from "../kernel/ids.ts";
import type { Job, JobOutcome } from "../runtime/jobs.ts";
import { listChannels } from "../store/channels.ts";
import { type ContactRow, deleteContact, findContact, findContactByAlias, updateContact } from "../store/contacts.ts";
import type { Tx } from "../store/db.ts";
import { listUnpaid } from "../store/invoices.ts";
import {
  type Counts,
  countJoining,
  isErasing,
  isRunning,
  type Joining,
  listShared,
  moveConversations,
  moveJobs,
  moveRows,
  type SharedContact,
} from "../store/joining.ts";
import { findKey } from "../store/keys.ts";
import { deleteLlmSettings, findLlmSettings, putLlmSettings } from "../store/llm.ts";
import { type Queue, queueOf } from "../store/queues.ts";
import { writeOrRehearse } from "../store/rehearsal.ts";
import { findTenant, type TenantRow, updateTenant } from "../store/tenants.ts";
import { keyRow } from "./ai/provider.ts";
import type { Env } from "./env.ts";
import { recordAct } from "./tenancy/audit.ts";
import { requireWithinLimits } from "./tenancy/collections.ts";
import { type Member, requireOwn, roleNow } from "./tenancy/members.ts";
import { DEFAULT_BILLING_PLAN, limitsOf } from "./tenancy/plans.ts";
import { linkUnknown } from "./tenancy/user-links.ts";

/** An account moves as a whole in one write, so it must be small enough to stop nobody else for long. */
export const MOST_ROWS = 50_000;
const BUSY_SECONDS = 5;
/** Requests and jobs that began before a join have ended by then. */
const REST_AFTER_MS = 10 * MINUTE_MS;

/** `moved`: rows by table. `mergedContacts`: people whom both knew. */
export type Joined = {
  accountId: TenantId;
  institutionId: TenantId;
  phones: { id: string; label: string }[];
  moved: Counts;
  mergedContacts: number;
};

/** `mostRows`: a larger account is refused. */
type Wish = { accountId: string; institutionId: string; isDryRun?: boolean | undefined; mostRows?: number };

const refused = (reason: string, message: string): AppError =>
  new AppError("JOIN_REFUSED", { message, details: { reason } });

/**
 * Gives everything of an account to an institution, whose keys and members then reach it through both APIs. Ids, keys
 * and webhooks stay as they are. It cannot be undone. One write does it: nothing is ever half done.
 * @throws AppError TENANT_NOT_FOUND, JOIN_REFUSED, LIMIT_REACHED, OVERLOADED while work of the account runs.
 */
export const joinAccount = (env: Env, { isDryRun, ...wish }: Wish): Promise<Joined> =>
  writeOrRehearse(env.db, { isDryRun }, (tx) => joinWithin(env, tx, wish));

const joinWithin = async (env: Env, tx: Tx, { mostRows = MOST_ROWS, ...wish }: Wish): Promise<Joined> => {
  const account = await requireAccount(tx, wish.accountId);
  const institution = await requireInstitution(tx, wish.institutionId);
  await requireSettled(tx, account, institution);
  const channels = await listChannels(tx, { tenantId: account.id });
  const joining = { from: account.id, into: institution.id, channelIds: channels.map(({ id }) => id) };
  const moved = await countJoining(tx, joining, mostRows + 1);
  const rows = Object.values(moved).reduce((sum, n) => sum + n, 0);
  if (rows > mostRows)
    throw new AppError("JOIN_REFUSED", {
      message: `The account has more than ${mostRows} rows: stop the server, and join it by \`recado account join\`.`,
      details: { reason: "too-large", mostRows },
    });
  const mergedContacts = await moveAll(env, tx, joining);
  await joinMoney(env, tx, account, institution);
  await requireWithinLimits(env, tx, {
    tenantId: institution.id,
    channels: limitsOf(institution.platformPlan).channels,
  });
  for (const tenantId of [account.id, institution.id])
    await recordAct(env, tx, {
      action: "account.join",
      target: institution.id,
      tenantId,
      details: { account: account.id, rows },
    });
  env.jobs.enqueue(
    tx,
    "account.join-rest",
    { accountId: account.id, channelIds: joining.channelIds },
    { runAt: env.clock.now() + REST_AFTER_MS },
  );
  env.jobs.enqueue(tx, "contacts.index", { tenantId: institution.id, after: 0 });
  tx.afterCommit(() => env.endStreams(account.id));
  const phones = channels.map(({ id, label }) => ({ id, label }));
  return { accountId: account.id, institutionId: institution.id, phones, moved, mergedContacts };
};

/** The account of the gateway alone. */
const requireAccount = async (tx: Tx, id: string): Promise<TenantRow> => {
  const account = await findTenant(tx, id as TenantId);
  if (!account) throw new AppError("TENANT_NOT_FOUND", { message: "There is no such account." });
  if (account.joinedInto !== null)
    throw refused("already-joined", "The account was joined with an institution before.");
  if (account.platformPlan !== null)
    throw refused("institution", "The account is an institution itself: two institutions are not joined.");
  if (account.status !== "ACTIVE") throw refused("account-inactive", "The account is not active.");
  return account;
};

const requireInstitution = async (tx: Tx, id: string): Promise<TenantRow> => {
  const institution = await findTenant(tx, id as TenantId);
  if (!institution?.platformPlan) throw new AppError("TENANT_NOT_FOUND", { message: "There is no such institution." });
  if (institution.status !== "ACTIVE") throw refused("institution-inactive", "The institution is not active.");
  return institution;
};

/** The queues of an account that name it: their jobs go to the institution's. */
const queuesOf = (tenantId: TenantId): Queue[] =>
  ["fan-out", "ai", "knowledge", "billing"].map((kind) => queueOf(kind, tenantId));

/** Nothing may be open that has an answer for only one of the two. */
const requireSettled = async (tx: Tx, account: TenantRow, institution: TenantRow): Promise<void> => {
  if ((await listUnpaid(tx, { tenantId: account.id }, 1)).length > 0)
    throw refused("unpaid", "The account has invoices that are not paid.");
  const plans = [account.planCode, institution.planCode].filter((code) => code !== DEFAULT_BILLING_PLAN);
  if (new Set(plans).size > 1)
    throw refused(
      "two-plans",
      "The account and the institution have different billing plans: change one of them first.",
    );
  if (await isErasing(tx, account.id))
    throw refused("erasing", "Personal data of the account is being erased: try again when that is done.");
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
  moveRows(tx, joining);
  const into = queuesOf(joining.into);
  for (const [n, queue] of queuesOf(joining.from).entries()) moveJobs(tx, queue, into[n] as Queue, joining.into);
  await moveLlmSettings(env, tx, joining);
  return shared.length;
};

/** What the institution knows of a person stays; what it does not know is added. */
const mergeContact = async (env: Env, tx: Tx, { from, into }: Joining, shared: SharedContact): Promise<void> => {
  const viewer = { environment: "live" } as const;
  const [contact, known] = [
    await findContact(tx, { ...viewer, tenantId: from }, shared.id),
    await findContact(tx, { ...viewer, tenantId: into }, shared.knownId),
  ];
  if (!contact || !known) return;
  moveConversations(tx, shared, env.clock.now());
  await deleteContact(tx, { tenantId: from }, contact.id);
  await updateContact(tx, { tenantId: into }, known.id as ContactId, {
    name: known.name ?? contact.name,
    email: known.email ?? contact.email,
    tags: [...new Set([...known.tags, ...contact.tags])],
    metadata: { ...contact.metadata, ...known.metadata },
    ...(await addressesFrom(tx, contact, known)),
    updatedAt: env.clock.now(),
  });
};

/** The number or alias that the known contact lacks, unless another one of the institution has it. */
const addressesFrom = async (tx: Tx, contact: ContactRow, known: ContactRow): Promise<Partial<ContactRow>> => {
  const { tenantId, environment } = known;
  if (known.phoneNumber === null && contact.phoneNumber !== null) return { phoneNumber: contact.phoneNumber };
  if (known.alias !== null || contact.alias === null) return {};
  const other = await findContactByAlias(tx, { tenantId, environment }, contact.alias);
  return other ? {} : { alias: contact.alias };
};

/** An institution's own provider of language models stays. The key is sealed for one account, so it is sealed anew. */
const moveLlmSettings = async ({ secrets }: Env, tx: Tx, { from, into }: Joining): Promise<void> => {
  const settings = await findLlmSettings(tx, { tenantId: from });
  if (!settings) return;
  await deleteLlmSettings(tx, { tenantId: from });
  if (await findLlmSettings(tx, { tenantId: into })) return;
  const key = settings.key === null ? null : secrets.seal(keyRow(into), secrets.open(keyRow(from), settings.key));
  await putLlmSettings(tx, { ...settings, tenantId: into, key });
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

/** Moves what requests and jobs wrote for the account that had begun before it was joined. */
export const joinRest = async (
  env: Env,
  job: Job<{ accountId: TenantId; channelIds: string[] }>,
): Promise<JobOutcome> => {
  const { accountId: from, channelIds } = job.payload;
  await env.db.write(async (tx) => {
    const into = (await findTenant(tx, from))?.joinedInto;
    if (into) await moveAll(env, tx, { from, into, channelIds });
    job.end(tx);
  });
  return { is: "settled" };
};

const CODE_TTL_MS = 30 * MINUTE_MS;

export type JoinCode = { code: string; expiresAt: number };

const signatureOf = ({ secrets }: Pick<Env, "secrets">, text: string): string =>
  hmacSha256(secrets.derive("join-codes"), text, "hex");

/** A code with which an owner of an institution takes this account over. It is void once the key that made it is. */
export const makeJoinCode = (env: Env, { tenantId, keyId }: { tenantId: TenantId; keyId: string }): Promise<JoinCode> =>
  env.db.write(async (tx) => {
    const account = await requireAccount(tx, tenantId);
    const expiresAt = env.clock.now() + CODE_TTL_MS;
    const text = [account.id, keyId, expiresAt].join(".");
    await recordAct(env, tx, { action: "account.make-join-code", target: account.id, tenantId: account.id });
    return { code: `${text}.${signatureOf(env, text)}`, expiresAt };
  });

/** The account of a code. Every unusable code is refused alike, so that it reveals nothing. */
const accountOfCode = async (env: Env, tx: Tx, code: string): Promise<string> => {
  const [accountId = "", keyId = "", expiresAt = "", signature = ""] = code.trim().split(".");
  const isOurs = isSameSecret(signature, signatureOf(env, [accountId, keyId, expiresAt].join(".")));
  const key = isOurs ? await findKey(tx, { tenantId: accountId as TenantId }, "gateway", keyId) : undefined;
  const isLive = key?.revokedAt === null && (key.expiresAt === null || key.expiresAt > env.clock.now());
  if (!isLive || Number(expiresAt) <= env.clock.now()) throw linkUnknown();
  return accountId;
};

/**
 * Joins an account with an institution, for an owner of the institution who has a code of the account.
 * @throws AppError ROLE_REFUSED, LINK_UNKNOWN, and what `joinAccount` throws.
 */
export const joinByCode = (
  env: Env,
  member: Member,
  { institutionId, code, isDryRun }: { institutionId: string; code: string; isDryRun?: boolean },
): Promise<Joined> => {
  requireOwn(member.tenantId, institutionId);
  return writeOrRehearse(env.db, { isDryRun }, async (tx) => {
    if ((await roleNow(tx, member)) !== "OWNER")
      throw new AppError("ROLE_REFUSED", { message: "Only an owner may join an account with the institution." });
    return joinWithin(env, tx, { accountId: await accountOfCode(env, tx, code), institutionId });
  });
};
