import { existsSync, statSync } from "node:fs";
import { missingFiles } from "../../adapters/files/missing-files.ts";
import { adaptersFor } from "../../composition.ts";
import { iso } from "../../kernel/clock.ts";
import { reasonOf } from "../../kernel/errors.ts";
import type { Config } from "../../kernel/settings/config.ts";
import { masterKeyFile } from "../../setup.ts";
import type { CheckedFile } from "../../store/backup/backup-check.ts";
import { BackupFault } from "../../store/backup/backup-key.ts";
import { type ForeignObject, harmOf, shownObjects } from "../../store/backup/foreign-schema.ts";
import { type ListedFile, listedFiles, type Waiting, waitingIn } from "../../store/backup/restore.ts";
import { DatabaseInUse, lockDatabase } from "../../store/engine/connection.ts";

/**
 * The plan of a restore. `replaces`: the existing database, and the path that it is moved to. `files.missing`: files
 * that the backup lists and the store lacks; `files.unchecked`: why the store could not be asked.
 */
export type Plan = {
  file: string;
  madeAt: string | null;
  version: string | null;
  sizeBytes: number;
  counts: Record<string, number>;
  replaces: { path: string; sizeBytes: number; changedAt: string; keptAs: string } | null;
  migrations: string[];
  foreign: ForeignObject[];
  waiting: Waiting;
  uncertainSends: Config["uncertainSends"];
  files: { listed: number; missing: string[]; unchecked: string | null };
  isServed: boolean;
};

/** @throws BackupFault unless the master key of this installation opens the secrets in the file. */
export const checkKey = (
  file: string,
  { details, keyIds }: CheckedFile,
  config: Config,
  here: string | undefined,
): void => {
  const needed = [...new Set([...(details ? [details.keyId] : []), ...keyIds])];
  if (needed.every((id) => id === here)) return;
  const found =
    here === undefined ? `there is no ${masterKeyFile(config)} and no RECADO_MASTER_KEY` : `the one here is ${here}`;
  throw new BackupFault(
    `the secrets in ${file} are sealed under master key ${needed.join(", ")}, and ${found}: use the key of the backup`,
  );
};

/** Whether a process has the database open now. Makes no file. */
const isServed = (path: string): boolean => {
  if (!existsSync(`${path}.lock`)) return false;
  try {
    lockDatabase(path)();
    return false;
  } catch (error) {
    if (error instanceof DatabaseInUse) return true;
    throw error;
  }
};

const filesOf = async (config: Config, listed: readonly ListedFile[]): Promise<Plan["files"]> => {
  try {
    const missing = await missingFiles(config.media, listed);
    return { listed: listed.length, missing: missing.map(({ key }) => key), unchecked: null };
  } catch (error) {
    return { listed: listed.length, missing: [], unchecked: reasonOf(error) };
  }
};

type RestoreTarget = { file: string; database: string; path: string; nowMs: number };

/** The path that the old database is moved to. */
const keptName = (path: string, nowMs: number): string =>
  `${path}.before-restore-${iso(nowMs).replaceAll(/[:.]/g, "-")}`;

/** The kinds of channels whose network recognises a repeated send. */
const recognisingKinds = async (config: Config): Promise<string[]> =>
  (await adaptersFor(config)).plugins
    .filter(({ capabilities, standsIn }) => !standsIn && capabilities.choosesMessageIds)
    .map(({ kind }) => kind);

/** Plans the restore of a checked file; changes nothing. */
export const planOf = async (
  config: Config,
  { file, database, path, nowMs }: RestoreTarget,
  { sizeBytes, details, counts, missing, foreign }: CheckedFile,
): Promise<Plan> => {
  const old = existsSync(path) ? statSync(path) : undefined;
  return {
    file,
    madeAt: details ? iso(details.madeAt) : null,
    version: details?.version ?? null,
    sizeBytes,
    counts,
    replaces: old
      ? {
          path,
          sizeBytes: old.size,
          changedAt: iso(Math.max(old.mtimeMs, walTime(path))),
          keptAs: keptName(path, nowMs),
        }
      : null,
    migrations: missing,
    foreign,
    waiting: waitingIn(database, counts, { nowMs, recognising: await recognisingKinds(config) }),
    uncertainSends: config.uncertainSends,
    files: await filesOf(config, listedFiles(database)),
    isServed: isServed(path),
  };
};

