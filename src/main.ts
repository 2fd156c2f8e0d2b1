import { terminalAsking } from "./commands/asking.ts";
import { type Command, EXIT } from "./commands/command.ts";
import { endLog } from "./kernel/log.ts";

type Commands = Readonly<Record<string, () => Promise<Command>>>;

/** TABLE: the commands. Each is loaded on demand: a server needs none of the others. */
const COMMANDS: Commands = {
  serve: async () => (await import("./commands/server/serve.ts")).serveCommand,
  demo: async () => (await import("./commands/demo/demo.ts")).demoCommand,
  migrate: async () => (await import("./commands/database/migrate.ts")).migrateCommand,
  backup: async () => (await import("./commands/database/backup.ts")).backupCommand,
  restore: async () => (await import("./commands/database/restore.ts")).restoreCommand,
  phone: async () => (await import("./commands/phone.ts")).phoneCommand,
  send: async () => (await import("./commands/send.ts")).sendCommand,
  connect: async () => (await import("./commands/connect.ts")).connectCommand,
  events: async () => (await import("./commands/events.ts")).eventsCommand,
  account: async () => (await import("./commands/tenancy/account.ts")).accountCommand,
  admin: async () => (await import("./commands/tenancy/admin.ts")).adminCommand,
  alerts: async () => (await import("./commands/alerts.ts")).alertsCommand,
  key: async () => (await import("./commands/database/key.ts")).keyCommand,
  person: async () => (await import("./commands/tenancy/person.ts")).personCommand,
  import: async () => (await import("./commands/moving/import.ts")).importCommand,
  export: async () => (await import("./commands/moving/export.ts")).exportCommand,
  user: async () => (await import("./commands/tenancy/user.ts")).userCommand,
  operator: async () => (await import("./commands/tenancy/operator.ts")).operatorCommand,
  plugin: async () => (await import("./commands/plugin.ts")).pluginCommand,
  doctor: async () => (await import("./commands/doctor.ts")).doctorCommand,
  health: async () => (await import("./commands/server/health.ts")).healthCommand,
  config: async () => (await import("./commands/config.ts")).configCommand,
  mcp: async () => (await import("./commands/mcp.ts")).mcpCommand,
  openapi: async () => (await import("./commands/openapi.ts")).openapiCommand,
  completion: async () => (await import("./commands/completion.ts")).completionCommand(allCommands),
  version: async () => (await import("./commands/version.ts")).versionCommand,
};

/** TABLE: commands that the server runs in other processes of this program; not in the help. */
const CHILDREN: Commands = {
  "make-voice": async () => (await import("./commands/server/make-voice.ts")).makeVoiceCommand,
  "make-wav": async () => (await import("./commands/server/make-voice.ts")).makeWavCommand,
  "make-sticker": async () => (await import("./commands/server/make-sticker.ts")).makeStickerCommand,
  "make-thumbnail": async () => (await import("./commands/server/make-sticker.ts")).makeThumbnailCommand,
  "make-standard": async () => (await import("./commands/server/make-sticker.ts")).makeStandardCommand,
  "shrink-picture": async () => (await import("./commands/server/shrink-picture.ts")).shrinkPictureCommand,
  "read-document": async () => (await import("./commands/server/read-document.ts")).readDocumentCommand,
  "try-adapters": async () => (await import("./commands/server/try-adapters.ts")).tryAdaptersCommand,
  "store-backup": async () => (await import("./commands/database/store-backup.ts")).storeBackupCommand,
};

const allCommands = async (): Promise<Record<string, Command>> => {
  const loaded = Object.entries(COMMANDS).map(async ([name, load]) => [name, await load()] as const);
  return Object.fromEntries(await Promise.all(loaded));
};

const commandOf = (name: string): (() => Promise<Command>) | undefined =>
  [COMMANDS, CHILDREN].find((table) => Object.hasOwn(table, name))?.[name];

const help = async (): Promise<string[]> => {
  const commands = Object.values(await allCommands());
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
    (await help()).forEach(out);
    return EXIT.ok;
  }
  const load = commandOf(name);
  if (!load) {
    err(`recado: no such command: ${name}`);
    (await help()).forEach(err);
    return EXIT.usage;
  }
  const command = await load();
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
