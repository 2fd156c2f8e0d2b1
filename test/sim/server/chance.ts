import { seededRandom } from "../../../src/conformance/seeded-random.ts";

/** Choices that follow from a seed. Each part of the world draws from a stream of its own. */
export type Chance = {
  /** Uniform in [0, 1). */
  float(): number;
  /** A whole number from 0, below `end`. */
  below(end: number): number;
  /** A whole number between these, both included. */
  between(least: number, most: number): number;
  isHit(probability: number): boolean;
  pick<One>(among: readonly One[]): One;
  /** One of the names, by its weight. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
  /** Another stream. */
  stream(name: string): Chance;
};

export const chanceOf = (seed: number): Chance => {
  const random = seededRandom(seed);
  const below = (end: number) => Math.floor(random.float() * end);
  return {
    float: random.float,
    below,
    between: (least, most) => least + below(most - least + 1),
    isHit: (probability) => random.float() < probability,
    pick: (among) => among[below(among.length)] as (typeof among)[number],
    weighted(weights) {
      const names = Object.keys(weights) as (keyof typeof weights)[];
      let left = random.float() * names.reduce((sum, name) => sum + weights[name], 0);
      return names.find((name) => (left -= weights[name]) < 0) ?? (names[0] as (typeof names)[number]);
    },
    stream: (name) => chanceOf(Bun.hash.crc32(name, seed >>> 0)),
  };
};
