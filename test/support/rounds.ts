const { CI = "", RECADO_CRASH_ROUNDS } = process.env;

/**
 * Whether long tests do all their rounds: in CI, which is where CI is set to anything but the empty text, `0` or
 * `false`.
 */
export const areAllRounds = !["", "0", "false"].includes(CI);

/**
 * How many rounds a test that kills again and again does: RECADO_CRASH_ROUNDS where it is set, else all of them in CI,
 * and 3 on a developer's machine.
 */
export const roundsOf = (all: number): number => Number(RECADO_CRASH_ROUNDS ?? (areAllRounds ? all : Math.min(all, 3)));

/** How many of a thing a long test does: all in CI, and a quarter on a developer's machine. */
export const shareOf = (all: number): number => (areAllRounds ? all : Math.ceil(all / 4));
