import { type ParseArgsConfig, parseArgs } from "node:util";
import type { Environment } from "../kernel/reading.ts";

/** The arguments after the command's name, the environment, the output, and whether `out` is a terminal. */
export type CommandContext = {
  args: string[];
  env: Environment;
  out(line: string): void;
  err(line: string): void;
  isTerminal: boolean;
};

/** One command. `run` resolves to the exit code and never ends the process itself. */
export type Command = { synopsis: string; about: string; run(context: CommandContext): Promise<number> };

/** Exit codes: success, a fault, a wrong command line, a wrong configuration (EX_CONFIG of sysexits.h). */
export const EXIT = { ok: 0, fault: 1, usage: 2, config: 78 } as const;

/** A flag. `value` names its value in the help (`--name VALUE`); a flag without it is a switch. */
export type Flag = { value?: string; about: string };

/** The flag of every command whose output is meant for programs too. */
export const JSON_FLAG = { about: "print JSON" } as const satisfies Flag;

/** The flag of commands that always print JSON, so that scripts can use it everywhere. */
export const ALWAYS_JSON_FLAG = { about: "print JSON (always the case)" } as const satisfies Flag;

type FlagValues<Flags> = {
  [Name in keyof Flags]: Flags[Name] extends { value: string } ? string | undefined : boolean;
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

const synopsisOf = ({ name, operands = [] }: Spec<Record<string, Flag>>): string => [name, ...operands].join(" ");

type Parsed<Flags> = { problem: string } | { isHelp: boolean; flags: FlagValues<Flags>; operands: string[] };

const parse = <Flags extends Record<string, Flag>>(spec: Spec<Flags>, args: string[]): Parsed<Flags> => {
  const declared = Object.entries(spec.flags ?? {});
  const options: ParseArgsConfig["options"] = { help: { type: "boolean", short: "h" } };
  for (const [name, { value }] of declared) options[name] = { type: value === undefined ? "boolean" : "string" };
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const isHelp = values["help"] === true;
    const operands = spec.operands ?? [];
    const needed = operands.filter((operand) => !operand.startsWith("[")).length;
    const isFit = positionals.length >= needed && positionals.length <= operands.length;
    if (!isHelp && !isFit)
      return { problem: `expects ${operands.join(" ") || "no operands"}, got ${positionals.join(" ") || "none"}` };
    const flags = Object.fromEntries(
      declared.map(([name, { value }]) => [name, values[name] ?? (value === undefined ? false : undefined)]),
    );
    return { isHelp, flags: flags as FlagValues<Flags>, operands: positionals };
  } catch (thrown) {
    // only the first sentence is about the command line, the rest is about node:util
    return { problem: String(thrown instanceof Error ? thrown.message : thrown).split(". ", 1)[0] ?? "" };
  }
};

const helpOf = (spec: Spec<Record<string, Flag>>): string[] => {
  const { about, flags = {} } = spec;
  const described: [string, Flag][] = [...Object.entries<Flag>(flags), ["help", { about: "print this" }]];
  const terms = described.map(([flag, { value, about: meaning }]) => ({
    term: `--${flag}${value === undefined ? "" : ` ${value}`}`,
    meaning,
  }));
  const width = Math.max(...terms.map(({ term }) => term.length));
  return [
    `recado ${synopsisOf(spec)}: ${about}`,
    "",
    ...terms.map(({ term, meaning }) => `  ${term.padEnd(width)}  ${meaning}`),
  ];
};
