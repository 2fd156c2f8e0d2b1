import { accountCommand } from "./commands/account.ts";
import { adminCommand } from "./commands/admin.ts";
import { alertsCommand } from "./commands/alerts.ts";
import { terminalAsking } from "./commands/asking.ts";
import { backupCommand } from "./commands/backup.ts";
import { type Command, EXIT } from "./commands/command.ts";
import { completionCommand } from "./commands/completion.ts";
import { configCommand } from "./commands/config.ts";
import { demoCommand } from "./commands/demo.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { eventsCommand } from "./commands/events.ts";
import { exportCommand } from "./commands/export.ts";
import { healthCommand } from "./commands/health.ts";
import { importCommand } from "./commands/import.ts";
import { keyCommand } from "./commands/key.ts";
import { makeVoiceCommand } from "./commands/make-voice.ts";
import { mcpCommand } from "./commands/mcp.ts";
import { migrateCommand } from "./commands/migrate.ts";
import { openapiCommand } from "./commands/openapi.ts";
import { operatorCommand } from "./commands/operator.ts";
import { personCommand } from "./commands/person.ts";
import { phoneCommand } from "./commands/phone.ts";
import { pluginCommand } from "./commands/plugin.ts";
import { readDocumentCommand } from "./commands/read-document.ts";
import { restoreCommand } from "./commands/restore.ts";
import { sendCommand } from "./commands/send.ts";
import { serveCommand } from "./commands/serve.ts";
import { storeBackupCommand } from "./commands/store-backup.ts";
import { userCommand } from "./commands/user.ts";
import { versionCommand } from "./commands/version.ts";
import { endLog } from "./kernel/log.ts";

/** TABLE: the commands. */
const COMMANDS: Record<string, Command> = {
  serve: serveCommand,
  demo: demoCommand,
  migrate: migrateCommand,
  backup: backupCommand,
  restore: restoreCommand,
  phone: phoneCommand,
  send: sendCommand,
  events: eventsCommand,
  account: accountCommand,
  admin: adminCommand,
  alerts: alertsCommand,
  key: keyCommand,
  person: personCommand,
  import: importCommand,
  export: exportCommand,
  user: userCommand,
  operator: operatorCommand,
  plugin: pluginCommand,
  doctor: doctorCommand,
  health: healthCommand,
  config: configCommand,
  mcp: mcpCommand,
  openapi: openapiCommand,
  completion: completionCommand(() => COMMANDS),
  version: versionCommand,
};

/** TABLE: commands that the server runs in other processes of this program; not in the help. */
const CHILDREN: Record<string, Command> = {
  "make-voice": makeVoiceCommand,
  "read-document": readDocumentCommand,
  "store-backup": storeBackupCommand,
};

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
  const { env, stdout } = process;
  const isTerminal = stdout.isTTY;
  const context = { args, env, out, err, isTerminal, unread: unread.signal };
  if (!isTerminal || !process.stdin.isTTY) return command.run(context);
  const person = terminalAsking();
  return command.run({ ...context, ask: person.ask }).finally(person.close);
};

process.umask(0o077); // files hold keys and messages: only the owner may read them
const streams = [process.stdout, process.stderr];
const unread = new AbortController();
for (const stream of streams) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error; // EPIPE: the reader has closed the pipe, as `head` does
    if (stream === process.stdout) unread.abort();
  });
}
const code = await main(process.argv.slice(2));
await endLog();
// a pipe accepts output as fast as it is read: ending at once would cut the output
await Promise.all(streams.map((stream) => new Promise<void>((resolve) => void stream.end(() => resolve()))));
process.exit(code);
