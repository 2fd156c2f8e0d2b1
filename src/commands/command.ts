import { type ParseArgsConfig, parseArgs } from "node:util";
import type { Environment } from "../kernel/reading.ts";

/**
 * The arguments after the command's name, the environment, the output, and whether `out` is a terminal. `unread` aborts
 * when the output is no longer read.
 */
export type CommandContext = {
  args: string[];
  env: Environment;
  out(line: string): void;
  err(line: string): void;
  isTerminal: boolean;
  /** Asks the person at the terminal; undefined at the end of the input. Absent without a person. */
  ask?: (question: string) => Promise<string | undefined>;
  unread: AbortSignal;
};

/**
 * One command. `run` resolves to the exit code and never ends the process itself. `verbs`: the commands of a group, by
 * the word that follows its name.
 */
export type Command = {
  synopsis: string;
  about: string;
  operands: readonly string[];
  flags: Readonly<Record<string, Flag>>;
  verbs?: Readonly<Record<string, Command>>;
  run(context: CommandContext): Promise<number>;
};

/** Exit codes: success, a fault, a wrong command line, a wrong configuration (EX_CONFIG of sysexits.h). */
export const EXIT = { ok: 0, fault: 1, usage: 2, config: 78 } as const;

/**
 * A flag. `value` names its value in the help (`--name VALUE`); a flag without it is a switch. `isList`: it may be given
 * more than once.
 */
export type Flag = { value?: string; isList?: true; about: string };

/** The flag of every command whose output is meant for programs too. */
export const JSON_FLAG = { about: "print JSON" } as const satisfies Flag;

/** The flag of commands that always print JSON, so that scripts can use it everywhere. */
export const ALWAYS_JSON_FLAG = { about: "print JSON (always the case)" } as const satisfies Flag;

type FlagValues<Flags> = {
  [Name in keyof Flags]: Flags[Name] extends { isList: true }
    ? string[]
    : Flags[Name] extends { value: string }
      ? string | undefined
      : boolean;
};

/** `operands`: the names of the positional arguments, in order. The last may be optional: in brackets. */
type Spec<Flags extends Record<string, Flag>> = {
  name: string;
  about: string;
  operands?: readonly string[];
  flags?: Flags;
};

type Run<Flags> = (context: CommandContext, given: { flags: FlagValues<Flags>; operands: string[] }) => Promise<number>;

/**
 * Makes a command that answers `--help`, and refuses unknown flags and a wrong number of operands with a message and
 * exit code 2. `run` gets valid input only.
 */
export const command = <const Flags extends Record<string, Flag> = Record<never, Flag>>(
  spec: Spec<Flags>,
  run: Run<Flags>,
): Command => ({
  synopsis: synopsisOf(spec),
  about: spec.about,
  operands: spec.operands ?? [],
  flags: { ...spec.flags, help: HELP_FLAG },
  async run(context) {
    const parsed = parse(spec, context.args);
    if ("problem" in parsed) {
      context.err(`recado ${spec.name}: ${parsed.problem}`);
      context.err(`Try: recado ${spec.name} --help`);
      return EXIT.usage;
    }
    if (parsed.isHelp) {
      for (const line of helpOf(spec)) context.out(line);
      return EXIT.ok;
    }
    return run(context, parsed);
  },
});

/**
 * Makes a group of commands, each behind its own word: `phone add`, `phone list`. `--help` shows them all; another word
 * is refused with a message and exit code 2.
 */
export const commandGroup = (
  { name, about }: { name: string; about: string },
  verbs: Readonly<Record<string, Command>>,
): Command => {
  const words = Object.keys(verbs).join("|");
  const synopsis = `${name} ${words}`;
  return {
    synopsis,
    about,
    operands: [words],
    flags: { help: HELP_FLAG },
    verbs,
    async run(context) {
      const [word = "", ...args] = context.args;
      if (word === "--help" || word === "-h") {
        for (const line of groupHelpOf(synopsis, about, verbs)) context.out(line);
        return EXIT.ok;
      }
      const chosen = Object.hasOwn(verbs, word) ? verbs[word] : undefined;
      if (chosen) return chosen.run({ ...context, args });
      context.err(`recado ${name}: expects ${words}, got ${word || "none"}`);
      context.err(`Try: recado ${name} --help`);
      return EXIT.usage;
    },
  };
};

const groupHelpOf = (synopsis: string, about: string, verbs: Readonly<Record<string, Command>>): string[] => [
  `recado ${synopsis}: ${about}`,
  ...Object.values(verbs).flatMap((verb) => {
    const { help: _, ...flags } = verb.flags;
    return ["", `  recado ${verb.synopsis}: ${verb.about}`, ...flagLinesOf(flags, "    ")];
  }),
  "",
  ...flagLinesOf({ help: HELP_FLAG }, "  "),
];

const HELP_FLAG: Flag = { about: "print this" };

const synopsisOf = ({ name, operands = [] }: Spec<Record<string, Flag>>): string => [name, ...operands].join(" ");

type Parsed<Flags> = { problem: string } | { isHelp: boolean; flags: FlagValues<Flags>; operands: string[] };

const parse = <Flags extends Record<string, Flag>>(spec: Spec<Flags>, args: string[]): Parsed<Flags> => {
  const declared = Object.entries(spec.flags ?? {});
  const options: ParseArgsConfig["options"] = { help: { type: "boolean", short: "h" } };
  for (const [name, { value, isList = false }] of declared)
    options[name] = { type: value === undefined ? "boolean" : "string", multiple: isList };
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const isHelp = values["help"] === true;
    const operands = spec.operands ?? [];
    const needed = operands.filter((operand) => !operand.startsWith("[")).length;
    const isFit = positionals.length >= needed && positionals.length <= operands.length;
    if (!isHelp && !isFit)
      return { problem: `expects ${operands.join(" ") || "no operands"}, got ${positionals.join(" ") || "none"}` };
    const flags = Object.fromEntries(
      declared.map(([name, { value, isList }]) => {
        const absent = isList ? [] : value === undefined ? false : undefined;
        return [name, values[name] ?? absent];
      }),
    );
    return { isHelp, flags: flags as FlagValues<Flags>, operands: positionals };
  } catch (thrown) {
    // only the first sentence is about the command line, the rest is about node:util
    return { problem: String(thrown instanceof Error ? thrown.message : thrown).split(". ", 1)[0] ?? "" };
  }
};

const helpOf = (spec: Spec<Record<string, Flag>>): string[] => [
  `recado ${synopsisOf(spec)}: ${spec.about}`,
  "",
  ...flagLinesOf({ ...spec.flags, help: HELP_FLAG }, "  "),
];

const flagLinesOf = (flags: Readonly<Record<string, Flag>>, indent: string): string[] => {
  const terms = Object.entries(flags).map(([flag, { value, about: meaning }]) => ({
    term: `--${flag}${value === undefined ? "" : ` ${value}`}`,
    meaning,
  }));
  const width = Math.max(...terms.map(({ term }) => term.length));
  return terms.map(({ term, meaning }) => `${indent}${term.padEnd(width)}  ${meaning}`);
};
