import { resolve } from "node:path";
import { SETTING_NAMES, SETTINGS } from "../../src/kernel/settings/settings.ts";
import { run } from "./run.ts";

/** A command of the program, from its own `--help`. */
export type CommandHelp = { name: string; about: string; help: string };
/** The subject of a manual; `time`: its date, in seconds. */
type Edition = { version: string; time: number };

const main = resolve(import.meta.dir, "../../src/main.ts");

/** Reads the commands from the program itself. */
export const commandHelps = async (): Promise<CommandHelp[]> => {
  const listed = (await run([process.execPath, main, "--help"])).matchAll(
    /^ {2}(?<name>[\w-]+)(?: [\w|[\]]+)* {2,}(?<about>.+)$/gm,
  );
  const found = [...listed].map(({ groups }) => ({ name: groups?.["name"] ?? "", about: groups?.["about"] ?? "" }));
  return Promise.all(
    found.map(async (one) => ({ ...one, help: (await run([process.execPath, main, one.name, "--help"])).trimEnd() })),
  );
};

/** Bash's completions behind `recado`, from the program itself. */
export const bashCompletion = (): Promise<string> => run([process.execPath, main, "completion", "bash"]);

/** Text escaped for roff: no part of it is read as a request or an escape. */
const plain = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^([.'])/gm, "\\&$1");

/**
 * The first line, `recado account create: what it does`, is the heading and its text; flags stay as they are laid out.
 */
const commandSection = ({ name, about, help }: CommandHelp): string[] => {
  const [, synopsis = `recado ${name}`, meaning = about] = /^(recado [^:]+): (.*)/.exec(help) ?? [];
  return [`.SS ${plain(synopsis)}`, plain(meaning), ".nf", plain(help.split("\n").slice(1).join("\n")), ".fi"];
};

const settingSection = (name: (typeof SETTING_NAMES)[number]): string[] => {
  const { meaning, shown } = SETTINGS[name];
  return [".TP", `.B ${name}`, plain(`${meaning} (default: ${shown})`.replaceAll("`", ""))];
};

/** The manual page recado(1). */
export const manual = (commands: readonly CommandHelp[], { version, time }: Edition): string =>
  [
    `.TH RECADO 1 "${new Date(time * 1000).toISOString().slice(0, 10)}" "Recado ${plain(version)}"`,
    ".SH NAME",
    "recado \\- self\\-hosted messaging gateway: WhatsApp, Instagram and Telegram behind one REST API",
    ".SH SYNOPSIS",
    ".B recado",
    "[\\fIcommand\\fR] [\\fB\\-\\-help\\fR]",
    ".SH DESCRIPTION",
    "Without a command, recado serves. Where it is a service, root runs every command with the settings and as the user of",
    "the service: \\fBsudo recado config\\fR.",
    ".SH COMMANDS",
    ...commands.flatMap(commandSection),
    ".SH EXIT STATUS",
    ...[
      ["0", "all went well"],
      ["1", "something is at fault; stderr says what"],
      ["2", "the command line is wrong"],
      ["78", "the settings are wrong; stderr names every fault"],
    ].flatMap(([code, meaning]) => [".TP", `.B ${code}`, meaning ?? ""]),
    ".SH ENVIRONMENT",
    "RECADO_X_FILE=/path reads RECADO_X from a file.",
    ...SETTING_NAMES.flatMap(settingSection),
    ".SH FILES",
    ...[
      ["/etc/recado/recado.env", "the settings of the service"],
      ["/var/lib/recado", "its data: database, media, master key, plugins"],
      ["/usr/share/doc/recado/docs", "the documentation by task; begin with README.md"],
      [
        "/usr/share/doc/recado/examples",
        "what may be added to the service: credentials, a low port, no writable code; and what Prometheus and Grafana need to watch it",
      ],
    ].flatMap(([path, meaning]) => [".TP", `.I ${path}`, meaning ?? ""]),
    "",
  ].join("\n");
