import { constants } from "node:fs";
import { mkdir, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { StoredEntry } from "../../contract/abilities/moving.ts";
import { unpackEntries } from "../../core/channels/moving/move-archive.ts";
import { moveOut } from "../../core/channels/moving/move-out.ts";
import { LOCAL } from "../../core/tenancy/audit/audit.ts";
import { command, EXIT, JSON_FLAG } from "../command.ts";
import { onDatabase } from "../on-database.ts";
import { withConfig } from "../with-config.ts";

const FILE_NAME = /^[\w.@+=-]{1,255}$/;
const OWNER_READS_FOLDER = 0o700;
const OWNER_READS_FILE = 0o600;

type Taken = { id: string; phoneNumber: string; entries: readonly StoredEntry[] };

const WARNING =
  "These files are the credential of the phone: who has them reads and writes in its name. The phone is paused " +
  "here, so that two programs never use one session; POST …/reconnect takes it back.";

/** Makes the folder, or takes an empty one. @throws Error for a folder with contents */
const emptyFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: OWNER_READS_FOLDER });
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty: name another folder`);
};

/** Writes only new files, which only their owner can read. */
const writeEntries = async (folder: string, entries: readonly StoredEntry[]): Promise<void> => {
  for (const { name, text } of entries) {
    if (!FILE_NAME.test(name)) throw new Error("the server named a file that cannot be written");
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const file = await open(join(folder, name), flags, OWNER_READS_FILE);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
  }
};

/**
 * `export session PHONE --to FOLDER` writes a phone's session as Baileys stores it. Works beside a running server. The
 * phone is paused afterwards.
 */
export const exportCommand = command(
  {
    name: "export",
    about: "take a phone's session out, as files of Baileys; PHONE is its id or its number",
    operands: ["session", "PHONE"],
    flags: {
      to: { value: "FOLDER", about: "a new or empty folder" },
      stop: { about: "pause the phone first if it is connected" },
      json: JSON_FLAG,
    },
  },
  async (context, { flags: { to, stop, json }, operands: [what, phone = ""] }) => {
    if (what !== "session" || !to) {
      context.err("recado export: use export session PHONE --to FOLDER");
      return EXIT.usage;
    }
    return withConfig(context, async (config) => {
      await emptyFolder(to);
      const { id, phoneNumber, entries } = await onDatabase<Taken>(config, {
        async offline(env) {
          const { channel, stored } = await moveOut(env, LOCAL, { phone, stops: stop });
          return { id: String(channel.id), phoneNumber: String(channel.phoneNumber), entries: stored.entries };
        },
        async served(ask) {
          const answer = await ask("/exports", { phone, stop });
          const entries = await unpackEntries(String(answer["session"]));
          return { id: String(answer["id"]), phoneNumber: String(answer["phoneNumber"]), entries };
        },
      });
      await writeEntries(to, entries);
      context.err(WARNING);
      if (json) context.out(JSON.stringify({ id, phoneNumber, files: entries.length, folder: to }));
      else context.out(`${entries.length} files of phone ${id} are in ${to}`);
      return EXIT.ok;
    });
  },
);
