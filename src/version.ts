import manifest from "../package.json" with { type: "json" };

declare const RECADO_VERSION: string | undefined;
declare const RECADO_COMMIT: string | undefined;
declare const RECADO_COMMITTED_AT: number | null | undefined;

/** The build script defines them; a checkout reads its own files. */
export const VERSION: string = typeof RECADO_VERSION === "string" ? RECADO_VERSION : manifest.version;

const askGit = (...args: string[]): string | undefined => {
  try {
    const asked = Bun.spawnSync(["git", ...args], { cwd: import.meta.dir, stderr: "ignore" });
    return asked.exitCode === 0 ? asked.stdout.toString().trim() : undefined;
  } catch {
    return undefined; // no git on this machine
  }
};

let commit: string | undefined;

/** The commit that this program was made from; `unknown` outside a repository. Git is asked once per process. */
export const commitOf = (): string => {
  commit ??= typeof RECADO_COMMIT === "string" ? RECADO_COMMIT : (askGit("rev-parse", "HEAD") ?? "unknown");
  return commit;
};

/** When that commit was made, in ms since the epoch; undefined if unknown. No right clock is before it. */
export const committedAt = (): number | undefined => {
  if (typeof RECADO_COMMITTED_AT !== "undefined") return RECADO_COMMITTED_AT ?? undefined;
  const seconds = Number(askGit("log", "-1", "--format=%ct") ?? Number.NaN);
  return Number.isNaN(seconds) ? undefined : seconds * 1000;
};
