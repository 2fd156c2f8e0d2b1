import { PROGRAM } from "../adapters/machine/program.ts";
import type { Environment } from "../kernel/reading.ts";
import { type Check, fault, LIMIT_MS, type Report, warning } from "./check.ts";

/**
 * Runs a check in another process, which is ended when its time is over: a long query of SQLite blocks the whole
 * process.
 */
export const runApart = async ({ name, limitMs = LIMIT_MS }: Check, environment: Environment): Promise<Report> => {
  const child = Bun.spawn([...PROGRAM, "doctor", "--only", name, "--json"], {
    env: environment,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: limitMs,
    killSignal: "SIGKILL",
  });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  await child.exited;
  if (child.signalCode === "SIGKILL")
    return {
      name,
      ...warning(
        `ended after ${limitMs / 1000} s`,
        `run recado doctor --only ${name}, which has no time limit, at a quiet hour`,
      ),
    };
  const { checks } = (output.startsWith("{") ? JSON.parse(output) : { checks: [] }) as { checks: Report[] };
  return (
    checks[0] ?? {
      name,
      ...fault(`the check failed: ${errors.trim()}`, `run recado doctor --only ${name}`),
    }
  );
};
