import { describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { PHONE_SETTINGS } from "../../src/core/channels/settings/phone-settings.ts";
import { DEFINITIONS } from "../../src/core/events/definitions/index.ts";
import { JOBS } from "../../src/core/jobs.ts";

/** The texts of the sources that match, without those at these paths. */
const textsOf = async (pattern: string, without: RegExp): Promise<string[]> => {
  const paths = [...new Glob(pattern).scanSync(".")].filter((path) => !without.test(path));
  return Promise.all(paths.map((path) => Bun.file(path).text()));
};

/** The names that none of the texts has in quotes. */
const unnamedIn = (texts: readonly string[], names: readonly string[]): string[] =>
  names.filter((name) => !texts.some((text) => text.includes(`"${name}"`)));

describe("whatever is defined takes effect somewhere", () => {
  test("every domain event is published by the core", async () => {
    const core = await textsOf("src/core/**/*.ts", /core\/(?:events\/definitions\/|reactions\.ts)/);
    expect(core.length).toBeGreaterThan(200);
    expect(unnamedIn(core, Object.keys(DEFINITIONS))).toEqual([]);
  });

  test("every job is enqueued", async () => {
    const sources = await textsOf("src/**/*.ts", /(?:own-)?jobs\.ts$/);
    expect(unnamedIn(sources, Object.keys(JOBS))).toEqual([]);
  });

  test("every setting of a phone is read", async () => {
    const ofOthers = await textsOf("src/**/*.ts", /settings\/phone-settings\.ts$|^src\/(?:apis|console)\//);
    const readers = [...ofOthers, ...(await textsOf("plugins/**/*.ts", /plugins\/template\//))];
    expect(readers.length).toBeGreaterThan(500);
    const isRead = (name: string) => readers.some((text) => new RegExp(`\\b${name}\\b`).test(text));
    expect(Object.keys(PHONE_SETTINGS).filter((name) => !isRead(name))).toEqual([]);
  });

  test("a name that no text has is found, and no part of a name is taken for it", () => {
    expect(unnamedIn(['publish({ type: "message.sent" })'], ["message.sent", "message.s", "sent"])).toEqual([
      "message.s",
      "sent",
    ]);
  });
});
