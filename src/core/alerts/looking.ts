import { newId } from "../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import type { Tx } from "../../store/engine/db.ts";
import {
  deleteTroubles,
  insertNotice,
  insertTrouble,
  listOpenTroubles,
  type TroubleRow,
  updateTroubles,
} from "../../store/tables/troubles.ts";
import { queueMail } from "../tenancy/mail/mails.ts";
import type { AlertsEnv } from "./env.ts";
import { findTroubles, SETTLES_MS, type Trouble } from "./finding.ts";
import { GONE_MS, keepRemembered } from "./remembered.ts";
import { localTextsOf, WAYS } from "./sending.ts";
import { type AlertText, alertText, TROUBLE_KINDS, type TroubleKind, titleOf } from "./texts.ts";

/** The maximum number of lines of one kind in one message. */
const NAMED = 10;
const MOST_OPEN = 10_000;

const keyOf = ({ kind, subject }: { kind: string; subject: string }): string => `${kind} ${subject}`;

const isKind = (kind: string): kind is TroubleKind => TROUBLE_KINDS.some((known) => known === kind);

/**
 * Looks for troubles. A trouble is announced once, when it has lasted long enough for its kind, and once when it has
 * been over for ten minutes. The rows, and the jobs that send the messages, are one write.
 */
export const lookForTroubles = async (env: AlertsEnv, job: Job<Record<string, never>>): Promise<JobOutcome> => {
  const found = await findTroubles(env);
  await env.db.write(async (tx) => {
    await keepRemembered(env, tx);
    const open = await listOpenTroubles(tx, MOST_OPEN);
    const known = new Map(open.map((row) => [keyOf(row), row]));
    const current = new Map(found.map((trouble) => [keyOf(trouble), trouble]));
    const opened = await openNew(
      env,
      tx,
      [...current.values()].filter((trouble) => !known.has(keyOf(trouble))),
    );
    const lasting = open.filter((row) => current.has(keyOf(row)));
    const gone = open.filter((row) => !current.has(keyOf(row)));
    const now = env.clock.now();
    await updateTroubles(
      tx,
      lasting.map(({ id }) => id),
      { seenAt: now },
    );
    await announceNew(env, tx, [...lasting, ...opened], current);
    await closeGone(
      env,
      tx,
      gone.filter(({ seenAt }) => now - seenAt >= GONE_MS),
      [...opened, ...lasting],
    );
    job.end(tx);
  });
  return { is: "settled" };
};

const openNew = async (env: AlertsEnv, tx: Tx, found: readonly Trouble[]): Promise<TroubleRow[]> => {
  const now = env.clock.now();
  const rows = found.map((trouble) => ({
    id: newId(env),
    ...trouble,
    openedAt: now,
    seenAt: now,
    announcedAt: null,
    closedAt: null,
  }));
  for (const row of rows) await insertTrouble(tx, row);
  return rows;
};

const announceNew = async (
  env: AlertsEnv,
  tx: Tx,
  rows: readonly TroubleRow[],
  current: ReadonlyMap<string, Trouble>,
): Promise<void> => {
  const now = env.clock.now();
  const due = rows.filter(
    ({ kind, openedAt, announcedAt }) => announcedAt === null && isKind(kind) && now - openedAt >= SETTLES_MS[kind],
  );
  await updateTroubles(
    tx,
    due.map(({ id }) => id),
    { announcedAt: now },
  );
  // as it is now: it may have changed since it began
  await announce(
    env,
    tx,
    "trouble.opened",
    due.map((row) => ({ ...row, ...textOf(current.get(keyOf(row)) ?? row) })),
  );
};

/**
 * A trouble that was never announced is deleted. A trouble that has become another trouble of the same subject (a lost
 * phone that has to be linked again) is not over. It closes without a message once the other trouble was announced.
 */
const closeGone = async (
  env: AlertsEnv,
  tx: Tx,
  gone: readonly TroubleRow[],
  present: readonly TroubleRow[],
): Promise<void> => {
  const others = new Map(present.filter(({ subject }) => subject !== "").map((row) => [row.subject, row]));
  const announced = gone.filter(
    ({ announcedAt, subject }) => announcedAt !== null && others.get(subject)?.announcedAt !== null,
  );
  const silent = gone.filter(({ announcedAt }) => announcedAt === null);
  await deleteTroubles(
    tx,
    silent.map(({ id }) => id),
  );
  await updateTroubles(
    tx,
    announced.map(({ id }) => id),
    { closedAt: env.clock.now() },
  );
  await announce(
    env,
    tx,
    "trouble.closed",
    announced.filter(({ subject }) => !others.has(subject)),
  );
};

const textOf = ({ text, localText }: AlertText): AlertText => ({ text, localText });

/** One message per kind, however many troubles began or ended together. */
const announce = async (
  env: AlertsEnv,
  tx: Tx,
  type: "trouble.opened" | "trouble.closed",
  rows: readonly TroubleRow[],
): Promise<void> => {
  for (const [kind, ofKind] of Map.groupBy(rows, (row) => row.kind)) {
    if (!isKind(kind)) continue;
    const { language } = env.config;
    const count = ofKind.length;
    const title = alertText(language, (texts) => titleOf(texts, { kind, type, count }));
    const more = count > NAMED ? [alertText(language, (texts) => texts.more(count - NAMED))] : [];
    const lines = [...ofKind.slice(0, NAMED), ...more];
    const notice = {
      id: newId(env),
      type,
      kind,
      title: title.text,
      localTitle: title.localText,
      text: lines.map(({ text }) => text).join("\n"),
      localText: language === undefined ? null : lines.map(({ text, localText }) => localText ?? text).join("\n"),
      troubles: count,
      createdAt: env.clock.now(),
    };
    await insertNotice(tx, notice);
    env.log.warn({ kind, type, troubles: count }, "the operator is notified of a trouble");
    const shown = localTextsOf(notice);
    for (const recipient of env.config.alerts.mail)
      await queueMail(env, tx, {
        tenantId: undefined,
        recipient,
        subject: `Recado: ${shown.title}`,
        body: shown.text,
      });
    for (const way of WAYS)
      if (env.config.alerts[way]) env.jobs.enqueue(tx, "alert.send", { noticeId: notice.id, way });
  }
};
