import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  adapterEnvironment,
  readAdapterSettings,
  unclaimedVariables,
  variableOf,
} from "../../../src/kernel/settings/adapter-settings.ts";
import { readConfig } from "../../../src/kernel/settings/config.ts";
import { secretTexts } from "../../../src/kernel/settings/described-config.ts";

const PAGER = {
  name: "pager-net",
  settings: [
    {
      name: "API_URL",
      fallback: "https://pager.example",
      pattern: "https://.+",
      form: "an https:// URL",
      meaning: "where the network is",
    },
    { name: "TOKEN", isSecret: true, meaning: "the operator's token" },
  ],
};

test("a setting of an adapter comes from its variable, its file or its default, and a missing one has no value", () => {
  const dir = mkdtempSync(join(tmpdir(), "recado-adapter-"));
  try {
    writeFileSync(join(dir, "token"), "from-a-file\n");
    expect(readAdapterSettings(PAGER, {})).toEqual({ ok: true, values: { API_URL: "https://pager.example" } });
    const env = {
      RECADO_PLUGIN_PAGER_NET_API_URL: "https://other.example",
      RECADO_PLUGIN_PAGER_NET_TOKEN_FILE: join(dir, "token"),
    };
    expect(readAdapterSettings(PAGER, env)).toEqual({
      ok: true,
      values: { API_URL: "https://other.example", TOKEN: "from-a-file" },
    });
    writeFileSync(join(dir, "plugin-pager-net-token"), "from-a-credential");
    expect(readAdapterSettings(PAGER, { CREDENTIALS_DIRECTORY: dir })).toMatchObject({
      ok: true,
      values: { TOKEN: "from-a-credential" },
    });
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test("an invalid value is refused with its variable's name, and not repeated", () => {
  const read = readAdapterSettings(PAGER, { RECADO_PLUGIN_PAGER_NET_API_URL: "ftp://hidden.example" });
  expect(read).toEqual({ ok: false, faults: ["RECADO_PLUGIN_PAGER_NET_API_URL must be an https:// URL"] });
});

test("the configuration ignores the variables of adapters, and an undeclared one is reported", () => {
  const env = {
    RECADO_PLUGIN_PAGER_NET_TOKEN: "a-secret-token",
    RECADO_PLUGIN_PAGER_NET_TOKN: "x",
    RECADO_PLUGIN_DIR: "/plugins",
    HOME: "/root",
  };
  const read = readConfig(env);
  expect(read.ok && read.config.adapterEnv).toEqual({
    RECADO_PLUGIN_PAGER_NET_TOKEN: "a-secret-token",
    RECADO_PLUGIN_PAGER_NET_TOKN: "x",
  });
  expect(adapterEnvironment(env)).not.toHaveProperty("RECADO_PLUGIN_DIR");
  expect(unclaimedVariables(env, [PAGER])).toEqual(["RECADO_PLUGIN_PAGER_NET_TOKN"]);
  expect(secretTexts(env)).toContain("a-secret-token");
  expect(variableOf("pager-net", "TOKEN")).toBe("RECADO_PLUGIN_PAGER_NET_TOKEN");
});
