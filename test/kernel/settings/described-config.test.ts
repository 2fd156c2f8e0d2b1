import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeConfig } from "../../../src/kernel/settings/described-config.ts";
import { SETTING_NAMES, SETTINGS } from "../../../src/kernel/settings/settings.ts";
import { faultsOf } from "../../support/config.ts";

const folder = mkdtempSync(join(tmpdir(), "recado-described-"));
afterAll(() => rmSync(folder, { recursive: true }));

const fileWith = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

describe("describeConfig", () => {
  test("says of every setting its value and where it came from", () => {
    const views = describeConfig({
      RECADO_LISTEN: "[::1]:1",
      RECADO_LOG_LEVEL_FILE: fileWith("level", "warn\n"),
      RECADO_DATA_DIR: "/srv",
    });
    expect(views.map(({ name }) => name)).toEqual(SETTING_NAMES);
    const shown = Object.fromEntries(views.map(({ name, value, source }) => [name, `${value} (${source})`]));
    expect(shown).toMatchObject({
      RECADO_LISTEN: "[::1]:1 (environment)",
      RECADO_LOG_LEVEL: "warn (file)",
      RECADO_DATABASE_URL: "file:/srv/recado.db (default)",
      RECADO_PUBLIC_URL: "http://localhost:<port> (default)",
      RECADO_OUTBOUND_ALLOW: "unset (default)",
      RECADO_ADMIN_TOKEN: "unset (default)",
    });
  });

  test("shows of a secret only whether it is set, from wherever it came, and nothing of a refused value", () => {
    const path = fileWith("secret", "CANARY");
    for (const name of SETTING_NAMES) {
      for (const env of [{ [name]: "CANARY" }, { [`${name}_FILE`]: path }]) {
        const view = describeConfig(env).find((one) => one.name === name);
        const isFaulty = faultsOf(env).some((fault) => fault.startsWith(`${name} must be`));
        if (isFaulty) expect(view?.value).toBe("refused");
        else if (SETTINGS[name].isSecret) expect(view?.value).toBe("set");
        else expect(view?.value).toContain("CANARY");
      }
    }
  });

  test("every setting that is named like a secret is one", () => {
    // a Pix key is an address: every payer sees it in the code
    const open = ["RECADO_S3_ACCESS_KEY_ID", "RECADO_PIX_KEY"];
    const named = SETTING_NAMES.filter((name) => /TOKEN$|SECRET|_KEY$|SMTP_URL/.test(name) && !open.includes(name));
    expect(named.filter((name) => !SETTINGS[name].isSecret)).toEqual([]);
    expect(named.length).toBeGreaterThan(8);
  });
});
