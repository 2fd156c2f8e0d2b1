import { expect } from "bun:test";
import { join } from "node:path";
import { writeAdapter } from "../../src/commands/plugins/new.ts";

/** The folder of a new adapter in `dir`, as `recado plugin new` writes it. */
export const newAdapter = (name: string, dir: string): string => {
  const silent = { args: [], env: {}, out() {}, err() {}, isTerminal: false, unread: new AbortController().signal };
  expect(writeAdapter(silent, { name, kind: undefined, dir })).toBe(0);
  return join(dir, name);
};
