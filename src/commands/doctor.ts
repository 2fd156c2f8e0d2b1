import { adaptersFor } from "../composition.ts";
import { runApart } from "../doctor/apart.ts";
import { fault, type Outcome, ok, type Report, runToEnd } from "../doctor/check.ts";
import { checksFor, runAll } from "../doctor/checks.ts";
import { installationOf } from "../doctor/installation.ts";
import { stuckFolder } from "../doctor/machine/files.ts";
import { checkNameIn, OUTCOME_WORDS } from "../doctor/words.ts";
import { readConfig } from "../kernel/settings/config.ts";
import { secretTexts } from "../kernel/settings/described-config.ts";
import { SETTING_NAMES } from "../kernel/settings/settings.ts";
import { LANGUAGES, type Language, languageIn } from "../kernel/texts/languages.ts";
import { type CommandContext, command, EXIT, JSON_FLAG } from "./command.ts";
import { dropSessionToken } from "./session-token.ts";

const SETTINGS_REMEDY = "recado config shows every setting; docs/settings.md says what each means";
/** In the order of the report's last line. */
const OUTCOMES: readonly Outcome[] = ["fault", "warning", "ok", "skipped"];
const STUCK_REMEDY =
  "check whether its disk or network file system is still there (mount, dmesg); nothing else was checked";

/**
 * Checks an installation without changing anything, with or without a running server. Exit code 1 for a fault, 78 for a
 * fault of the configuration. The output holds no secret.
 */
export const doctorCommand = command(
  {
    name: "doctor",
    about: "find what does not work, or soon will not, and say what to do about it",
    flags: {
      json: JSON_FLAG,
      only: { value: "CHECK", about: "run this check alone, without a time limit" },
      language: { value: "pt|en|es", about: "print the names of checks and their outcomes in this language" },
    },
  },
  async (context, { flags: { json, only, language: asked } }) => {
    if (asked !== undefined && languageIn(asked) === undefined) {
      context.err(`recado doctor: there is no language ${asked}; there are ${LANGUAGES.join(", ")}`);
      return EXIT.usage;
    }
    const read = readConfig(context.env);
    const language = languageIn(asked) ?? (read.ok ? read.config.language : undefined) ?? "en";
    const print = (reports: readonly Report[]): void => printReports(context, json ? "json" : language, reports);
    if (!read.ok) {
      print([{ name: "settings", ...fault(read.faults.join("; "), SETTINGS_REMEDY) }]);
      return EXIT.config;
    }
    await dropSessionToken(read.config, context.env);
    const settings: Report = { name: "settings", ...ok(`${SETTING_NAMES.length} settings, none is wrong`) };
    const stuck = await stuckFolder(read.config);
    if (stuck !== undefined) {
      print([settings, { name: "data-directory", ...fault(`${stuck} does not answer`, STUCK_REMEDY) }]);
      return EXIT.fault;
    }
    const installation = installationOf(read.config, () => adaptersFor(read.config));
    const checks = await checksFor(installation);
    const chosen = only === undefined ? checks : checks.filter(({ name }) => name === only);
    if (chosen.length === 0) {
      context.err(`recado doctor: there is no check ${only}; there are ${checks.map(({ name }) => name).join(", ")}`);
      return EXIT.usage;
    }
    const reports =
      only === undefined
        ? [settings, ...(await runAll(chosen, installation, (check) => runApart(check, context.env)))]
        : await Promise.all(chosen.map((check) => runToEnd(check, installation)));
    await installation.close();
    print(withoutSecrets(reports, secretTexts(context.env)));
    return isSound(reports) ? EXIT.ok : EXIT.fault;
  },
);

/** Removes our secrets from reports: the answer of a mail server or a database may repeat them. */
const withoutSecrets = (reports: readonly Report[], secrets: readonly string[]): Report[] => {
  const clean = (text: string): string => secrets.reduce((left, secret) => left.replaceAll(secret, "…"), text);
  return reports.map(({ found, remedy, ...report }) => ({
    ...report,
    found: clean(found),
    ...(remedy === undefined ? {} : { remedy: clean(remedy) }),
  }));
};

const isSound = (reports: readonly Report[]): boolean => !reports.some(({ outcome }) => outcome === "fault");

const printReports = (
  { out }: Pick<CommandContext, "out">,
  form: "json" | Language,
  reports: readonly Report[],
): void => {
  const lines = form === "json" ? [JSON.stringify({ ok: isSound(reports), checks: reports })] : linesOf(reports, form);
  for (const line of lines) out(line);
};

/**
 * One aligned line for each check, the remedy below it, and at the end the number of each outcome. In English a check
 * and its outcome have the names that programs and `--only` know. Findings are in English in every language.
 */
const linesOf = (reports: readonly Report[], language: Language): string[] => {
  const isEnglish = language === "en";
  const word = (outcome: Outcome): string => (isEnglish ? outcome : OUTCOME_WORDS[language][outcome]);
  const nameOf = (name: string): string => (isEnglish ? name : checkNameIn(language, name));
  const outcomeWidth = Math.max(...OUTCOMES.map((outcome) => word(outcome).length));
  const nameWidth = Math.max(...reports.map(({ name }) => nameOf(name).length));
  const indent = " ".repeat(outcomeWidth + nameWidth + 4);
  const lines = reports.flatMap(({ name, outcome, found, remedy }) => [
    `${word(outcome).padEnd(outcomeWidth)}  ${nameOf(name).padEnd(nameWidth)}  ${found}`,
    ...(remedy === undefined ? [] : [`${indent}→ ${remedy}`]),
  ]);
  const counts = OUTCOMES.map((outcome) => {
    const count = reports.filter((report) => report.outcome === outcome).length;
    return isEnglish ? `${count} ${outcome}` : `${word(outcome)}: ${count}`;
  });
  return [...lines, "", counts.join(", ")];
};
