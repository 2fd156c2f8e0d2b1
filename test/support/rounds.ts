/** Whether long tests do all their rounds: in CI, where CI is set to anything but the empty text, `0` or `false`. */
export const areAllRounds = !["", "0", "false"].includes(process.env["CI"] ?? "");

/** How many rounds a long test does: all of them in CI, and 3 on a developer's machine. */
export const roundsOf = (all: number, locally = 3): number => (areAllRounds ? all : Math.min(all, locally));
