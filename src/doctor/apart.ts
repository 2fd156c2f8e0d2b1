import { PROGRAM } from "../adapters/program.ts";
import type { Environment } from "../kernel/reading.ts";
import { type Check, fault, LIMIT_MS, type Report, warning } from "./check.ts";

/**
 * Runs a check in a process of its own, which is ended when its time is over: SQLite holds up the whole process that
 * asks it.
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
  const [said, complaint] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  await child.exited;
  if (child.signalCode === "SIGKILL")
    return {
      name,
      ...warning(
        `cut short after ${limitMs / 1000} s`,
        `run recado doctor --only ${name}, which has no time limit, at a quiet hour`,
      ),
    };
  const { checks } = (said.startsWith("{") ? JSON.parse(said) : { checks: [] }) as { checks: Report[] };
  return (
    checks[0] ?? {
      name,
      ...fault(`it could not be looked at: ${complaint.trim()}`, `run recado doctor --only ${name}`),
    }
  );
};
