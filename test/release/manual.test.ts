import { beforeAll, describe, expect, test } from "bun:test";
import { type CommandHelp, commandHelps, completion, manual } from "../../scripts/release/manual.ts";
import { SETTING_NAMES } from "../../src/kernel/settings.ts";

let commands: CommandHelp[];
beforeAll(async () => {
  commands = await commandHelps();
}, 120_000);

const EDITION = { version: "1.2.3", time: 1_700_000_000 };

describe("the manual page", () => {
  test("is of the version and its date, and lists every command, every flag and every setting", () => {
    const page = manual(commands, EDITION);
    expect(page).toStartWith('.TH RECADO 1 "2023-11-14" "Recado 1.2.3"\n');
    expect(commands.map(({ name }) => name)).toContain("serve");
    for (const { name, help } of commands) {
      expect(page).toContain(`\n.SS recado ${name.replaceAll("-", "\\-")}`);
      for (const [flag] of help.matchAll(/--[a-z-]+/g)) expect(page).toContain(flag.replaceAll("-", "\\-"));
    }
    for (const name of SETTING_NAMES) expect(page).toContain(`\n.B ${name}\n`);
  });

  test("shows what a command says as it says it: a line that begins like a request of roff is none", () => {
    const page = manual([{ name: "x", about: "x", help: "recado x: does \\x\n\n.TH of its own\n'quoted" }], EDITION);
    expect(page).toContain(".SS recado x\ndoes \\ex\n");
    expect(page).toContain("\n\\&.TH of its own\n\\&'quoted\n");
  });
});

describe("the completion of bash", () => {
  /** What bash offers behind the words, of which the last is being typed. */
  const offered = (...words: string[]): string[] => {
    const ask = `${completion(commands)}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _recado; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return Bun.spawnSync(["bash", "-c", ask, "bash", ...words])
      .stdout.toString()
      .split("\n")
      .filter(Boolean);
  };

  test("offers every word that the program takes: of each command those of its own help, and no other", () => {
    expect(offered("recado", "account", "")).toEqual(["create", "--name", "--json", "--help"]);
    expect(offered("recado", "openapi", "")).toEqual(["platform", "gateway", "--json", "--help"]);
    expect(offered("recado", "person", "").slice(0, 2)).toEqual(["export", "erase"]);
    for (const { help } of commands) expect(help.split(":")[0]).toMatch(/^recado [a-z-]+( [a-z|]+| FILE| SOURCE)?$/);
    for (const { name, help } of commands) {
      const [synopsis = ""] = help.split(":");
      const verbs = synopsis
        .split(/[ |]/)
        .slice(2)
        .filter((word) => word === word.toLowerCase());
      expect([name, offered("recado", name, "")]).toEqual([
        name,
        [...verbs, ...[...help.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, flag = ""]) => flag)],
      ]);
    }
  });

  test("offers commands, and behind each its flags", () => {
    expect(offered("recado", "ser")).toEqual(["serve"]);
    expect(offered("recado", "")).toEqual([...commands.map(({ name }) => name), "help", "--help"]);
    expect(offered("recado", "account", "--n")).toEqual(["--name"]);
    expect(offered("recado", "nothing", "--")).toEqual([]);
  });
});
