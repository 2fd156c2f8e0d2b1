import { expect, test } from "bun:test";
import { processes } from "../support/processes/process.ts";

const { dataDir, run, serve } = processes();
const keyOf = (byte: number) => Buffer.alloc(32, byte).toString("base64");

test("a database is served with the master key that it was first served with, and with no other: exit code 78, which says what to do, and the database is as it was", async () => {
  const settings = { RECADO_DATA_DIR: dataDir() };
  const first = await serve({ ...settings, RECADO_MASTER_KEY: keyOf(1) });
  first.signal("SIGTERM");
  expect((await first.ended).code).toBe(0);

  for (const args of [["serve"], ["account", "create", "--name", "A company"]]) {
    const refused = await run(args, { ...settings, RECADO_LISTEN: "127.0.0.1:0", RECADO_MASTER_KEY: keyOf(2) });
    expect([refused.code, refused.out]).toEqual([78, ""]);
    expect(refused.err).toContain("RECADO_MASTER_KEY");
    expect(refused.err).not.toContain(keyOf(1));
  }

  const again = await serve({ ...settings, RECADO_MASTER_KEY: keyOf(1) });
  again.signal("SIGTERM");
  expect((await again.ended).code).toBe(0);
});
