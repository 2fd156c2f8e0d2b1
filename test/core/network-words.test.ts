import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Glob } from "bun";

/** Codes that begin with the name of a network: their adapters and the contract know what they mean. */
const CODE = /"(?:WABA|IG|TELEGRAM|WHATSAPP)_[A-Z_]+"/g;

test("no code of one network decides anything in the core", () => {
  const root = `${import.meta.dir}/../../src/core`;
  const found = [...new Glob("**/*.ts").scanSync({ cwd: root })].flatMap((file) =>
    Array.from(readFileSync(`${root}/${file}`, "utf8").matchAll(CODE), ([code]) => `${file}: ${code}`),
  );
  expect(found).toEqual([]);
});
