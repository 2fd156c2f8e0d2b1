import { existsSync } from "node:fs";
import { GATEWAY } from "../../apis/gateway/events/render.ts";
import type { ServerEnv } from "../../composition.ts";
import { packEntries } from "../../core/channels/moving/move-archive.ts";
import { inspectMoveIn, type MoveInReport, moveIn } from "../../core/channels/moving/move-in.ts";
import { LOCAL } from "../../core/tenancy/audit/audit.ts";
import { parseIso, SECOND_MS, systemClock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import { systemRandom } from "../../kernel/random.ts";
import type { Config } from "../../kernel/settings/config.ts";
import { ConfigFault, databaseFile } from "../../setup.ts";
import { type CommandContext, command, EXIT, JSON_FLAG } from "../command.ts";
import { type AskServer, onDatabase } from "../on-database.ts";
import { withConfig } from "../with-config.ts";
import { readBounded } from "./files.ts";
import { type FoundSession, SourceFault } from "./found.ts";
import { guidedImport } from "./guide.ts";
import { type MediaPlace, openMediaPlace } from "./history/media.ts";
import {
  faulty,
  type HistoryReport,
  historyLines,
  historyReportLines,
  problemOf,
  takeHistories,
} from "./history/reports.ts";
import { findHistories } from "./history/sources.ts";
import {
  type Asked,
  type HistoryPort,
  type HistoryTaken,
  historyPortOn,
  historyPortThrough,
  lookInto,
  takeInto,
} from "./history/take.ts";
import { undone } from "./history/undone.ts";
import { plannedWebhook, type WebhookAsked } from "./home.ts";
import { findSessions } from "./sources.ts";

/** The result of a session's import, or the planned result. `id`: of the new phone. */
type SessionReport = { name: string; id?: string; history?: HistoryTaken } & MoveInReport;

type Options = {
  accountId: string | undefined;
  label: string | undefined;
  webhook: WebhookAsked;
  isLastState: boolean;
  isDry: boolean;
  /** Messages and contacts come too. */
  withHistory: boolean;
  asked: Asked;
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

/** The functions for sessions, and those for histories. */
type Ports = { port: Port; histories: HistoryPort };

/** The messages of a session that has come, or would come. */
const historyFor = async (
  { histories }: Ports,
  { history }: FoundSession,
  { accountId, isDry, withHistory, asked }: Options,
  { id, problems }: MoveInReport & { id?: string },
): Promise<{ history?: HistoryTaken }> => {
  if (!history || !withHistory || problems.length > 0) return {};
  if (isDry) return { history: await lookInto(histories, history, undefined, asked) };
  if (accountId === undefined || id === undefined) return {};
  return { history: await takeInto(histories, history, { accountId, phone: id }, asked) };
};

/** One session after the other, so that one at a time is in memory. A refused one does not hold up the others. */
const runAll = async (ports: Ports, sessions: readonly FoundSession[], options: Options): Promise<SessionReport[]> => {
  const { port } = ports;
  const reports: SessionReport[] = [];
  for (const session of sessions) {
    const notes = [...session.notes, ...plannedWebhook(session, options.webhook).notes];
    const { accountId } = options;
    let came: (MoveInReport & { id?: string }) | undefined;
    try {
      came =
        options.isDry || accountId === undefined
          ? await port.inspect(session, options)
          : await port.bringIn(session, { ...options, accountId });
      const history = await historyFor(ports, session, options, came);
      reports.push({ name: session.name, ...came, ...history, notes: [...notes, ...came.notes] });
    } catch (thrown) {
      const problem = problemOf(thrown);
      const { id } = came ?? {};
      reports.push(
        came && id !== undefined
          ? { name: session.name, ...came, notes: [...notes, ...came.notes], problems: [unfinished(problem)] }
          : { name: session.name, phoneNumber: null, keys: {}, notes, problems: [problem] },
      );
    }
  }
  return reports;
};

const unfinished = (problem: string): string => `its messages did not all come (${problem}): go on with --history`;

const linesOf = (
  { name, phoneNumber, keys, notes, problems, id, history }: SessionReport,
  isDry: boolean,
): string[] => {
  const counts = Object.entries(keys).map(([kind, count]) => `${count} ${kind}`);
  const outcome =
    id !== undefined ? `is phone ${id}` : problems.length === 0 && isDry ? "can be imported" : "cannot be imported";
  return [
    `${name} (${phoneNumber ?? "no number"}): ${outcome}; ${counts.join(", ") || "no keys"}`,
    ...problems.map((problem) => `  problem: ${problem}`),
    ...notes.map((note) => `  note: ${note}`),
    ...historyLines(history),
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
  history: { about: "only messages and contacts, for phones that are here already" },
  "no-history": { about: "only sessions, without messages and contacts" },
  since: { value: "DATE", about: "only messages from this day on, such as 2026-01-31" },
  media: {
    value: "PLACE",
    about: "where the files of messages lie: a folder, or s3://bucket/prefix?endpoint=URL&region=NAME",
  },
  "media-key-file": { value: "FILE", about: "with --media on S3: two lines, the access key and its secret" },
  phone: {
    value: "ID",
    about: "with --history: the phone that gets the messages, if the source does not say its number",
  },
  undo: { about: "take back what the last import of messages and contacts has added to the account" },
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
      "bring in sessions of Baileys, WAHA, Evolution (folder, CSV, JSON, postgres://…) or whatsmeow, with their messages " +
      "and contacts where the source has them; without arguments " +
      "on a terminal it asks; exit code 0 when all can be or were imported, else 1",
    operands: ["[SOURCE]"],
    flags: FLAGS,
  },
  async (context, { flags, operands: [source] }) => {
    if (flags.undo) return undone(context, source, { ...flags, requireDatabase });
    if (source === undefined) return withoutSource(context);
    const fault = faultOf(flags);
    if (fault !== undefined) {
      context.err(`recado import: ${fault}`);
      return EXIT.usage;
    }
    return withConfig(context, async (config) => {
      requireDatabase(config);
      const media = await mediaOf(flags);
      if (typeof media === "string") return faulty(context, media);
      const options: Options & { phone: string | undefined } = {
        accountId: flags.account,
        label: flags.label,
        webhook: { url: flags.webhook, secret: await secretIn(flags["webhook-secret-file"]) },
        isLastState: flags["last-state"],
        isDry: flags["dry-run"],
        withHistory: !flags["no-history"],
        phone: flags.phone,
        asked: { since: secondsOf(flags.since) ?? 0, run: newRun(), tell: context.err, media },
      };
      if (flags.history) {
        const found = await asked(findHistories(source), flags);
        if (typeof found === "string") return faulty(context, found);
        if (flags.phone !== undefined && found.length > 1)
          return faulty(context, "the source has several histories, and --phone names one phone: add --only NAME");
        const histories = await onDatabase(config, {
          offline: (env) => takeHistories(historyPortOn(env), found, options),
          served: (ask, _, send) => takeHistories(historyPortThrough(ask, send), found, options),
        });
        return shownHistories(context, histories, flags);
      }
      const sessions = await asked(findSessions(source, flags.keys), flags);
      if (typeof sessions === "string") return faulty(context, sessions);
      const reports = await onDatabase(config, {
        offline: (env) => runAll({ port: portOn(env), histories: historyPortOn(env) }, sessions, options),
        served: (ask, _, send) =>
          runAll({ port: portThrough(ask), histories: historyPortThrough(ask, send) }, sessions, options),
      });
      return shown(context, reports, flags);
    });
  },
);

/** The place of the files, if it is named; else why it cannot be read. */
const mediaOf = async ({
  media,
  "media-key-file": keyFile,
}: Partial<Record<"media" | "media-key-file", string | undefined>>): Promise<MediaPlace | string | undefined> => {
  if (media === undefined) return undefined;
  try {
    return await openMediaPlace(media, keyFile);
  } catch (thrown) {
    if (thrown instanceof SourceFault) return thrown.message;
    throw thrown;
  }
};

/** The imports of one command are undone together. */
const newRun = (): string => newId({ clock: systemClock(), random: systemRandom() });

/** The seconds of a day or an instant; undefined for any other text. */
const secondsOf = (text: string | undefined): number | undefined => {
  const at = text === undefined ? undefined : parseIso(text);
  return at === undefined ? undefined : Math.floor(at / SECOND_MS);
};

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

type Given = Record<"json" | "dry-run" | "stopped" | "history" | "no-history", boolean> &
  Partial<Record<"account" | "only" | "since" | "phone" | "media" | "media-key-file", string | undefined>>;

const faultOf = (flags: Given): string | undefined => {
  if (flags.media !== undefined && flags["no-history"])
    return "--media is for messages, which --no-history leaves there";
  if (flags["media-key-file"] !== undefined && flags.media === undefined)
    return "--media-key-file is for --media on S3";
  if (flags.history && flags["no-history"]) return "--history and --no-history exclude each other";
  if (flags.phone !== undefined && !flags.history) return "--phone is for --history: a session brings its own phone";
  if (flags.since !== undefined && secondsOf(flags.since) === undefined)
    return "--since must be a day such as 2026-01-31";
  if (flags["dry-run"]) return undefined;
  if (flags.account === undefined) return "name the account with --account ID, or look first with --dry-run";
  if (flags.history) return undefined;
  if (!flags.stopped) return "stop the old server for good, so that two never use one session, then add --stopped";
  return undefined;
};

/** What was found under the asked name; else why there is nothing. */
const asked = async <Found extends { name: string }>(
  finding: Promise<readonly Found[]>,
  { only }: Given,
): Promise<readonly Found[] | string> => {
  try {
    const meant = (await finding).filter(({ name }) => only === undefined || name === only);
    return meant.length > 0 ? meant : "there is no session of this name";
  } catch (thrown) {
    if (thrown instanceof SourceFault) return thrown.message;
    throw thrown;
  }
};

const shownHistories = (
  { out }: Pick<CommandContext, "out">,
  reports: readonly HistoryReport[],
  { json, "dry-run": isDry }: Given,
): number => {
  if (json) out(JSON.stringify({ dryRun: isDry, histories: reports }));
  else for (const report of reports) for (const line of historyReportLines(report, isDry)) out(line);
  return reports.every(({ problems }) => problems.length === 0) ? EXIT.ok : EXIT.fault;
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
