import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type Bench, openBench, type Pupil, type Traits, traitsOf } from "../../../src/conformance/bench.ts";
import { LAWS } from "../../../src/conformance/laws.ts";

export type { Pupil } from "../../../src/conformance/bench.ts";

/** What most networks have nothing of: a suite names what its network has. */
const RARE = { hasOptions: false, getsLinks: false, refusesOptedOut: false, reportsOptOuts: false };
type Stated = Omit<Traits, keyof typeof RARE> & Partial<Traits>;

/**
 * Holds a plugin of the repository to the laws of plugins/README.md, one test each: the list that `recado plugin test`
 * runs.
 */
export const exercise = (name: string, stated: Stated, setup: () => Pupil | Promise<Pupil>): void => {
  const traits: Traits = { ...RARE, ...stated };
  const folder = join(import.meta.dir, "../../../plugins", name);
  describe(`${name} keeps the laws of channel adapters`, () => {
    let bench: Bench;
    beforeEach(async () => {
      bench = await openBench(await setup(), folder);
    });
    afterEach(() => bench.close());

    test("the plugin is what its suite test says it is", () => {
      expect(bench.plugin.name).toBe(name);
      expect(traitsOf(bench.pupil)).toEqual(traits);
      const { receiver, webhook } = bench.plugin;
      // a link that may ask the network instead needs no webhook in its set-up
      expect(traits.hasReceiver).toBe(receiver !== undefined || (webhook !== undefined && !traits.linkEmits));
    });
    for (const { title, isFor, hold } of LAWS) if (isFor?.(traits) ?? true) test(title, () => hold(bench, traits));
  });
};
