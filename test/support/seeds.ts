import { relative, resolve } from "node:path";

const root = resolve(import.meta.dir, "../..");
const given = process.env["RECADO_TEST_SEED"];
const runSeed = given ?? String(crypto.getRandomValues(new Uint32Array(1))[0]);
const made = new Map<string, number>();

/**
 * The seed of the next thing that a test file makes. It depends on the seed of the run (RECADO_TEST_SEED, which `npm
 * test` prints), the file, and how many seeds the file has taken. A run without a given seed prints the one that it
 * chose.
 */
export const nextSeed = (): number => {
  if (made.size === 0 && given === undefined)
    console.error(`RECADO_TEST_SEED=${runSeed} repeats the randomness of this run`);
  const file = relative(root, Bun.main);
  const count = (made.get(file) ?? 0) + 1;
  made.set(file, count);
  return Bun.hash.crc32(`${runSeed} ${file} ${count}`);
};
