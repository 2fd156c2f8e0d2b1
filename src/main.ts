import { accountCommand } from "./commands/account.ts";
import { adminCommand } from "./commands/admin.ts";
import { backupCommand } from "./commands/backup.ts";
import { type Command, EXIT } from "./commands/command.ts";
import { configCommand } from "./commands/config.ts";
import { demoCommand } from "./commands/demo.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { keyCommand } from "./commands/key.ts";
import { migrateCommand } from "./commands/migrate.ts";
import { openapiCommand } from "./commands/openapi.ts";
import { personCommand } from "./commands/person.ts";
import { pluginCommand } from "./commands/plugin.ts";
import { readDocumentCommand } from "./commands/read-document.ts";
import { restoreCommand } from "./commands/restore.ts";
import { serveCommand } from "./commands/serve.ts";
import { storeBackupCommand } from "./commands/store-backup.ts";
import { userCommand } from "./commands/user.ts";
import { versionCommand } from "./commands/version.ts";
import { endLog } from "./kernel/log.ts";

/** TABLE: the verbs. */
const COMMANDS: Record<string, Command> = {
  serve: serveCommand,
  demo: demoCommand,
  migrate: migrateCommand,
  backup: backupCommand,
  restore: restoreCommand,
  account: accountCommand,
  admin: adminCommand,
  key: keyCommand,
  person: personCommand,
  user: userCommand,
  plugin: pluginCommand,
  doctor: doctorCommand,
  config: configCommand,
  openapi: openapiCommand,
  version: versionCommand,
};

/** TABLE: what the server runs of itself, in a process of its own. */
const CHILDREN: Record<string, Command> = { "read-document": readDocumentCommand, "store-backup": storeBackupCommand };

const commandOf = (name: string): Command | undefined =>
  [COMMANDS, CHILDREN].find((table) => Object.hasOwn(table, name))?.[name];

const help = (): string[] => {
  const commands = Object.values(COMMANDS);
  const width = Math.max(...commands.map(({ synopsis }) => synopsis.length));
  return [
    "recado <command> [--help]; without a command it serves",
    "",
    ...commands.map(({ synopsis, about }) => `  ${synopsis.padEnd(width)}  ${about}`),
  ];
};

const main = async (argv: string[]): Promise<number> => {
  const [first = "serve", ...rest] = argv;
  const isFlag = first.startsWith("-") && first !== "-h" && first !== "--help";
  const [name, args] = isFlag ? ["serve", argv] : [first, rest];
  const out = (line: string) => void process.stdout.write(`${line}\n`);
  const err = (line: string) => void process.stderr.write(`${line}\n`);
  if (name === "help" || name === "--help" || name === "-h") {
    help().forEach(out);
    return EXIT.ok;
  }
  const command = commandOf(name);
  if (!command) {
    err(`recado: no such command: ${name}`);
    help().forEach(err);
    return EXIT.usage;
  }
  return command.run({ args, env: process.env, out, err, isTerminal: process.stdout.isTTY });
};

process.umask(0o077); // what we write holds keys and messages: it is nobody else's
const streams = [process.stdout, process.stderr];
for (const stream of streams) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error; // EPIPE: whoever read has seen enough, as `head` has
  });
}
const code = await main(process.argv.slice(2));
await endLog();
// a pipe takes output as fast as it is read: ending at once would cut it off
await Promise.all(streams.map((stream) => new Promise<void>((resolve) => void stream.end(() => resolve()))));
process.exit(code);
