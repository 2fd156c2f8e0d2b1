import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { SourceFile } from "./support/laws/architecture.ts";
import { crossingNames, wordsOfName } from "./support/laws/names.ts";

const root = join(import.meta.dir, "..");

/**
 * The words that no name may have which crosses files, with the field's word for each. src/README.md is the dictionary.
 * Prose and local names may use them: they are ordinary English.
 */
const GONE: readonly [RegExp, string][] = [
  [/\b(told|tell|tells|telling|hear|hears|heard|news)\b/, "published, notified, received, update"],
  [/\b(bury|buries|buried)\b/, "discard, discarded"],
  [/\b(stray|suspects?|acquit|acquits|acquitted)\b/, "orphaned, poison candidate, clear"],
  [/\b(spool|spools|spooled|spooling)\b/, "temp file"],
  [/\btrail\b/, "audit log"],
  [/\b(farewell|let ?go)\b/, "disconnect options, release"],
  [/\bfaces?\b/, "API, APIs"],
  [/\bboots?\b/, "process, process id, owner"],
  [/\b(?<!write |remote )lanes?\b/, "queue, partition key"],
  [/\b(seizes?|seized|holdings?)\b/, "acquire, lease"],
  [/\b(parked|unpark|unparks|unparked)\b/, "paused, resume"],
  [/\b(pulses?|bustle|inlet)\b/, "heartbeat, status summary, inbound context"],
  [/\bnative keys?\b/, "provider message id"],
  [/\bkey rings?\b/, "key store"],
  [/\bfacts?\b/, "domain event, metadata, details"],
];

const wordFaults = (file: SourceFile): string[] =>
  crossingNames(file).flatMap(({ line, name }) => {
    const gone = GONE.find(([word]) => word.test(wordsOfName(name)));
    return gone ? [`${file.path}:${line}: ${name} (${gone[1]})`] : [];
  });

/** Where sessions move in and out, and rows to another owner. A status changes, and keys migrate to a LID. */
const MOVING = /(?:^|\/)(?:moving|admin-moving|joining)(?:\/|\.)|^src\/store\//;
const MOVED_IN_OR_OUT = /\b(?:move|moved) (?:in|out)\b|^moving$/;
const moveFaults = (file: SourceFile): string[] =>
  MOVING.test(file.path)
    ? []
    : crossingNames(file)
        .filter(({ name }) => /\b(?:move|moves|moved|moving|mover)\b/.test(wordsOfName(name)))
        .filter(({ name }) => !MOVED_IN_OR_OUT.test(wordsOfName(name)))
        .map(({ line, name }) => `${file.path}:${line}: ${name}`);

const paths = (await Bun.$`git ls-files src plugins clients scripts test`.cwd(root).text())
  .split("\n")
  .filter((path) => /\.(ts|tsx|mts|mjs|js)$/.test(path))
  .filter((path) => !/^(scripts\/release\/licences|clients\/\w+\/src\/generated)\//.test(path))
  .filter((path) => path !== "test/words.test.ts"); // it quotes the words
const files = await Promise.all(paths.map(async (path) => ({ path, text: await Bun.file(join(root, path)).text() })));

describe("the field's words", () => {
  test("no name that crosses files has a word that was replaced", () => {
    expect(paths).toContain("src/core/events/dispatch.ts");
    expect(files.flatMap(wordFaults)).toEqual([]);
  });

  test("a name that crosses files says `move` of sessions that move in or out, and of rows that go to another owner", () => {
    const program = files.filter(({ path }) => /^(?:src|plugins)\/(?!console\/)/.test(path));
    expect(program.flatMap(moveFaults)).toEqual([]);
    const text = "export const moveCall = 1;\nexport const removeCall = 2;\n";
    expect(moveFaults({ path: "src/core/calls/a.ts", text })).toEqual(["src/core/calls/a.ts:1: moveCall"]);
    expect(moveFaults({ path: "src/core/channels/moving/a.ts", text })).toEqual([]);
    expect(moveFaults({ path: "src/core/calls/a.ts", text: "export const isMovedIn = true;" })).toEqual([]);
  });

  test("such a word is found in the name of a file, an export, a member, a column, a code and a dotted name", () => {
    const text = `export const heardAt = 1;
export type Message = {
  /** The news. */
  readonly toldAt?: number;
  state: "open" | "parked";
};
export const messages = sqliteTable("messages", {
  native_key: text("x"),
});
export const CODES = [
  "KEY_RING_LOST",
  "message.buried",
];
export { one as faceOf } from "./one.ts";
`;
    expect(wordFaults({ path: "src/core/stray.ts", text }).map((fault) => fault.split(" (")[0])).toEqual([
      "src/core/stray.ts:1: src/core/stray",
      "src/core/stray.ts:1: heardAt",
      "src/core/stray.ts:4: toldAt",
      "src/core/stray.ts:5: parked",
      "src/core/stray.ts:8: native_key",
      "src/core/stray.ts:11: KEY_RING_LOST",
      "src/core/stray.ts:12: message.buried",
      "src/core/stray.ts:14: faceOf",
    ]);
  });

  test("prose, texts, local names and names that only contain such letters are free", () => {
    const text = `// we heard nothing
/** Told by whoever has the facts. */
export const answer = (input: string): string => {
  const news = { told: input, "face.value": 1 };
  return hear(news, "a fact");
};
export const TEXTS = {
  title: "News",
  interface: "Facts are told here",
};
export const writeLane = { planes: 1 };
`;
    expect(wordFaults({ path: "src/core/planes.ts", text })).toEqual([]);
  });
});

/** Files that may import one another: the program, its pages, and each adapter. */
const ROOM = /^(?:src\/console\/web|src|plugins\/\w+)(?=\/)/;
const OF = /^export (?:const|(?:async )?function\*?) (\w+Of)\b/gm;

/** The names `…Of` that a room exports from several files, each with the files. */
const ofFaults = (sources: readonly SourceFile[]): string[] => {
  const homes = new Map<string, string[]>();
  for (const { path, text } of sources) {
    const [room] = ROOM.exec(path) ?? [];
    for (const [, name] of room === undefined ? [] : text.matchAll(OF))
      homes.set(`${room} ${name}`, [...(homes.get(`${room} ${name}`) ?? []), path]);
  }
  return [...homes].filter(([, found]) => found.length > 1).map(([name, found]) => `${name}: ${found.join(", ")}`);
};

describe("names that end in Of", () => {
  test("are exported by one file of the program, of its pages and of each adapter", () => {
    expect(ofFaults(files)).toEqual([]);
  });

  test("a second definition is found; one in another room, and a name without it, are free", () => {
    const named = (path: string, name: string) => ({ path, text: `export const ${name} = (): number => 1;\n` });
    const sources = [
      named("src/core/a.ts", "sizeOf"),
      named("src/apis/b.ts", "sizeOf"),
      named("plugins/one/a.ts", "sizeOf"),
      named("src/core/c.ts", "size"),
      named("src/apis/d.ts", "size"),
    ];
    expect(ofFaults(sources)).toEqual(["src sizeOf: src/core/a.ts, src/apis/b.ts"]);
  });
});
