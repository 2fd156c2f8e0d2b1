import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../kernel/clock.ts";
import { newId, type TenantId } from "../../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import { findMail, insertMail, type MailRow, updateMail } from "../../../store/tables/tenancy/mails.ts";
import type { TenancyEnv } from "../env.ts";

/** How long a mail is retried if the server does not accept it: after a minute at first, then at growing intervals. */
const TTL_MS = DAY_MS;
const FIRST_WAIT_MS = MINUTE_MS;
const LONGEST_WAIT_MS = HOUR_MS;

/**
 * `tenantId`: the tenant that the mail is about; null for a mail to a user. `isSecret`: it contains a link with a
 * token.
 */
export type NewMail = {
  tenantId: TenantId | undefined;
  recipient: string | null;
  subject: string;
  body: string;
  isSecret?: boolean;
};

const OF_NO_TENANT = "" as TenantId;
/** The name of the place of a sealed body, to which it is bound: elsewhere it cannot be opened. */
const boundNameOf = (id: string): string => `mails:${id}:sealed_body`;

/** Queues a mail, within a write. A secret mail is sealed, and deleted when it was sent or discarded. */
export const queueMail = async (
  env: TenancyEnv,
  tx: Tx,
  { tenantId = OF_NO_TENANT, recipient, subject, body, isSecret = false }: NewMail,
): Promise<void> => {
  const id = newId(env);
  const kept = isSecret
    ? { body: "", sealedBody: env.secrets.seal(boundNameOf(id), body) }
    : { body, sealedBody: null };
  await insertMail(tx, {
    id,
    tenantId,
    recipient,
    subject,
    ...kept,
    sentAt: null,
    lastError: null,
    createdAt: env.clock.now(),
  });
  env.jobs.enqueue(tx, "mail.send", { mailId: id });
};

type MailJob = Job<{ mailId: string }>;

/**
 * Sends a mail. It is retried for a day while the server does not accept it; then it stays in its row with the error.
 * After a crash it may be sent again, under the same Message-ID.
 */
export const sendMail = async (env: TenancyEnv, job: MailJob): Promise<JobOutcome> => {
  const mail = await env.db.read((reader) => findMail(reader, EVERY_TENANT, job.payload.mailId));
  if (!mail || mail.sentAt !== null) return { is: "done" };
  const { id, recipient: to, subject } = mail;
  if (to === null) return giveUp(env, job, mail, "the account has no billing e-mail");
  if (!env.mailer) return giveUp(env, job, mail, "the server has no mail server");
  const text = mail.sealedBody === null ? mail.body : env.secrets.open(boundNameOf(id), mail.sealedBody);
  const outcome = await env.mailer.send({ id, to, subject, text });
  env.metrics.count("recado_mails_total", { outcome: outcome.ok ? "sent" : outcome.isFinal ? "refused" : "failed" });
  if (outcome.ok) return conclude(env, job, mail, { sentAt: env.clock.now(), lastError: null });
  const atMs = env.clock.now() + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (job.attempt - 1));
  if (outcome.isFinal || atMs > mail.createdAt + TTL_MS) return giveUp(env, job, mail, outcome.reason);
  await env.db.write(async (tx) => {
    await updateMail(tx, id, { sentAt: null, lastError: outcome.reason });
    job.retry(tx, atMs, { error: outcome.reason });
  });
  return { is: "settled" };
};

/** The error may contain the recipient, so it is not logged. */
const giveUp = (env: TenancyEnv, job: MailJob, mail: MailRow, reason: string): Promise<JobOutcome> => {
  const { id: mailId, tenantId } = mail;
  env.log.warn({ mailId, tenantId }, "a mail was not sent: it stays in the table of mails, with the reason");
  return conclude(env, job, mail, { sentAt: null, lastError: reason });
};

const conclude = async (
  env: TenancyEnv,
  job: MailJob,
  { id }: MailRow,
  changes: Pick<MailRow, "sentAt" | "lastError">,
): Promise<JobOutcome> => {
  await env.db.write(async (tx) => {
    await updateMail(tx, id, { ...changes, sealedBody: null });
    job.end(tx);
  });
  return { is: "settled" };
};
