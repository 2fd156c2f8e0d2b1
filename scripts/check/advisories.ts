/** `note`: what is known, or why nobody was asked. */
type Asked = { ok: true; output: string; note: string };

/** The registry's answer takes a second. */
const ANSWER_MS = 20_000;

type Advisory = { severity?: string; title?: string; url?: string };

/**
 * Asks npm's registry for known advisories about the packages that Recado runs with, and names them in the note. None
 * fails the check: the same commit passes today and tomorrow, with a registry or without.
 */
export const findAdvisories = async (root: string, env: Record<string, string | undefined>): Promise<Asked> => {
  const child = Bun.spawn([process.execPath, "audit", "--json", "--production"], {
    cwd: root,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: ANSWER_MS,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  await child.exited;
  const found = reportIn(stdout);
  if (!found) return { ok: true, output: "", note: `not asked: ${reasonIn(stderr)}` };
  const lines = Object.entries(found).flatMap(([name, advisories]) =>
    advisories.map(({ severity, title, url }) => `${name}: ${severity}: ${title}, ${url}`),
  );
  return { ok: true, output: "", note: lines.length === 0 ? "none is known" : ["LOOK AT", ...lines].join("\n  ") };
};

const reportIn = (stdout: string): Record<string, readonly Advisory[]> | undefined => {
  try {
    const report: unknown = JSON.parse(stdout);
    return typeof report === "object" && report !== null && Object.values(report).every(Array.isArray)
      ? (report as Record<string, readonly Advisory[]>)
      : undefined;
  } catch {
    return undefined;
  }
};

const reasonIn = (stderr: string): string =>
  stderr
    .split("\n")
    .find((line) => line.startsWith("error"))
    ?.slice(0, 120) ?? "the registry did not answer in time";
