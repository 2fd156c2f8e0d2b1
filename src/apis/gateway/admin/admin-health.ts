import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { type BackupNote, type BackupsNow, backupsNow } from "../../../core/backups.ts";
import { runNow } from "../../../core/timetable.ts";
import { iso } from "../../../kernel/clock.ts";
import { described, Nullable, OneOf } from "../../../kernel/schema.ts";
import { CreatedAt } from "../../shared/fields.ts";
import { administratorOf } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { ADMIN_REFUSALS, Instant } from "../schemas.ts";

const TextOrNull = Nullable(Type.String());

const OUTCOMES = ["ok", "warning", "fault", "skipped"] as const;
const ExaminationView = Type.Object(
  {
    checkedAt: described(Instant, "When the checks ended"),
    tookMs: Type.Integer({ description: "How long it took, in milliseconds", examples: [2140] }),
    ok: Type.Boolean({ description: "Whether no check found a fault" }),
    checks: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: "The name of the check, as a short word", examples: ["disk"] }),
          outcome: OneOf(OUTCOMES, {
            title: "CheckOutcome",
            description: "`fault`: it does not work, or soon will not",
          }),
          found: Type.String({
            description: "The finding of the check",
            examples: ["/var/lib/recado: 41.2 GB free of 80.0 GB"],
          }),
          remedy: described(TextOrNull, "What to do about it; null if there is nothing to do"),
        },
        { title: "DoctorCheck" },
      ),
      { description: "Every check with its result" },
    ),
  },
  { title: "Examination" },
);

const StoredBackupView = Type.Object(
  {
    name: Type.String({
      description: "The name of the file",
      examples: ["recado-1f2e3d4c-2026-11-22T02-15-00-000Z.db"],
    }),
    createdAt: CreatedAt("backup"),
    sizeBytes: Type.Integer({ description: "The size of the file in bytes", examples: [48213] }),
    isChecked: Type.Boolean({ description: "Whether it was opened and compared with the database" }),
  },
  { title: "StoredBackup" },
);
const BackupTryView = Type.Object(
  {
    at: described(Instant, "When it began"),
    isMade: Type.Boolean({ description: "False for an attempt that failed" }),
    name: described(
      TextOrNull,
      "The name of the file; null for a failed attempt",
      "recado-1f2e3d4c-2026-11-22T02-15-00-000Z.db",
    ),
    sizeBytes: Nullable(Type.Integer({ description: "Null for a failed try", examples: [209715200] })),
    durationMs: Nullable(
      Type.Integer({ description: "How long it took, in milliseconds; null for a failed attempt", examples: [5120] }),
    ),
    error: described(TextOrNull, "Why it failed; null if it did not"),
    warning: described(TextOrNull, "A problem that did not prevent it; null without one"),
  },
  { title: "BackupTry" },
);
const BackupsView = Type.Object(
  {
    isConfigured: Type.Boolean({ description: "Whether `RECADO_BACKUP` is set" }),
    place: described(TextOrNull, "Where they are stored; null while `RECADO_BACKUP` is not set", "/mnt/backups"),
    schedule: described(
      TextOrNull,
      "The times of the backups, as in a crontab, in UTC; null if none is scheduled",
      "15 2 * * *",
    ),
    keep: Nullable(
      Type.Integer({ description: "How many backups are kept; null while `RECADO_BACKUP` is not set", examples: [7] }),
    ),
    isEncrypted: Type.Boolean({ description: "Whether they are encrypted under the master key", examples: [false] }),
    isRunning: Type.Boolean({ description: "Whether a backup is being made now", examples: [false] }),
    progress: described(
      Nullable(
        Type.Object(
          {
            startedAt: described(Instant, "When this backup began"),
            copiedBytes: Type.Integer({
              description: "How much of the database was copied; the copy is checked after that",
              examples: [104857600],
            }),
            totalBytes: Nullable(
              Type.Integer({
                description: "The size of the database; null if it is on a server",
                examples: [209715200],
              }),
            ),
          },
          { title: "BackupProgress" },
        ),
      ),
      "The progress of the backup; null while this process makes none",
    ),
    last: described(Nullable(BackupTryView), "The last try; null before the first"),
    lastMade: described(Nullable(BackupTryView), "The last backup that was made; null before the first"),
    fault: described(TextOrNull, "Why the stored backups could not be listed; null if they could"),
    items: Type.Array(StoredBackupView, { description: "The stored backups" }),
  },
  { title: "Backups" },
);

