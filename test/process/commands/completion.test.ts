import { beforeAll, describe, expect, test } from "bun:test";
import { type CommandHelp, commandHelps } from "../../../scripts/release/manual.ts";
import { processes } from "../../support/processes/process.ts";

const { run } = processes();

let commands: CommandHelp[];
const scripts: Record<string, string> = {};
beforeAll(async () => {
  commands = await commandHelps();
  for (const shell of ["bash", "zsh", "fish"]) scripts[shell] = (await run(["completion", shell])).out;
}, 120_000);

const GROUP = "phone";

/** What a shell prints; `words` are its arguments. */
const printed = (shell: string, script: string, ...words: string[]): string[] => {
  const { stdout, stderr } = Bun.spawnSync([shell, "-c", script, shell, ...words]);
  expect(stderr.toString()).toBe("");
  return stdout.toString().split("\n").filter(Boolean);
};

describe("the completion of bash", () => {
  /** What bash offers behind the words, of which the last is being typed. */
  const offered = (...words: string[]): string[] => {
    const ask = `COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _recado; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return printed("bash", `${scripts["bash"]}\n${ask}`, ...words);
  };
  const flagsIn = (help: string): string[] => [...help.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, flag = ""]) => flag);

  test("is loaded without a word, and registered for recado", () => {
    expect(printed("bash", `${scripts["bash"]}\ncomplete -p recado`)).toEqual([
      "complete -o default -F _recado recado",
    ]);
  });

  test("offers commands, and nothing behind what is none", () => {
    expect(offered("recado", "ser")).toEqual(["serve"]);
    expect(offered("recado", "")).toEqual([...commands.map(({ name }) => name), "help", "--help"]);
    expect(offered("recado", "nothing", "--")).toEqual([]);
    expect(offered("recado", GROUP, "nothing", "--")).toEqual([]);
  });

  test("offers behind each command the words and flags of its own help, and no other", () => {
    expect(offered("recado", "account", "")).toEqual(["create", "institution", "join", "--help"]);
    expect(offered("recado", "account", "create", "")).toEqual(["--name", "--json", "--help"]);
    expect(offered("recado", "openapi", "")).toEqual(["platform", "gateway", "--json", "--help"]);
    expect(offered("recado", "plugin", "").slice(0, 3)).toEqual(["list", "add", "rollback"]);
    expect(offered("recado", "account", "create", "--n")).toEqual(["--name"]);
    for (const { name, help } of commands) {
      const [synopsis = ""] = help.split(":");
      const verbs = synopsis
        .split(/[ |]/)
        .slice(2)
        .filter((word) => /^[a-z]/.test(word));
      expect([name, offered("recado", name, "")]).toEqual([name, [...verbs, ...flagsIn(help)]]);
    }
  });

  test("offers behind each word of a group that word's flags", async () => {
    expect(offered("recado", GROUP, "")).toEqual(["add", "link", "list", "send", "--help"]);
    for (const verb of ["add", "link", "list", "send"]) {
      const { out } = await run([GROUP, verb, "--help"]);
      expect([verb, offered("recado", GROUP, verb, "")]).toEqual([verb, flagsIn(out)]);
    }
  });

  test("leaves the value of a flag to the names of files", () => {
    expect(offered("recado", "send", "--file", "")).toEqual([]);
    expect(offered("recado", "send", "--json", "--fi")).toEqual(["--file"]);
  });
});

test("each shell gets the same words", () => {
  for (const { name } of commands) for (const script of Object.values(scripts)) expect(script).toContain(name);
  for (const script of Object.values(scripts)) expect(script).toContain("no-link");
});

test.skipIf(!Bun.which("zsh"))("zsh reads its script", () => {
  const script = `autoload -U compinit; compinit -u -D; eval "$1"; print $_comps[recado]`;
  expect(printed("zsh", script, scripts["zsh"] ?? "")).toEqual(["_recado"]);
});

test.skipIf(!Bun.which("fish"))("fish offers the commands, and behind each its words and flags", () => {
  const offered = (line: string) =>
    printed("fish", `${scripts["fish"]}\ncomplete -C '${line}'`).map((one) => one.split("\t")[0] ?? "");
  expect(offered("recado ser")).toEqual(["serve"]);
  expect(offered(`recado ${GROUP} l`)).toEqual(["link", "list"]);
  expect(offered(`recado ${GROUP} add --la`)).toEqual(["--label"]);
});
