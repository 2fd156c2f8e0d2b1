import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import type { Tx } from "../../store/db.ts";
import { findMail, insertMail, type MailRow, updateMail } from "../../store/mails.ts";
import { EVERY_TENANT } from "../../store/scope.ts";
import type { Env } from "../env.ts";
import { type Notice, textOf } from "./notices.ts";

/** How long a mail is tried that the server does not take, at first after a minute, then ever more rarely. */
const LIFE_MS = DAY_MS;
const FIRST_WAIT_MS = MINUTE_MS;
const LONGEST_WAIT_MS = HOUR_MS;

/** Promises to tell an account by mail at which stage of dunning it is. */
export const queueNotice = async (env: Env, tx: Tx, notice: Notice): Promise<void> => {
  const { id: tenantId, billingEmail: recipient } = notice.account;
  const id = newId(env);
  await insertMail(tx, { id, tenantId, recipient, ...textOf(notice), sentAt: null, lastError: null, createdAt: env.clock.now() });
  env.jobs.enqueue(tx, "mail.send", { mailId: id });
};

type MailJob = Job<{ mailId: string }>;

/**
 * Sends a mail; what the server does not take at the moment is tried for a day. What cannot be sent stays in its row, with the reason. Should the process die after the
 * server has taken it, it is sent again under the same id.
 */
export const sendMail = async (env: Env, job: MailJob): Promise<JobOutcome> => {
  const mail = await env.db.read((reader) => findMail(reader, EVERY_TENANT, job.payload.mailId));
  if (!mail || mail.sentAt !== null) return { is: "done" };
  const { id, recipient: to, subject, body: text } = mail;
  if (to === null) return giveUp(env, job, mail, "the account has no billing e-mail");
  if (!env.mailer) return giveUp(env, job, mail, "the server has no mail server");
  const outcome = await env.mailer.send({ id, to, subject, text });
  env.metrics.count("recado_mails_total", { outcome: outcome.ok ? "sent" : outcome.isFinal ? "refused" : "failed" });
  if (outcome.ok) return conclude(env, job, { sentAt: env.clock.now(), lastError: null });
  const atMs = env.clock.now() + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (job.attempt - 1));
  if (outcome.isFinal || atMs > mail.createdAt + LIFE_MS) return giveUp(env, job, mail, outcome.reason);
  await env.db.write(async (tx) => {
    await updateMail(tx, id, { sentAt: null, lastError: outcome.reason });
    job.again(tx, atMs, { error: outcome.reason });
  });
  return { is: "settled" };
};

/** The reason may name the recipient: it stays out of the log. */
const giveUp = (env: Env, job: MailJob, { id: mailId, tenantId }: MailRow, reason: string): Promise<JobOutcome> => {
  env.log.warn({ mailId, tenantId }, "a mail was not sent: it stays in the table of mails, with the reason");
  return conclude(env, job, { sentAt: null, lastError: reason });
};

const conclude = async (env: Env, job: MailJob, changes: Pick<MailRow, "sentAt" | "lastError">): Promise<JobOutcome> => {
  await env.db.write(async (tx) => {
    await updateMail(tx, job.payload.mailId, changes);
    job.end(tx);
  });
  return { is: "settled" };
};