const tryView = (note: BackupNote | null): Static<typeof BackupTryView> | null =>
  note && {
    at: iso(note.at),
    isMade: note.isMade,
    name: note.isMade ? note.name : null,
    sizeBytes: note.isMade ? note.sizeBytes : null,
    durationMs: note.isMade ? note.durationMs : null,
    error: note.isMade ? null : note.error,
    warning: note.isMade ? note.warning : null,
  };

const NO_BACKUPS: Static<typeof BackupsView> = {
  isConfigured: false,
  place: null,
  schedule: null,
  keep: null,
  isEncrypted: false,
  isRunning: false,
  progress: null,
  last: null,
  lastMade: null,
  fault: null,
  items: [],
};

const backupsView = ({ backups, machine }: GatewayEnv, now: BackupsNow | undefined): Static<typeof BackupsView> => {
  if (!backups || !now) return NO_BACKUPS;
  const { stored, fault, isWaiting, progress, last, lastMade } = now;
  return {
    isConfigured: true,
    place: backups.place,
    schedule: backups.pattern,
    keep: backups.keep,
    isEncrypted: backups.isEncrypted,
    isRunning: progress !== undefined || (isWaiting && last?.isMade !== false),
    progress: progress
      ? {
          startedAt: iso(progress.startedAtMs),
          copiedBytes: progress.copiedBytes,
          totalBytes: machine.databaseBytes()?.file ?? null,
        }
      : null,
    last: tryView(last),
    lastMade: tryView(lastMade),
    fault,
    items: stored.map(({ name, madeAtMs, sizeBytes }) => ({
      name,
      createdAt: iso(madeAtMs),
      sizeBytes,
      isChecked: true,
    })),
  };
};

/** The routes of the doctor and of backups. */
export const adminHealth = (env: GatewayEnv) =>
  new Elysia()
    .get(
      "/doctor",
      async () => {
        const { atMs, tookMs, checks } = await env.machine.examine();
        return {
          checkedAt: iso(atMs),
          tookMs,
          ok: !checks.some(({ outcome }) => outcome === "fault"),
          checks: checks.map(({ remedy = null, ...check }) => ({ ...check, remedy })),
        };
      },
      {
        response: { 200: ExaminationView, ...ADMIN_REFUSALS },
        detail: {
          ...route({ operationId: "examine", isolation: "administrator" }),
          summary: "Find present and coming faults, with their remedies",
          description: "It does what `recado doctor` does, in at most 45 seconds. The result is kept for a minute.",
        },
      },
    )
    .get("/backups", async () => backupsView(env, await backupsNow(env)), {
      response: { 200: BackupsView, ...ADMIN_REFUSALS },
      detail: {
        ...route({ operationId: "listBackups", isolation: "administrator" }),
        summary: "List the stored backups, and how far the current one is",
        description: "`progress` shows a backup in progress.",
      },
    })
    .post(
      "/backups",
      async ({ status, request }) => {
        await runNow(env, administratorOf(request), "backup");
        return status(202, backupsView(env, await backupsNow(env)));
      },
      {
        response: { 202: BackupsView, ...ADMIN_REFUSALS },
        detail: {
          ...route({ operationId: "makeBackup", acts: ["job.run"], isolation: "administrator" }),
          summary: "Make a backup now",
          description: "It is made in the background: list the backups to follow it. It needs `RECADO_BACKUP`.",
        },
      },
    );
