import type { SourceFile } from "./architecture.ts";

/** The files that may wait for real time: the helpers that every other file of the tests uses. */
const HELPERS = ["test/support/waiting.ts"];
/** Tests of time itself, and child programs, which have no test's limit. */
const APART =
  /^test\/(kernel\/clock\.test\.ts|support\/children\/.*|system\/.*|architecture\.test\.ts|support\/laws\/waits\.ts)$/;

type Rule = { fault: string; pattern: RegExp; allowed?: readonly string[] };

const RULES: readonly Rule[] = [
  {
    fault: "loops without a limit: use untilTrue or attempts",
    pattern: /\bwhile \(true\)|\bfor \(;;\)|\bwhile \(.*\) await (?:new Promise|nextTurn\(\))/,
  },
  { fault: "asks in a loop without a limit: use untilTrue", pattern: /\bwhile \(.*\bawait\b.*\);$/ },
  // the file writer has to refuse a body that waits for a timer; the child that is given as a text ends itself
  {
    fault: "waits for real time: use the clock of the world, or realTime where there is none",
    pattern: /\bsetTimeout\(|\bBun\.sleep\(|timers\/promises/,
    allowed: [
      "test/store/engine/file-writer.test.ts",
      "test/support/databases/db-suite.ts",
      "test/store/engine/connection.test.ts",
    ],
  },
  {
    fault: "bounds a time of the machine",
    pattern:
      /expect\((?:performance|Date)\.now\(\)|(?:performance|Date)\.now\(\) - \w+\)?\)?\.toBeLess|(?:performance|Date)\.now\(\) - \w+ < |\b(?:durationMs|[a-z]+(?:CpuUsage|Elapsed)\w*)\b.*\.toBe(?:Less|Within)|expect\(\w*(?:elapsed|took|duration)Ms\w*\)\.toBe(?:Less|Within)/i,
  },
];

/** The parts of a test file that make it slow, endless or dependent on the load of the machine, with their lines. */
export const waitFaults = ({ path, text }: SourceFile): string[] => {
  if (!path.startsWith("test/") || HELPERS.includes(path) || APART.test(path)) return [];
  const rules = RULES.filter(({ allowed = [] }) => !allowed.includes(path));
  return text
    .split("\n")
    .flatMap((line, at) =>
      rules.filter(({ pattern }) => pattern.test(line)).map(({ fault }) => `${path}:${at + 1} ${fault}`),
    );
};

const STARTS_PROCESSES =
  /support\/(?:processes\/(?:process|child-processes|cluster)|servers\/(?:libsql-servers?|service-manager))\.ts"/;
const OF_PROCESSES = /^test\/(?:process|cluster|binary|system|n8n)\/|\.process\.test\.ts$/;

/**
 * The tests that start a Recado or a server as a process without the name that leaves them to `npm run test:process`.
 */
export const processFaults = ({ path, text }: SourceFile): string[] =>
  path.endsWith(".test.ts") && !APART.test(path) && !OF_PROCESSES.test(path) && STARTS_PROCESSES.test(text)
    ? [`${path} starts processes: name it *.process.test.ts`]
    : [];
