import { accountCommand } from "./commands/account.ts";
import { adminCommand } from "./commands/admin.ts";
import { backupCommand } from "./commands/backup.ts";
import { type Command, EXIT } from "./commands/command.ts";
import { configCommand } from "./commands/config.ts";
import { demoCommand } from "./commands/demo.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { migrateCommand } from "./commands/migrate.ts";
import { openapiCommand } from "./commands/openapi.ts";
import { readDocumentCommand } from "./commands/read-document.ts";
import { restoreCommand } from "./commands/restore.ts";
import { serveCommand } from "./commands/serve.ts";
import { storeBackupCommand } from "./commands/store-backup.ts";
import { versionCommand } from "./commands/version.ts";

/** TABLE: the verbs, and what `recado --help` says of them. */
const COMMANDS: Record<string, { about: string; run: Command }> = {
  serve: { about: "serve both APIs (the default)", run: serveCommand },
  demo: { about: "show a message's whole way, without a phone or an account; --session links a phone of yours", run: demoCommand },
  migrate: { about: "bring the database up to date", run: migrateCommand },
  backup: { about: "make one consistent, checked copy of the database, while the server runs or while none does", run: backupCommand },
  restore: { about: "put a backup in the place of the database; --dry-run says what would be done", run: restoreCommand },
  account: { about: "create --name N: make an account and its first key", run: accountCommand },
  admin: { about: "token: make a new admin token, which voids the one made before", run: adminCommand },
  doctor: { about: "look for what does not work, and say what to do about it; exit code 1 when something is at fault", run: doctorCommand },
  config: { about: "print every setting with its source", run: configCommand },
  openapi: { about: "platform|gateway: print an API's description", run: openapiCommand },
  version: { about: "print version and commit", run: versionCommand },
};

/** TABLE: what the server runs of itself, in a process of its own. */
const CHILDREN: Record<string, Command> = { "read-document": readDocumentCommand, "store-backup": storeBackupCommand };

const commandOf = (name: string): Command | undefined => (Object.hasOwn(COMMANDS, name) ? COMMANDS[name]?.run : Object.hasOwn(CHILDREN, name) ? CHILDREN[name] : undefined);

const help = (): string[] => ["recado <command> [--help]", "", ...Object.entries(COMMANDS).map(([name, { about }]) => `  ${name.padEnd(7)}  ${about}`)];

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
  return command({ args, env: process.env, out, err, isTerminal: process.stdout.isTTY });
};

process.umask(0o077); // what we write holds keys and messages: it is nobody else's
const code = await main(process.argv.slice(2));
// a pipe takes output as fast as it is read: ending at once would cut it off
await Promise.all([process.stdout, process.stderr].map((stream) => new Promise<void>((resolve) => void stream.end(() => resolve()))));
process.exit(code);
