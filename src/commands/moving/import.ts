import { existsSync } from "node:fs";
import { GATEWAY } from "../../apis/gateway/events/render.ts";
import type { ServerEnv } from "../../composition.ts";
import { packEntries } from "../../core/channels/moving/move-archive.ts";
import { inspectMoveIn, type MoveInReport, moveIn } from "../../core/channels/moving/move-in.ts";
import { LOCAL } from "../../core/tenancy/audit/audit.ts";
import { AppError, reasonOf, refusalText } from "../../kernel/errors.ts";
import type { Config } from "../../kernel/settings/config.ts";
import { ConfigFault, databaseFile } from "../../setup.ts";
import { type CommandContext, command, EXIT, JSON_FLAG } from "../command.ts";
import { type AskServer, onDatabase } from "../on-database.ts";
import { withConfig } from "../with-config.ts";
import { readBounded } from "./files.ts";
import { type FoundSession, SourceFault } from "./found.ts";
import { guidedImport } from "./guide.ts";
import { plannedWebhook, type WebhookAsked } from "./home.ts";
import { findSessions } from "./sources.ts";

/** The result of a session's import, or the planned result. `id`: of the new phone. */
type SessionReport = { name: string; id?: string } & MoveInReport;

type Options = {
  accountId: string | undefined;
  label: string | undefined;
  webhook: WebhookAsked;
  isLastState: boolean;
  isDry: boolean;
};

/** The functions on the database that a session needs, called directly or through the server that has it open. */
type Port = {
  inspect(session: FoundSession, options: Options): Promise<MoveInReport>;
  bringIn(session: FoundSession, options: Options & { accountId: string }): Promise<MoveInReport & { id: string }>;
};

const labelOf = ({ name }: FoundSession, { label }: Options): string => (label ?? name).slice(0, 120);

const portOn = (env: ServerEnv): Port => {
  const askedOf = async ({ format, entries }: FoundSession, { isLastState }: Options) => ({
    stored: { format, entries: await entries() },
    isLastState,
  });
  return {
    inspect: async (session, options) => inspectMoveIn(env, await askedOf(session, options)),
    async bringIn(session, options) {
      const { webhook } = plannedWebhook(session, options.webhook);
      const home = {
        accountId: options.accountId,
        label: labelOf(session, options),
        webhook: webhook && { ...webhook, audience: GATEWAY },
      };
      const { channel, report } = await moveIn(env, LOCAL, home, await askedOf(session, options));
      return { id: channel.id, ...report };
    },
  };
};

const portThrough = (ask: AskServer): Port => {
  const bodyOf = async ({ format, entries }: FoundSession, { isLastState }: Options) => ({
    format,
    session: await packEntries(await entries()),
    isLastState,
  });
  return {
    inspect: async (session, options) =>
      (await ask("/imports/inspect", await bodyOf(session, options))) as MoveInReport,
    async bringIn(session, options) {
      const { webhook } = plannedWebhook(session, options.webhook);
      return (await ask("/imports", {
        ...(await bodyOf(session, options)),
        accountId: options.accountId,
        label: labelOf(session, options),
        oldServerStopped: true,
        ...(webhook ? { webhook } : {}),
      })) as MoveInReport & { id: string };
    },
  };
};

/** One session after the other, so that one at a time is in memory. A refused one does not hold up the others. */
const runAll = async (port: Port, sessions: readonly FoundSession[], options: Options): Promise<SessionReport[]> => {
  const reports: SessionReport[] = [];
  for (const session of sessions) {
    const notes = [...session.notes, ...plannedWebhook(session, options.webhook).notes];
    const { accountId } = options;
    try {
      const report =
        options.isDry || accountId === undefined
          ? await port.inspect(session, options)
          : await port.bringIn(session, { ...options, accountId });
      reports.push({ name: session.name, ...report, notes: [...notes, ...report.notes] });
    } catch (thrown) {
      const problem = thrown instanceof AppError ? refusalText(thrown) : messageOf(thrown);
      reports.push({ name: session.name, phoneNumber: null, keys: {}, notes, problems: [problem] });
    }
  }
  return reports;
};

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : reasonOf(thrown));

const linesOf = ({ name, phoneNumber, keys, notes, problems, id }: SessionReport, isDry: boolean): string[] => {
  const counts = Object.entries(keys).map(([kind, count]) => `${count} ${kind}`);
  const outcome = problems.length > 0 ? "cannot be imported" : isDry ? "can be imported" : `is phone ${id}`;
  return [
    `${name} (${phoneNumber ?? "no number"}): ${outcome}; ${counts.join(", ") || "no keys"}`,
    ...problems.map((problem) => `  problem: ${problem}`),
    ...notes.map((note) => `  note: ${note}`),
  ];
};

