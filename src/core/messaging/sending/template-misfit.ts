import type { TemplateValues } from "../../../contract/content/template-content.ts";
import { DEFAULT_LANGUAGE } from "../../../contract/content/templates.ts";
import type { SendOutcome } from "../../../contract/outcome.ts";
import type { Issue } from "../../../kernel/schema.ts";
import type { Job } from "../../../runtime/jobs.ts";
import type { Tx } from "../../../store/engine/db.ts";
import type { ChannelRow } from "../../../store/tables/channels/channels.ts";
import { type FailedTry, type MessageRow, updateMessage } from "../../../store/tables/messaging/messages.ts";
import type { TemplateRow } from "../../../store/tables/messaging/templates.ts";
import { takeBackCancelled } from "../batches/batches.ts";
import type { MessagingEnv } from "../env.ts";
import { misfitsOf } from "../templates/fitting-values.ts";
import { templateListedSince } from "../templates/template-sync.ts";
import { triesWith } from "./failed-tries.ts";
import type { Failure } from "./status.ts";

// A template may be edited at the network without a report. Then the network refuses the first send with it. Such a
// refusal is certain, so the message is tried once more with the template as it is now, and is sent once at most.

type Refused = Extract<SendOutcome, { ok: false }>;

/** Whether a refusal is the first one of this message that blames its template. */
export const isFirstMisfit = ({ type, failedTries }: MessageRow, outcome: Refused): boolean =>
  outcome.isTemplateMisfit === true &&
  outcome.kind === "refused" &&
  type === "template" &&
  !failedTries?.some(({ isTemplateMisfit }) => isTemplateMisfit);

/** The write that ends an attempt. */
type EndContext = { env: MessagingEnv; tx: Tx; job: Job<unknown>; message: MessageRow };

/** Keeps the message in its place, to be compared with the template as it is now. */
export const keepForNewTemplate = async ({ env, tx, job, message }: EndContext, outcome: Refused): Promise<void> => {
  if (await takeBackCancelled(env, tx, message)) return job.end(tx);
  await updateMessage(tx, message.id, ["QUEUED"], {
    sendState: "NONE",
    failedTries: triesWith(message, { at: env.clock.now(), ...outcome }, "REFUSED", { isTemplateMisfit: true }),
  });
  job.snooze(tx, message.createdAt, { error: outcome.reason });
};

/**
 * - `fits`: the message may be tried again.
 * - `later`: the network is asked for its templates at `atMs`. `failure` is for a message whose time is up by then.
 * - `fails`: the message cannot be sent. `isUnlisted`: the network did not list its template.
 */
export type Refit =
  | { is: "fits" }
  | { is: "later"; atMs: number; error: string; failure: Failure }
  | { is: "fails"; failure: Failure; isUnlisted: boolean };

/** Whether a message that was refused because of its template fits that template as it is now. */
export const refitOf = async (env: MessagingEnv, channel: ChannelRow, message: MessageRow): Promise<Refit> => {
  const refusal = message.sendState === "NONE" ? message.failedTries?.at(-1) : undefined;
  if (!refusal?.isTemplateMisfit) return { is: "fits" };
  const values = message.content as TemplateValues; // as it was checked
  const { name, language = DEFAULT_LANGUAGE } = values;
  const found = await templateListedSince(env, channel, { name, language, sinceMs: refusal.at });
  if (found.is === "later") return { is: "later", atMs: found.atMs, ...waitOf(refusal, found.missing) };
  if (found.is === "unlisted") return { is: "fails", failure: failureOf(refusal), isUnlisted: true };
  const why = whyNot(found.template, values);
  return why === undefined ? { is: "fits" } : { is: "fails", failure: failureOf(refusal, why), isUnlisted: false };
};

/** The network's refusal stays the error of the wait; a list that did not come is told beside it. */
const waitOf = (refusal: FailedTry, missing: string | null): { error: string; failure: Failure } => {
  const failure = failureOf(refusal, missing === null ? undefined : `the templates could not be listed: ${missing}`);
  return { error: failure.reason, failure };
};

const whyNot = (template: TemplateRow, values: TemplateValues): string | undefined => {
  if (template.status !== "APPROVED") return `the template is ${template.status} now`;
  const issues = misfitsOf(template, values);
  return issues.length === 0 ? undefined : `as the template is now, ${issues.map(textOf).join("; ")}`;
};

const textOf = ({ path, message }: Issue): string => `${path} ${message}`;

const failureOf = ({ code, reason, upstreamCode }: FailedTry, why?: string): Failure => ({
  code,
  reason: why === undefined ? reason : `${reason} (${why})`,
  ...(upstreamCode === undefined ? {} : { upstreamCode }),
});
