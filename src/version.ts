import manifest from "../package.json" with { type: "json" };

declare const RECADO_VERSION: string | undefined;
declare const RECADO_COMMIT: string | undefined;

/** The build script defines both; a checkout asks its own files. */
export const VERSION: string = typeof RECADO_VERSION === "string" ? RECADO_VERSION : manifest.version;

const commitOfCheckout = (): string => {
  try {
    const asked = Bun.spawnSync(["git", "rev-parse", "HEAD"], { cwd: import.meta.dir, stderr: "ignore" });
    return asked.exitCode === 0 ? asked.stdout.toString().trim() : "unknown";
  } catch {
    return "unknown"; // no git on this machine
  }
};

let commit: string | undefined;

/** The commit that this program was made from; `unknown` outside a repository. Git is asked once per process. */
export const commitOf = (): string => {
  commit ??= typeof RECADO_COMMIT === "string" ? RECADO_COMMIT : commitOfCheckout();
  return commit;
};
