import { afterAll, describe, expect, test } from "bun:test";
import { descriptionIn } from "./description/description.ts";
import { useEach, useWorld } from "./use-world.ts";

describe("what a file of tests used", () => {
  const used: { w: object; each: object; fields: string[] } = { w: {}, each: {}, fields: [] };

  describe("while it runs", () => {
    const w = useWorld();
    const each = useEach(async () => ({ made: "anew" }));
    test("is there", () => {
      Object.assign(used, { w, each, fields: [...Object.keys(w), ...Object.keys(each)] });
      expect(used.fields).toEqual(expect.arrayContaining(["app", "stop", "made"]));
    });
  });

  test("is released when it ends: a worker keeps the modules of all its files", () => {
    expect([Object.keys(used.w), Object.keys(used.each)]).toEqual([[], []]);
  });
});

describe("two worlds", () => {
  const worlds = [useWorld(), useWorld()];
  const texts: string[] = [];
  afterAll(() => void texts.splice(0));

  test("are checked by one description, wherever they serve", async () => {
    for (const { app } of worlds) texts.push(await (await fetch(`${app.gatewayUrl}/openapi.json`)).text());
    const [first = "", second = ""] = texts;
    expect(first).not.toBe(second);
    expect(descriptionIn(first)).toBe(descriptionIn(second));
  });
});