const walTime = (path: string): number => (existsSync(`${path}-wal`) ? statSync(`${path}-wal`).mtimeMs : 0);

const SHOWN: readonly string[] = ["tenants", "channels", "contacts", "messages", "received_messages", "events", "jobs"];
const FEW = 5;

const madeLine = ({ file, madeAt, version, sizeBytes }: Plan): string =>
  `${file}: ${madeAt ? `made ${madeAt} by Recado ${version}` : "a copy of a database"}, ${sizeBytes} bytes`;

const countsLine = ({ counts }: Plan): string => {
  const shown = SHOWN.flatMap((table) => (table in counts ? `${counts[table]} ${table.replace("_", " ")}` : []));
  return `  holds ${shown.join(", ")}`;
};

const oldLine = ({ replaces }: Plan): string => {
  if (!replaces) return "  there is no database to be replaced";
  const { path, sizeBytes, changedAt, keptAs } = replaces;
  return `  replaces ${path}, ${sizeBytes} bytes, last changed ${changedAt}; it stays as ${keptAs}`;
};

const doubtLines = ({ waiting: { messages, due, batches, answers }, uncertainSends }: Plan): string[] => {
  const parts = [
    [messages, "messages that wait for a network which recognises no repeat"],
    [due, "scheduled messages that were due before now"],
    [batches, "batches that were running"],
    [answers, "answers of agents"],
  ] as const;
  const there = parts.flatMap(([count, what]) => (count > 0 ? `${count} ${what}` : []));
  if (there.length === 0) return [];
  const fate =
    uncertainSends === "fail"
      ? "they end as failed, because they may have been sent since"
      : "they are sent, perhaps a second time";
  return [`  ${there.join(", ")}: ${fate} (RECADO_UNCERTAIN_SENDS=${uncertainSends})`];
};

const filesLines = ({ files: { listed, missing, unchecked } }: Plan): string[] => {
  if (listed === 0) return [];
  if (unchecked !== null) return [`  lists ${listed} files of messages, which could not be checked: ${unchecked}`];
  if (missing.length === 0) return [`  lists ${listed} files of messages; all of them are there`];
  const shown = [...missing.slice(0, FEW), ...(missing.length > FEW ? ["…"] : [])].join(", ");
  return [`  lists ${listed} files of messages; ${missing.length} of them are missing: ${shown}`];
};

const sessionsLines = ({ waiting: { sessions } }: Plan): string[] =>
  sessions === 0
    ? []
    : [
        `  ${sessions} sessions stay linked with their phones; they make new keys for their chats,`,
        "    and request messages again that cannot be read at first",
      ];

const foreignLines = ({ foreign }: Plan): string[] => {
  if (foreign.length === 0) return [];
  const harm = harmOf(foreign);
  return [
    `  warning: also holds what is not Recado's, which stays: ${shownObjects(foreign)}`,
    ...(harm === undefined ? [] : [`    ${harm}`]),
  ];
};

const LOST = [
  "  whatever happened after the backup was made is lost:",
  "    keys that were revoked and passwords that were changed since are as they were",
];

/** The plan as lines for the operator. */
export const planLines = (plan: Plan): string[] => [
  madeLine(plan),
  countsLine(plan),
  oldLine(plan),
  plan.migrations.length > 0 ? `  brings it up to date with ${plan.migrations.join(", ")}` : "  needs no migration",
  ...foreignLines(plan),
  ...sessionsLines(plan),
  ...doubtLines(plan),
  ...filesLines(plan),
  ...LOST,
  ...(plan.isServed ? [`  a server is running on ${plan.replaces?.path ?? "it"}: stop it before you restore`] : []),
];
