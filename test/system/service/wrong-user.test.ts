import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { processes } from "../../support/processes/process.ts";

setDefaultTimeout(120_000);
const { folder, program, run } = processes();
/** Root without its rights: a user as any other, who cannot look into the folders of another one. */
const plain = processes(undefined, ["setpriv", "--bounding-set=-all", "--inh-caps=-all", ...program]);

const OWNER = 4711;

/** The data directory of a server of another user. */
const othersData = async (): Promise<string> => {
  const dir = join(folder(), "data");
  mkdirSync(dir, { mode: 0o700 });
  expect((await run(["migrate"], { RECADO_DATA_DIR: dir })).code).toBe(0);
  await Bun.$`chown -R ${OWNER} ${dir}`;
  return dir;
};

describe("as another user than the one whose data it is", () => {
  const advice = (dir: string) =>
    `${dir} belongs to user ${OWNER}, and this is user 0: run it as user ${OWNER}, or chown -R 0 ${dir}`;

  test.each(["serve", "migrate", "backup"])("recado %s says who owns what, and what to do", async (name) => {
    const dir = await othersData();
    const args = name === "backup" ? ["backup", join(folder(), "x.db")] : [name];
    const { code, err, out } = await plain.run(args, { RECADO_DATA_DIR: dir, RECADO_LISTEN: "127.0.0.1:0" });
    expect(out + err).toContain(advice(dir));
    expect(code).not.toBe(0);
  });

  test("where the data directory cannot be made, no folder of the system is given away", async () => {
    const dir = join(folder(), "data");
    chownSync(join(dir, ".."), OWNER, OWNER);
    const { err, out } = await plain.run(["serve"], { RECADO_DATA_DIR: dir, RECADO_LISTEN: "127.0.0.1:0" });
    expect(out + err).toContain(`make ${dir} as root for user 0 (install -d -m 700 -o 0 ${dir})`);
  });

  test("where only the database is another's", async () => {
    const dir = await othersData();
    chownSync(dir, 0, 0);
    const { err, out } = await plain.run(["serve"], { RECADO_DATA_DIR: dir, RECADO_LISTEN: "127.0.0.1:0" });
    expect(out + err).toMatch(
      new RegExp(`${dir}/[\\w./-]+ belongs to user ${OWNER}, and this is user 0: run it as user`),
    );
  });

  test("the doctor calls nothing missing that it may not look at", async () => {
    const dir = await othersData();
    const { out } = await plain.run(["doctor", "--json"], {
      RECADO_DATA_DIR: dir,
      RECADO_LISTEN: "127.0.0.1:0",
      RECADO_BACKUP: `file:${dir}/backups`,
    });
    const { checks } = JSON.parse(out) as {
      checks: { name: string; outcome: string; found: string; remedy?: string }[];
    };
    for (const name of ["database", "media-storage", "backups", "adapters"])
      expect(checks.find((one) => one.name === name)).toMatchObject({ outcome: "fault", remedy: advice(dir) });
    expect(out).not.toMatch(/does not exist/);
  });
});
