import type { HttpResult } from "../../contract/ports/http.ts";
import { DAY_MS, HOUR_MS, iso, MINUTE_MS } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import { type AlertNoticeRow, findNotice } from "../../store/tables/troubles.ts";
import { type Requester, recordAct } from "../tenancy/audit/audit.ts";
import type { AlertsEnv } from "./env.ts";
import { alertText, type TroubleKind } from "./texts.ts";

/** The ways besides mail by which the operator is notified. */
export const WAYS = ["url", "telegram"] as const;
export type Way = (typeof WAYS)[number];

/** How long a message is retried: after a minute at first, then at growing intervals. */
const TTL_MS = DAY_MS;
const LONGEST_WAIT_MS = HOUR_MS;
const TIMEOUT_MS = 15_000;
/** Telegram takes 4096 characters. https://core.telegram.org/bots/api#sendmessage */
const LONGEST_TEXT = 3500;

export type Notice = Omit<AlertNoticeRow, "type" | "kind"> & {
  type: AlertNoticeRow["type"] | "test";
  kind: TroubleKind | "test";
};

/** The texts for people are in the server's language, else in English. The webhook's JSON is in English. */
export const localTextsOf = (
  notice: Pick<Notice, "title" | "text" | "localTitle" | "localText">,
): { title: string; text: string } => ({
  title: notice.localTitle ?? notice.title,
  text: notice.localText ?? notice.text,
});

const postToUrl = async (env: AlertsEnv, notice: Notice): Promise<HttpResult | undefined> => {
  const { url } = env.config.alerts;
  if (!url) return undefined;
  const { id, type, kind, title, text, troubles, createdAt } = notice;
  // chat services show only `text`
  const body = JSON.stringify({
    id,
    type,
    timestamp: iso(createdAt),
    data: { kind, title, details: text, troubles },
    text: `${title}\n${text}`,
  });
  return env.http.trusted({
    url: url.url,
    method: "POST",
    headers: { "content-type": "application/json", ...env.signed({ id, body, secret: url.secret }) },
    body,
    timeoutMs: TIMEOUT_MS,
  });
};

const postToTelegram = async (env: AlertsEnv, notice: Notice): Promise<HttpResult | undefined> => {
  const { telegram } = env.config.alerts;
  if (!telegram) return undefined;
  const { title, text } = localTextsOf(notice);
  return env.http.trusted({
    url: `${telegram.api}/bot${telegram.token}/sendMessage`,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ chat_id: telegram.chat, text: `Recado: ${title}\n${text}`.slice(0, LONGEST_TEXT) }),
    timeoutMs: TIMEOUT_MS,
  });
};

const post = (env: AlertsEnv, way: Way, notice: Notice): Promise<HttpResult | undefined> =>
  way === "url" ? postToUrl(env, notice) : postToTelegram(env, notice);

/** Why a message did not arrive; undefined if it did, or need not be sent. Names no address. */
const faultOf = (result: HttpResult | undefined): string | undefined => {
  if (result === undefined) return undefined;
  if (!result.ok) return result.failure;
  return result.status >= 200 && result.status < 300 ? undefined : `HTTP ${result.status}`;
};

/** One way by which a message is sent; mail to one recipient. */
export type Sending = { way: Way } | { way: "mail"; to: string };

/** The configured ways. */
export const waysOf = (alerts: AlertsEnv["config"]["alerts"]): Sending[] => [
  ...alerts.mail.map((to) => ({ way: "mail" as const, to })),
  ...WAYS.filter((way) => alerts[way]).map((way) => ({ way })),
];

/** Sends a message without storing it. Gives the reason why it did not arrive; undefined if it arrived. */
export const sendDirectly = async (env: AlertsEnv, notice: Notice, sending: Sending): Promise<string | undefined> => {
  if (sending.way !== "mail") return faultOf(await post(env, sending.way, notice));
  return (await mailed(env, notice, sending.to)).reason ?? undefined;
};

/**
 * Sends one message by one way. It is retried for a day. After a crash it may be sent again, with the same id.
 */
export const sendNotice = async (env: AlertsEnv, job: Job<{ noticeId: string; way: Way }>): Promise<JobOutcome> => {
  const { noticeId, way } = job.payload;
  const notice = await env.db.read((reader) => findNotice(reader, noticeId));
  if (!notice) return { is: "done" };
  const fault = faultOf(await post(env, way, notice as Notice)); // the kind of a stored notice is a `TroubleKind`
  if (fault === undefined) return { is: "done" };
  const atMs = env.clock.now() + Math.min(LONGEST_WAIT_MS, MINUTE_MS * 2 ** (job.attempt - 1));
  if (atMs <= notice.createdAt + TTL_MS) return { is: "retry", atMs, error: fault };
  env.log.error({ way, fault, notice: notice.title }, "the operator could not be notified");
  return { is: "done" };
};

/** The result of a test message by one way. `reason` names no address and no secret. */
export type Tested = { way: "mail" | Way; isSent: boolean; reason: string | null };

/** Sends a test message by every configured way, and gives the results. @throws AppError ALERTS_NOT_CONFIGURED */
export const testAlerts = async (env: AlertsEnv, by: Requester): Promise<Tested[]> => {
  const { alerts, language } = env.config;
  const title = alertText(language, ({ test }) => test.title);
  const notice: Notice = {
    id: newId(env),
    type: "test",
    kind: "test",
    title: title.text,
    localTitle: title.localText,
    ...alertText(language, ({ test }) => test.text),
    troubles: 0,
    createdAt: env.clock.now(),
  };
  const mails = alerts.mail.map((to) => mailed(env, notice, to));
  const posts = WAYS.filter((way) => alerts[way]).map(async (way): Promise<Tested> => {
    const reason = faultOf(await post(env, way, notice)) ?? null;
    return { way, isSent: reason === null, reason };
  });
  if (mails.length + posts.length === 0)
    throw new AppError("ALERTS_NOT_CONFIGURED", {
      message: "None of RECADO_ALERT_MAIL, RECADO_ALERT_URL and RECADO_ALERT_TELEGRAM is set.",
    });
  const tested = await Promise.all([...mails, ...posts]);
  const sent = tested.filter(({ isSent }) => isSent).length;
  await env.db.write((tx) =>
    recordAct(env, tx, by, { action: "alerts.test", details: { sent, failed: tested.length - sent } }),
  );
  return tested;
};

const mailed = async (env: AlertsEnv, notice: Notice, to: string): Promise<Tested> => {
  const { title, text } = localTextsOf(notice);
  const outcome = await env.mailer?.send({ id: notice.id, to, subject: `Recado: ${title}`, text });
  if (outcome?.ok) return { way: "mail", isSent: true, reason: null };
  return { way: "mail", isSent: false, reason: outcome?.reason ?? "the server has no mail server" };
};
