import { expect, test } from "bun:test";
import { join } from "node:path";
import { PLANTED } from "./server/planted.ts";

const root = join(import.meta.dir, "../..");

test.each(PLANTED.map(({ name, ...planted }) => [name, planted] as const))(
  "the fault %s can still be planted: its text stands once in its file",
  async (_, { file, find }) => {
    const text = await Bun.file(join(root, file)).text();
    expect(text.split(find)).toHaveLength(2);
  },
);
