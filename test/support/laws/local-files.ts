import { isUnder, type SourceFile, withoutComments } from "./architecture.ts";

/**
 * TABLE: the files that may read a local file without `piecesOfFile`, and why no request waits for it. They never read
 * files that customers, networks or the server's own work can make large.
 */
const OTHERWISE: readonly { why: string; files: readonly string[] }[] = [
  {
    why: "settings, keys and manifests of a few lines, read at the start",
    files: ["src/kernel/reading.ts", "src/kernel/settings/setting-kinds.ts", "src/licences.ts", "src/setup.ts"],
  },
  {
    why: "figures of the system, of a few lines",
    files: [
      "src/adapters/machine/exec.ts",
      "src/adapters/machine/limited-child.ts",
      "src/kernel/process-figures.ts",
      "src/doctor/",
    ],
  },
  {
    why: "files of the program itself, read once or small",
    files: ["src/kernel/assets.ts", "src/console/server/assets.ts"],
  },
  { why: "commands of one person, which serve nobody else", files: ["src/commands/", "src/conformance/"] },
  {
    why: "the database and its copies, which a process of their own makes and checks",
    files: [
      "src/store/backup/backup-check.ts",
      "src/store/backup/backup-cipher.ts",
      "src/store/backup/checksum.ts",
      "src/store/backup/page-copy.ts",
    ],
  },
  {
    why: "headers and page numbers of the WAL, by their place",
    files: ["src/store/engine/wal.ts", "src/store/engine/changed-pages.ts"],
  },
  { why: "the kernel passes the file to a child process", files: ["src/adapters/voice/voice.ts"] },
  {
    why: "the runtime sends the file of an answer, outside of the event loop",
    files: ["src/apis/shared/http/files.ts"],
  },
  { why: "its first bytes alone", files: ["plugins/session/client/version-source.ts"] },
];

const READS =
  /\bBun\.file\b|\bcreateReadStream\b|\bopenAsBlob\b|\breadFile(?:Sync)?\b(?= *[,}(])|\breadSync\b|\breadableWebStream\b|\breadLines\b/;

const readsIn = (file: SourceFile): string | undefined => {
  const code = withoutComments(file.text);
  const found = READS.exec(code)?.[0];
  // a file's own function may have the name
  return found === "readFile" && !/\bnode:fs/.test(code) ? undefined : found;
};

/** The reads of local files outside the table that may block the event loop. */
export const bareReadFaults = (file: SourceFile): string[] => {
  const { path } = file;
  if (!path.startsWith("src/") && !path.startsWith("plugins/")) return [];
  if (path === "src/kernel/local-files.ts" || path.startsWith("src/console/web/")) return [];
  if (OTHERWISE.some(({ files }) => isUnder(path, files))) return [];
  const found = readsIn(file);
  return found === undefined ? [] : [`${path}: says ${found}; piecesOfFile lets the event loop turn`];
};

/** The files of the table that no longer read anything. */
export const unneededReaders = (files: readonly SourceFile[]): string[] =>
  OTHERWISE.flatMap((one) => one.files).filter(
    (allowed) => !files.some((file) => isUnder(file.path, [allowed]) && readsIn(file) !== undefined),
  );
