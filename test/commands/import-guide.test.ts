import { expect, test } from "bun:test";
import { EXIT } from "../../src/commands/command.ts";
import { guidedImport, sessionTable } from "../../src/commands/moving/guide.ts";

const LOJA = {
  name: "loja",
  phoneNumber: "5511900000001",
  keys: { sessions: 3, "pre-keys": 30 },
  notes: [],
  problems: [],
  history: { messages: 120, contacts: 4 },
};
const OLD = {
  name: "old",
  phoneNumber: null,
  keys: {},
  notes: ["its chats stay there"],
  problems: ["it has no identity"],
};

/** Answers the questions in their order; beyond them the input has ended. */
const guided = async (answers: string[], sessions: readonly object[] | "unreadable" = [LOJA, OLD]) => {
  const [asked, ran, said]: [string[], string[][], string[]] = [[], [], []];
  const code = await guidedImport(
    { out: (line) => said.push(line), err: (line) => said.push(line) },
    async (question) => {
      asked.push(question);
      return answers.shift();
    },
    async (args, out) => {
      ran.push(args);
      if (args.includes("--dry-run") && sessions !== "unreadable") out?.(JSON.stringify({ dryRun: true, sessions }));
      return sessions === "unreadable" ? EXIT.fault : EXIT.ok;
    },
  );
  return { code, asked, ran, said: said.join("\n") };
};

test("it looks first, shows a table, and imports what was seen once all questions are answered with yes", async () => {
  const { code, ran, said, asked } = await guided(["1", "./evolution", "./instances", "yes", "acc-1", "y"]);
  expect(code).toBe(EXIT.ok);
  expect(ran).toEqual([
    ["./evolution", "--keys", "./instances", "--dry-run", "--json"],
    ["./evolution", "--keys", "./instances", "--account", "acc-1", "--stopped"],
  ]);
  expect(said).toContain("loja     5511900000001  33    yes");
  expect(said).toContain("old: it has no identity");
  expect(said).toContain("loja: 120 messages and 4 contacts come too");
  expect(asked.at(-1)).toBe("Import 1 session into acc-1? yes or no: ");
});

test("another program is asked for its own place, and an answer that is none is asked again", async () => {
  const { ran, asked } = await guided(["7", "", "baileys", "", "./auth", "yes", "", "acc-1", "yes"]);
  expect(ran.at(-1)).toEqual(["./auth", "--account", "acc-1", "--stopped"]);
  expect(asked.filter((question) => question.startsWith("1 to 4"))).toHaveLength(3);
});

test.each([
  ["the old server still runs", ["2", "./auth", "no"], 1],
  ["nobody wants it", ["2", "./auth", "yes", "acc-1", "no"], 1],
  ["the input ends at once", [], 0],
  ["the input ends before the place", ["2"], 0],
  ["the input ends before the stop", ["2", "./auth"], 1],
  ["the input ends before the account", ["2", "./auth", "yes"], 1],
  ["the input ends before the last question", ["2", "./auth", "yes", "acc-1"], 1],
])("nothing is imported where %s", async (_, answers, looks) => {
  const { code, ran } = await guided(answers);
  expect(code).toBe(EXIT.fault);
  expect(ran.map((args) => args.includes("--dry-run"))).toEqual(Array.from({ length: looks }, () => true));
});

test("nothing is imported where nothing can come, or the source cannot be read", async () => {
  const none = await guided(["2", "./auth", "yes", "acc-1", "yes"], [OLD]);
  expect([none.code, none.ran.length]).toEqual([EXIT.fault, 1]);
  const unread = await guided(["2", "./nothing", "yes", "acc-1", "yes"], "unreadable");
  expect(unread.ran).toHaveLength(1);
});

test("the table keeps its columns, whatever the names", () => {
  const [head = "", first = "", second = ""] = sessionTable([{ ...LOJA, name: "a very long name" }, LOJA]);
  expect(first.indexOf("5511900000001")).toBe(head.indexOf("Number"));
  expect(second.indexOf("5511900000001")).toBe(head.indexOf("Number"));
});
