import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { giveWay } from "../adapters/priority.ts";
import { iso, systemClock } from "../kernel/clock.ts";
import type { Config } from "../kernel/config.ts";
import type { Secrets } from "../kernel/crypto.ts";
import { systemRandom } from "../kernel/random.ts";
import { refuseOtherKey } from "../master-key.ts";
import { backupSource, masterKeyFile } from "../setup.ts";
import { type BackupSource, localDraft, type MadeBackup, makeBackup, publishFile } from "../store/backup.ts";
import type { CheckedFile } from "../store/backup-check.ts";
import { BackupFault, backupKeyOf } from "../store/backup-key.ts";
import { inspectFile, inspectServer, missingMigrations } from "../store/inspection.ts";
import { openBackup } from "../store/opened-backup.ts";
import { VERSION } from "../version.ts";
import { type CommandContext, command, EXIT, JSON_FLAG } from "./command.ts";
import { backupKeysHere, secretsHere } from "./local-database.ts";
import { untilAborted } from "./signals.ts";
import { withConfig } from "./with-config.ts";

/** A backup that names another key than its database has could be restored under neither. */
const checkKeyOf = async (from: BackupSource, secrets: Secrets): Promise<void> => {
  const { reader, close } = typeof from === "string" ? await inspectFile(from) : await inspectServer(from);
  try {
    if ((await missingMigrations(reader)).length === 0) await refuseOtherKey(reader, secrets);
  } finally {
    close();
  }
};

const make = async (config: Config, path: string, isEncrypted: boolean): Promise<MadeBackup> => {
  giveWay(); // to a server on this machine
  const from = backupSource(config);
  if (existsSync(path)) throw new BackupFault(`${path} is there already: give another name`);
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

const told = ({ sizeBytes, details, counts }: CheckedFile): string =>
  `${sizeBytes} bytes, ${rowsIn(counts)} rows${details ? `, made ${iso(details.madeAt)} by Recado ${details.version}` : ", no backup but a copy of the database"}`;

/** Whether anybody without the master key could have changed it. */
const verdict = ({ details }: CheckedFile): string =>
  details?.isSealed
    ? `whole, sealed under master key ${details.keyId}`
    : "whole, but without a seal of the master key: whether somebody has changed it cannot be told";

const verify = (config: Config, path: string): CheckedFile => {
  const { found, close } = openBackup(path, join(config.dataDir, "checked"), backupKeysHere(config));
  close();
  return { ...found, sizeBytes: statSync(path).size };
};

const tellMade = ({ out }: CommandContext, config: Config, path: string, { files, ...made }: MadeBackup): void => {
  out(`${path}: ${told(made)}; checked`);
  out(
    `The master key is not in it, and without that key it is restored by nobody: keep ${config.masterKey ? "RECADO_MASTER_KEY" : masterKeyFile(config)} beside it, elsewhere than on this machine.`,
  );
  if (files > 0) out(`${files} files of messages are listed in it, not held: they lie in RECADO_MEDIA.`);
};

const jsonOf = (path: string, { sizeBytes, details, counts, missing }: CheckedFile, more: object = {}): string =>
  JSON.stringify({
    file: path,
    sizeBytes,
    madeAt: details ? iso(details.madeAt) : null,
    version: details?.version ?? null,
    masterKey: details?.keyId ?? null,
    isSealed: details?.isSealed ?? false,
    counts,
    migrationsMissing: missing,
    ...more,
  });

/** Makes a backup while the server runs or while none does, or with `--verify` checks one that is there. */
export const backupCommand = command(
  {
    name: "backup",
    about:
      "make one consistent, checked copy of the database at FILE, which must not be there; a server may be running",
    operands: ["FILE"],
    flags: {
      encrypt: { about: "encrypt all of it under the master key" },
      verify: { about: "check FILE, which is there, instead" },
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
        context.out(flags.json ? jsonOf(path, found) : `${path}: ${told(found)}; ${verdict(found)}`);
        return EXIT.ok;
      }
      const made = await make(config, path, flags.encrypt === true);
      if (flags.json) context.out(jsonOf(path, made, { files: made.files }));
      else tellMade(context, config, path, made);
      return EXIT.ok;
    }),
);