const FLAGS = {
  "dry-run": { about: "say what there is, and change nothing" },
  account: { value: "ID", about: "the account or institution that gets the phones" },
  keys: { value: "PATH", about: "Evolution's keys: the folder of its instances, or a JSON dump of its Redis" },
  only: { value: "NAME", about: "only the session of this name, as the dry run shows it" },
  label: { value: "TEXT", about: "the phone's name, instead of the session's" },
  webhook: { value: "URL", about: "the phones' webhook, instead of the one that Evolution has" },
  "webhook-secret-file": { value: "FILE", about: "the secret that signs events; without it no webhook is set" },
  "last-state": { about: "the old server has not run since the source was written: open chats keep their keys" },
  stopped: { about: "the old server is stopped and stays so; needed to import" },
  json: JSON_FLAG,
} as const;

const SECRET_BYTES = 600;

const secretIn = async (path: string | undefined): Promise<string | undefined> =>
  path === undefined ? undefined : (await readBounded(path, SECRET_BYTES)).toString("utf8").trim();

/**
 * `import SOURCE` makes phones of sessions of other programs, without a new QR code. Works beside a running server,
 * which connects them at once; without a server, the next start does.
 */
export const importCommand = command(
  {
    name: "import",
    about:
      "bring in sessions of Baileys, WAHA, Evolution (folder, CSV, JSON, postgres://…) or whatsmeow; without arguments " +
      "on a terminal it asks; exit code 0 when all can be or were imported, else 1",
    operands: ["[SOURCE]"],
    flags: FLAGS,
  },
  async (context, { flags, operands: [source] }) => {
    if (source === undefined) return withoutSource(context);
    const fault = faultOf(flags);
    if (fault !== undefined) {
      context.err(`recado import: ${fault}`);
      return EXIT.usage;
    }
    return withConfig(context, async (config) => {
      requireDatabase(config);
      const sessions = await sessionsAsked(source, flags);
      if (typeof sessions === "string") {
        context.err(`recado import: ${sessions}`);
        return EXIT.fault;
      }
      const options: Options = {
        accountId: flags.account,
        label: flags.label,
        webhook: { url: flags.webhook, secret: await secretIn(flags["webhook-secret-file"]) },
        isLastState: flags["last-state"],
        isDry: flags["dry-run"],
      };
      const reports = await onDatabase(config, {
        offline: (env) => runAll(portOn(env), sessions, options),
        served: (ask) => runAll(portThrough(ask), sessions, options),
      });
      return shown(context, reports, flags);
    });
  },
);

/** Without a source it asks the person at the terminal, if there is one. */
const withoutSource = async (context: CommandContext): Promise<number> => {
  const { ask, args } = context;
  if (ask && args.length === 0)
    return guidedImport(context, ask, (given, out = context.out) =>
      importCommand.run({ ...context, args: given, out }),
    );
  context.err("recado import: expects SOURCE; without any argument on a terminal it asks");
  return EXIT.usage;
};

/** A dry run must not make a database. @throws ConfigFault if there is none */
const requireDatabase = (config: Config): void => {
  const file = databaseFile(config);
  if (file !== undefined && !existsSync(file))
    throw new ConfigFault(`there is no database at ${file}: set RECADO_DATA_DIR to that of your Recado`);
};

type Given = { json: boolean; "dry-run": boolean; stopped: boolean } & Partial<
  Record<"account" | "only" | "keys", string | undefined>
>;

const faultOf = (flags: Given): string | undefined => {
  if (flags["dry-run"]) return undefined;
  if (flags.account === undefined) return "name the account with --account ID, or look first with --dry-run";
  if (!flags.stopped) return "stop the old server for good, so that two never use one session, then add --stopped";
  return undefined;
};

const sessionsAsked = async (source: string, { keys, only }: Given): Promise<readonly FoundSession[] | string> => {
  try {
    const found = await findSessions(source, keys);
    const meant = found.filter(({ name }) => only === undefined || name === only);
    return meant.length > 0 ? meant : "there is no session of this name";
  } catch (thrown) {
    if (thrown instanceof SourceFault) return thrown.message;
    throw thrown;
  }
};

const shown = (
  { out }: Pick<CommandContext, "out">,
  reports: readonly SessionReport[],
  { json, "dry-run": isDry }: Given,
): number => {
  if (json) out(JSON.stringify({ dryRun: isDry, sessions: reports }));
  else for (const report of reports) for (const line of linesOf(report, isDry)) out(line);
  return reports.every(({ problems }) => problems.length === 0) ? EXIT.ok : EXIT.fault;
};
