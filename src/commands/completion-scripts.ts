import type { Command, Flag } from "./command.ts";

type Table = Readonly<Record<string, Command>>;
/** The possible words behind those of `path`, such as `phone add`. */
type Place = { path: string; words: Word[]; flags: [name: string, flag: Flag][] };
type Word = { word: string; about: string };

/** The literal words of operands such as `platform|gateway`; a word in capitals or brackets is a placeholder. */
const literals = (operands: readonly string[]): string[] =>
  operands.flatMap((operand) => operand.split("|")).filter((word) => /^[a-z][a-z-]*$/.test(word));

const placesOf = (table: Table, before = ""): Place[] =>
  Object.entries(table).flatMap(([name, { verbs, operands, flags }]) => {
    const path = `${before}${name}`;
    const words = verbs ? wordsOf(verbs) : literals(operands).map((word) => ({ word, about: "" }));
    return [{ path, words, flags: Object.entries(flags) }, ...placesOf(verbs ?? {}, `${path} `)];
  });

const wordsOf = (table: Table): Word[] => Object.entries(table).map(([word, { about }]) => ({ word, about }));

const firstWords = (table: Table): Word[] => [...wordsOf(table), { word: "help", about: "list the commands" }];

/** The first words of paths with two: behind them the second word counts too. */
const groupsOf = (places: readonly Place[]): string[] => [
  ...new Set(places.filter(({ path }) => path.includes(" ")).map(({ path }) => path.split(" ")[0] ?? "")),
];

const flagWords = ({ flags }: Place): string[] => flags.map(([name]) => `--${name}`);
const valueFlags = ({ flags }: Place): string[] =>
  flags.filter(([, { value }]) => value !== undefined).map(([name]) => `--${name}`);

/** A text between single quotes, for bash and zsh. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Behind a flag that takes a value, bash completes names of files. */
const bash = (table: Table): string => {
  const places = placesOf(table);
  return [
    "# bash completion for recado",
    "_recado() {",
    `  local words="${firstWords(table)
      .map(({ word }) => word)
      .join(" ")} --help" values="" at="\${COMP_WORDS[1]}"`,
    `  if [ "$COMP_CWORD" -gt 2 ]; then`,
    `    case "$at" in ${groupsOf(places).join("|")}) at="$at \${COMP_WORDS[2]}" ;; esac`,
    "  fi",
    `  if [ "$COMP_CWORD" -gt 1 ]; then`,
    `    case "$at" in`,
    ...places.map((place) => {
      const words = [...place.words.map(({ word }) => word), ...flagWords(place)].join(" ");
      return `      "${place.path}") words="${words}" values=" ${valueFlags(place).join(" ")} " ;;`;
    }),
    `      *) words="" ;;`,
    "    esac",
    `    case "$values" in *" \${COMP_WORDS[COMP_CWORD-1]} "*) words="" ;; esac`,
    "  fi",
    `  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))`,
    "}",
    "complete -o default -F _recado recado",
  ].join("\n");
};

/** A word and its meaning as `_describe` takes them. */
const described = (word: string, about: string): string => {
  const escaped = word.replaceAll(":", "\\:");
  return quoted(about === "" ? escaped : `${escaped}:${about}`);
};

/** https://zsh.sourceforge.io/Doc/Release/Completion-System.html */
const zsh = (table: Table): string => {
  const places = placesOf(table);
  return [
    "#compdef recado",
    "_recado() {",
    "  local -a offered",
    `  local at="\${words[2]}" values=""`,
    `  if (( CURRENT > 3 )); then case "$at" in ${groupsOf(places).join("|")}) at="$at \${words[3]}" ;; esac; fi`,
    "  if (( CURRENT == 2 )); then",
    `    offered=(${firstWords(table)
      .map(({ word, about }) => described(word, about))
      .join(" ")} ${described("--help", "list the commands")})`,
    "  else",
    `    case "$at" in`,
    ...places.map((place) => {
      const offered = [
        ...place.words.map(({ word, about }) => described(word, about)),
        ...place.flags.map(([name, { about }]) => described(`--${name}`, about)),
      ].join(" ");
      return `      ${quoted(place.path)}) offered=(${offered}) values=" ${valueFlags(place).join(" ")} " ;;`;
    }),
    "    esac",
    "  fi",
    `  if [[ "$values" == *" \${words[CURRENT-1]} "* ]]; then _files; return; fi`,
    "  _describe recado offered || _files",
    "}",
    // it is either sourced, or loaded from a folder of completions
    `if [[ "$funcstack[1]" == _recado ]]; then _recado "$@"; else compdef _recado recado; fi`,
  ].join("\n");
};

/** A text between single quotes, for fish. */
const fishQuoted = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;

/** https://fishshell.com/docs/current/cmds/complete.html */
const fish = (table: Table): string => {
  const about = (text: string): string => (text === "" ? "" : ` -d ${fishQuoted(text)}`);
  const line = (condition: string, rest: string): string => `complete -c recado -n ${fishQuoted(condition)} ${rest}`;
  const ofPlace = ({ path, words, flags }: Place): string[] => [
    ...words.map((one) => line(`__recado_at 1 ${path}`, `-a ${one.word}${about(one.about)}`)),
    ...flags.map(([name, { value, about: meaning }]) =>
      line(`__recado_at 0 ${path}`, `-l ${name}${value === undefined ? "" : " -r"}${about(meaning)}`),
    ),
  ];
  return [
    "# fish completion for recado",
    "# whether the words behind recado begin with these; with 1 no other may follow",
    "function __recado_at",
    "  set -l typed (commandline -opc)",
    "  set -e typed[1]",
    "  set -l wanted $argv[2..-1]",
    "  set -l last (count $wanted)",
    "  test (count $typed) -lt $last; and return 1",
    "  test $argv[1] = 1 -a (count $typed) -ne $last; and return 1",
    `  test $last -eq 0; or test "$typed[1..$last]" = "$wanted"`,
    "end",
    ...firstWords(table).map((one) => line("__recado_at 1", `-f -a ${one.word}${about(one.about)}`)),
    ...placesOf(table).flatMap(ofPlace),
  ].join("\n");
};

/** TABLE: the shells, each with the maker of its script. */
export const SHELLS: Readonly<Record<string, (table: Table) => string>> = { bash, zsh, fish };
