const { CI = "", RECADO_CRASH_ROUNDS } = process.env;

/**
 * Whether long tests do all their rounds: in CI, which means that CI is set, but not to the empty text, `0` or `false`.
 */
export const areAllRounds = !["", "0", "false"].includes(CI);

/**
 * The number of rounds of a test that kills again and again: RECADO_CRASH_ROUNDS if set, else all of them in CI, and 3
 * on a developer's machine.
 */
export const roundsOf = (all: number): number => Number(RECADO_CRASH_ROUNDS ?? (areAllRounds ? all : Math.min(all, 3)));

/** The number of repeats in a long test: all in CI, and a quarter on a developer's machine. */
export const shareOf = (all: number): number => (areAllRounds ? all : Math.ceil(all / 4));
