/** Runs a program to its end and resolves with its output. Throws with its error output if it fails. */
export const run = async (
  command: string[],
  { env = {}, cwd = ".", input = "" }: { env?: Record<string, string>; cwd?: string; input?: string } = {},
): Promise<string> => {
  const child = Bun.spawn(command, {
    cwd,
    env: { ...process.env, ...env },
    stdin: new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${err || out}`);
  return out;
};
