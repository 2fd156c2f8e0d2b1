import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { lowerPriority } from "../../adapters/machine/priority.ts";
import { iso, systemClock } from "../../kernel/clock.ts";
import type { Secrets } from "../../kernel/crypto.ts";
import { systemRandom } from "../../kernel/random.ts";
import type { Config } from "../../kernel/settings/config.ts";
import { refuseOtherKey } from "../../master-key.ts";
import { backupSource, masterKeyFile } from "../../setup.ts";
import { type BackupSource, localDraft, type MadeBackup, makeBackup, publishFile } from "../../store/backup/backup.ts";
import type { CheckedFile } from "../../store/backup/backup-check.ts";
import { BackupFault, backupKeyOf } from "../../store/backup/backup-key.ts";
import { harmOf, shownObjects } from "../../store/backup/foreign-schema.ts";
import { openBackup } from "../../store/backup/opened-backup.ts";
import { inspectFile, inspectServer, missingMigrations } from "../../store/engine/inspection.ts";
import { VERSION } from "../../version.ts";
import { type CommandContext, command, EXIT, JSON_FLAG } from "../command.ts";
import { untilAborted } from "../signals.ts";
import { withConfig } from "../with-config.ts";
import { backupKeysHere, secretsHere } from "./local-database.ts";

/** Refuses a master key that is not the database's: such a backup could be restored under neither key. */
const checkKeyOf = async (from: BackupSource, secrets: Secrets): Promise<void> => {
  const { reader, close } = typeof from === "string" ? await inspectFile(from) : await inspectServer(from);
  try {
    if ((await missingMigrations(reader)).length === 0) await refuseOtherKey(reader, secrets);
  } finally {
    close();
  }
};

const make = async (config: Config, path: string, isEncrypted: boolean): Promise<MadeBackup> => {
  lowerPriority(); // to a server on this machine
  const from = backupSource(config);
  if (existsSync(path)) throw new BackupFault(`${path} exists already: give another name`);
  const secrets = secretsHere(config);
  if (!secrets)
    throw new BackupFault(
      `there is no master key ${masterKeyFile(config)}: check RECADO_DATA_DIR and RECADO_MASTER_KEY`,
    );
  if (typeof from !== "string" || existsSync(from)) await checkKeyOf(from, secrets);
  const draft = `${path}.partial`;
  const random = systemRandom();
  const details = { madeAt: systemClock().now(), version: VERSION };
  const mark = Buffer.from(random.bytes(32)).toString("hex");
  const plain = isEncrypted ? localDraft(from, config.dataDir, "by-hand") : undefined;
  const made = await makeBackup({ from, draft, plain, details, key: backupKeyOf(secrets), mark }, untilAborted());
  publishFile(draft, path);
  return made;
};

const rowsIn = (counts: Record<string, number>): number => Object.values(counts).reduce((sum, rows) => sum + rows, 0);

const summaryOf = ({ sizeBytes, details, counts }: CheckedFile): string => {
  const origin = details
    ? `made ${iso(details.madeAt)} by Recado ${details.version}`
    : "not a backup but a copy of the database";
  return `${sizeBytes} bytes, ${rowsIn(counts)} rows, ${origin}`;
};

/** Whether the seal of the master key proves that the backup is unchanged. */
const verdict = ({ details }: CheckedFile): string =>
  details?.isSealed
    ? `whole, sealed under master key ${details.keyId}`
    : "whole, but without a seal of the master key, so that changes cannot be detected";

const foreignLine = (foreign: CheckedFile["foreign"]): string =>
  `Warning: it also holds what is not Recado's: ${[shownObjects(foreign), harmOf(foreign) ?? []].flat().join("; ")}.`;

const verify = (config: Config, path: string): CheckedFile => {
  const { found, close } = openBackup(path, join(config.dataDir, "checked"), backupKeysHere(config));
  close();
  return { ...found, sizeBytes: statSync(path).size };
};

const printMade = (
  { out }: CommandContext,
  config: Config,
  path: string,
  { files, warning, ...made }: MadeBackup,
): void => {
  out(`${path}: ${summaryOf(made)}; checked`);
  if (warning !== undefined) out(`Warning: ${warning}.`);
  const key = config.masterKey ? "RECADO_MASTER_KEY" : masterKeyFile(config);
  out(`The master key is not in it, and it is needed to restore it: store ${key} beside it, not on this machine.`);
  if (files > 0) out(`${files} files of messages are listed in it but not included: they are in RECADO_MEDIA.`);
};

const jsonOf = (
  path: string,
  { sizeBytes, details, counts, missing, foreign }: CheckedFile,
  more: object = {},
): string =>
  JSON.stringify({
    file: path,
    sizeBytes,
    madeAt: details ? iso(details.madeAt) : null,
    version: details?.version ?? null,
    masterKey: details?.keyId ?? null,
    isSealed: details?.isSealed ?? false,
    counts,
    migrationsMissing: missing,
    foreign,
    ...more,
  });

/** Makes a backup, with or without a running server; with `--verify` checks an existing one. */
export const backupCommand = command(
  {
    name: "backup",
    about: "make one consistent, checked copy of the database at FILE, which must not exist; a server may be running",
    operands: ["FILE"],
    flags: {
      encrypt: { about: "encrypt all of it under the master key" },
      verify: { about: "check the existing FILE instead" },
      json: JSON_FLAG,
    },
  },
  (context, { flags, operands: [file = ""] }) =>
    withConfig(context, async (config) => {
      const path = resolve(file);
      if (existsSync(path) && statSync(path).isDirectory())
        throw new BackupFault(`${path} is a folder: name a file in it`);
      if (flags.verify) {
        const found = verify(config, path);
        context.out(flags.json ? jsonOf(path, found) : `${path}: ${summaryOf(found)}; ${verdict(found)}`);
        if (!flags.json && found.foreign.length > 0) context.out(foreignLine(found.foreign));
        return EXIT.ok;
      }
      const made = await make(config, path, flags.encrypt === true);
      if (flags.json) context.out(jsonOf(path, made, { files: made.files, warning: made.warning ?? null }));
      else printMade(context, config, path, made);
      return EXIT.ok;
    }),
);
