import { OWN_JSON, parsedJson } from "../../kernel/texts/json.ts";
import { type CommandContext, EXIT } from "../command.ts";

/** Asks the person at the terminal; undefined at the end of the input. */
export type Ask = (question: string) => Promise<string | undefined>;

/** Runs the command with arguments, as if they had been typed. */
type Run = (args: string[], out?: CommandContext["out"]) => Promise<number>;

/** TABLE: the programs whose sessions can be imported, with the places of their data. */
const PROGRAMS = [
  {
    name: "Evolution",
    where: "The address of its PostgreSQL (postgresql://…), or the folder or file of its exports",
    hasKeysElsewhere: true,
  },
  { name: "Baileys", where: "The folder of useMultiFileAuthState, or the folder above several of them" },
  { name: "WAHA", where: "The folder .sessions/noweb, or the database gows.db of the GOWS engine" },
  { name: "whatsmeow", where: "Its SQLite database" },
] as const;

type Answer = string | undefined;

const chosenProgram = (answer: string): (typeof PROGRAMS)[number] | undefined =>
  PROGRAMS[Number(answer) - 1] ?? PROGRAMS.find(({ name }) => name.toLowerCase() === answer.toLowerCase());

const isYes = (answer: Answer): boolean => /^y(es)?$/i.test(answer?.trim() ?? "");

/** Asks until `take` accepts the answer; undefined at the end of the input. */
const askFor = async <Taken>(ask: Ask, question: string, take: (answer: string) => Taken | undefined) => {
  for (;;) {
    const answer = await ask(question);
    if (answer === undefined) return undefined;
    const taken = take(answer.trim());
    if (taken !== undefined) return taken;
  }
};

type Looked = {
  name: string;
  phoneNumber: string | null;
  keys: Record<string, number>;
  notes: string[];
  problems: string[];
  history?: { messages: number; contacts: number };
};

const sumOf = (keys: Record<string, number>): number => Object.values(keys).reduce((sum, count) => sum + count, 0);

/** The result of a dry run, a line for each session, in columns. */
export const sessionTable = (sessions: readonly Looked[]): string[] => {
  const rows = [
    ["Session", "Number", "Keys", "Can come"],
    ...sessions.map(({ name, phoneNumber, keys, problems }) => [
      name,
      phoneNumber ?? "-",
      String(sumOf(keys)),
      problems.length === 0 ? "yes" : "no",
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const remarks = sessions.flatMap(({ name, problems, notes, history }) => [
    ...(history ? [`  ${name}: ${history.messages} messages and ${history.contacts} contacts come too`] : []),
    ...problems.map((problem) => `  ${name}: ${problem}`),
    ...notes.map((note) => `  ${name}: ${note}`),
  ]);
  return [...lines, ...(remarks.length > 0 ? ["", ...remarks] : [])];
};

/** Asks for the kind and the place of the sessions. Gives the arguments that name them. */
const askedSource = async (ask: Ask, out: CommandContext["out"]): Promise<string[] | undefined> => {
  out("Sessions of which program?");
  for (const [index, { name }] of PROGRAMS.entries()) out(`  ${index + 1}  ${name}`);
  const program = await askFor(ask, `1 to ${PROGRAMS.length}: `, chosenProgram);
  if (!program) return undefined;
  const source = await askFor(ask, `${program.where}: `, (answer) => answer || undefined);
  if (source === undefined) return undefined;
  if (!("hasKeysElsewhere" in program)) return [source];
  const keys = await ask("Its folder `instances`, or a JSON dump of its Redis; empty for none: ");
  return keys?.trim() ? [source, "--keys", keys.trim()] : [source];
};

/**
 * Leads a person through an import by the steps of docs/move.md: it looks first, and imports only what the person has
 * seen. Any answer but yes, and the end of the input, change nothing.
 */
export const guidedImport = async ({ out, err }: Pick<CommandContext, "out" | "err">, ask: Ask, run: Run) => {
  const source = await askedSource(ask, out);
  if (!source) return EXIT.fault;
  const printed: string[] = [];
  const code = await run([...source, "--dry-run", "--json"], (line) => printed.push(line));
  const looked = parsedJson(printed.join("\n"), OWN_JSON) as { sessions?: Looked[] } | undefined;
  if (!looked?.sessions) return code; // the command has said why
  out("");
  for (const line of sessionTable(looked.sessions)) out(line);
  out("");
  if (looked.sessions.every(({ problems }) => problems.length > 0)) {
    err("recado import: none of them can come");
    return EXIT.fault;
  }
  out("Two programs that use one session damage it: messages become unreadable.");
  if (!isYes(await ask("Is the old server stopped, and does it stay so? yes or no: "))) {
    out("Stop it first. Nothing was imported.");
    return EXIT.fault;
  }
  const account = await askFor(
    ask,
    "The id of the account or institution that gets the phones: ",
    (text) => text || undefined,
  );
  if (account === undefined) return EXIT.fault;
  if (!isYes(await ask(`Import ${countOf(looked.sessions)} into ${account}? yes or no: `))) {
    out("Nothing was imported.");
    return EXIT.fault;
  }
  return run([...source, "--account", account, "--stopped"]);
};

const countOf = (sessions: readonly Looked[]): string => {
  const count = sessions.filter(({ problems }) => problems.length === 0).length;
  return count === 1 ? "1 session" : `${count} sessions`;
};
