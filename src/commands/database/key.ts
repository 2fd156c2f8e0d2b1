import { LOCAL } from "../../core/tenancy/audit/audit.ts";
import { systemClock } from "../../kernel/clock.ts";
import { secretsOf } from "../../kernel/crypto.ts";
import { createLog } from "../../kernel/log.ts";
import { systemRandom } from "../../kernel/random.ts";
import type { Config } from "../../kernel/settings/config.ts";
import { resealAll, rotateMasterKey } from "../../key-rotation.ts";
import { belongsTo, makeNextMasterKey, nextMasterKey, promoteNextMasterKey } from "../../master-key.ts";
import { ConfigFault, databaseLocation, existingMasterKey, masterKeyFile } from "../../setup.ts";
import { DatabaseInUse, type Db } from "../../store/engine/db.ts";
import { openStore } from "../../store/engine/open.ts";
import { command, EXIT, JSON_FLAG } from "../command.ts";
import { withConfig } from "../with-config.ts";

type Keys = { from: Uint8Array; to: Uint8Array; isOwn: boolean };

/** The old and the new master key. `isOwn`: they lie in the data directory, and the new one is made here. */
const keysOf = async (config: Config, db: Db): Promise<Keys> => {
  const random = systemRandom();
  if (config.masterKey) {
    if (!config.masterKeyPrevious)
      throw new ConfigFault(
        "RECADO_MASTER_KEY_PREVIOUS: set it to the current key, RECADO_MASTER_KEY to a new one (32 bytes in base64)",
      );
    return { from: config.masterKeyPrevious, to: config.masterKey, isOwn: false };
  }
  const from = existingMasterKey(config);
  if (!from)
    throw new ConfigFault(
      `there is no master key ${masterKeyFile(config)}: check RECADO_DATA_DIR and RECADO_MASTER_KEY`,
    );
  const next = nextMasterKey(config);
  if (next) return { from, to: next, isOwn: true }; // of an interrupted rotation
  if (!(await db.read((reader) => belongsTo(reader, secretsOf(from, random)))))
    throw new ConfigFault(`the database does not belong to the master key in ${masterKeyFile(config)}`);
  return { from, to: makeNextMasterKey(config, random), isOwn: true };
};

type Rotated = { from: string; to: string; isDone: boolean; resealed: number | null; oldKey: string };

/**
 * Replaces the key file in the data directory only after the database is written under the new key. After an
 * interruption one of the two keys opens the database, and the next start finds which.
 */
const rotate = async (config: Config, flags: { data: boolean; revoke: boolean }): Promise<Rotated> => {
  const onFatal = (error: unknown) => {
    throw error;
  };
  const db = await openStore(databaseLocation(config), { nowMs: systemClock().now(), onFatal }).catch(
    (error: unknown) => {
      throw error instanceof DatabaseInUse
        ? new DatabaseInUse(`${error.message}: stop the server before you rotate the master key`, { cause: error })
        : error;
    },
  );
  try {
    const { from, to, isOwn } = await keysOf(config, db);
    const random = systemRandom();
    const env = { db, clock: systemClock(), random, log: createLog("error") };
    const isDone = await rotateMasterKey(env, LOCAL, { from, to, isRevoking: flags.revoke, isResealing: flags.data });
    const [fromId, toId] = [secretsOf(from, random).keyId, secretsOf(to, random).keyId];
    const oldKey = isOwn ? promoteNextMasterKey(config, fromId) : "RECADO_MASTER_KEY_PREVIOUS";
    return { from: fromId, to: toId, isDone, resealed: flags.data ? await resealAll(env, to) : null, oldKey };
  } finally {
    await db.close();
  }
};

const linesOf = ({ from, to, isDone, resealed, oldKey }: Rotated): string[] => [
  isDone ? `master key ${from} was replaced by ${to}` : `the database was under master key ${to} already`,
  ...(resealed === null ? [] : [`${resealed} secrets were sealed under the new key`]),
  `Store the old key (${oldKey}) beside the backups that were made under it, not on this machine: only it opens them.`,
  "Then remove it here.",
];

/** `key rotate` replaces the master key; no server may be running. */
export const keyCommand = command(
  {
    name: "key",
    about: "replace the master key by a new one; no server may be running",
    operands: ["rotate"],
    flags: {
      data: { about: "also seal every secret under a new data key, so that the old key opens nothing in the database" },
      revoke: { about: "refuse signatures of the old key at once: user tokens, links to files" },
      json: JSON_FLAG,
    },
  },
  async (context, { flags, operands: [verb] }) => {
    if (verb !== "rotate") {
      context.err("recado key: use key rotate");
      return EXIT.usage;
    }
    return withConfig(context, async (config) => {
      const rotated = await rotate(config, flags);
      if (flags.json) context.out(JSON.stringify(rotated));
      else for (const line of linesOf(rotated)) context.out(line);
      return EXIT.ok;
    });
  },
);
