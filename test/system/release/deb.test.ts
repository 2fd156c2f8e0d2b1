import { beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CONFFILE, debian, FIRST, MORE_SETTINGS, pack, SECOND } from "./deb.ts";

setDefaultTimeout(120_000);
const { run, ok, dpkg, install, exists, modeOf, set, withSystemd } = debian();

const ENABLED = "/etc/systemd/system/multi-user.target.wants/recado.service";

describe("installing the package", () => {
  test("makes a user without a login, directories and settings for it alone, and an enabled service", async () => {
    await install(FIRST);
    expect(await ok("getent", "passwd", "recado")).toMatch(
      /^recado:x:\d{3}:\d{3}:Recado,{0,3}:\/var\/lib\/recado:\/usr\/sbin\/nologin$/,
    );
    expect(await modeOf("/var/lib/recado")).toBe("700 recado:recado");
    expect(await modeOf("/var/cache/recado")).toBe("700 recado:recado");
    expect(await modeOf("/etc/recado")).toBe("750 root:recado");
    expect(await modeOf(CONFFILE)).toBe("640 root:recado");
    expect(await modeOf("/usr/bin/recado")).toBe("755 root:root");
    expect(await ok("readlink", "--canonicalize", ENABLED)).toBe("/usr/lib/systemd/system/recado.service");
    expect(await ok("dpkg", "--verify", "recado")).toBe("");
    expect(await ok("cat", "/usr/share/doc/recado/copyright")).toBe("of everything");
  });

  test("starts the service where systemd runs, and tries nothing of that where it does not", async () => {
    const asked = await withSystemd();
    await install(FIRST);
    expect(await asked()).toEqual(["--system daemon-reload", expect.stringMatching(/\bstart recado\.service$/)]);
  });

  test("lets root run commands with the settings and as the user of the service, and everybody run the program", async () => {
    await install(FIRST);
    await set("RECADO_GATEWAY_RATE=77", '  RECADO_MAIL_FROM="Recado <a@example.com>" ', "# RECADO_LISTEN=1");
    const shown = await ok("recado", "config");
    expect(shown).toMatch(/^RECADO_GATEWAY_RATE +77 +environment$/m);
    expect(shown).toMatch(/^RECADO_MAIL_FROM +Recado <a@example\.com> +environment$/m);
    expect(shown).toMatch(/^RECADO_DATA_DIR +\/var\/lib\/recado +environment$/m);
    expect(shown).toMatch(/^RECADO_LISTEN +\S+ +default$/m);
    expect(await ok("env", "RECADO_GATEWAY_RATE=5", "recado", "config")).toMatch(
      /^RECADO_GATEWAY_RATE +5 +environment$/m,
    );

    await ok("recado", "migrate");
    expect(await ok("find", "/var/lib/recado", "/var/cache/recado", "!", "-user", "recado")).toBe("");
    const nobody = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "recado"];
    expect(await ok(...nobody, "version")).toStartWith("recado ");
    expect(await ok(...nobody, "config")).toMatch(/^RECADO_GATEWAY_RATE +600 +default$/m);
  });
});

describe("secrets that the service gets as credentials", () => {
  const KEY = "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=";

  beforeEach(async () => {
    await install(FIRST);
    await ok("install", "--directory", "--mode=700", "/etc/recado/credentials");
    await ok(
      "sh",
      "-c",
      `umask 077; echo ${KEY} >/etc/recado/credentials/master-key; echo no-address >/etc/recado/credentials/smtp-url`,
    );
  });

  test("are given to root's commands too, before what the settings file says; the caller's own go before them", async () => {
    await set("RECADO_SMTP_URL=smtp://localhost", "RECADO_MASTER_KEY_FILE=/nowhere", "RECADO_MAIL_FROM=a@example.com");
    expect((await run("recado", "config")).err).toMatch(/^RECADO_SMTP_URL must be .*\n$/);
    expect(await ok("env", "RECADO_SMTP_URL=smtp://localhost", "recado", "migrate")).toStartWith("applied");
    expect(await exists("/var/lib/recado/master.key")).toBe(false);
  });

  test("are nobody else's to read", async () => {
    expect(
      (
        await run(
          "setpriv",
          "--reuid=recado",
          "--regid=recado",
          "--clear-groups",
          "cat",
          "/etc/recado/credentials/master-key",
        )
      ).code,
    ).not.toBe(0);
  });
});

describe("upgrading the package", () => {
  test("keeps settings that were edited and the data, brings the new program, and restarts the service", async () => {
    await install(FIRST);
    await set("RECADO_GATEWAY_RATE=77");
    const made = JSON.parse(await ok("recado", "account", "create", "--name", "Shop")) as { id: string };
    const before = await ok("sha256sum", "/var/lib/recado/master.key");
    const asked = await withSystemd();
    await install(SECOND);
    expect(await ok("dpkg-query", "--show", "--showformat=${Version}", "recado")).toBe(SECOND);
    expect(await asked()).toEqual(["--system daemon-reload", expect.stringMatching(/\brestart recado\.service$/)]);
    expect(await ok("tail", "-n", "1", CONFFILE)).toBe("RECADO_GATEWAY_RATE=77");
    expect(await modeOf(CONFFILE)).toBe("640 root:recado");
    expect(await exists(`${CONFFILE}.dpkg-dist`)).toBe(true);
    expect(await ok("sha256sum", "/var/lib/recado/master.key")).toBe(before);
    const other = JSON.parse(await ok("recado", "account", "create", "--name", "Another")) as { id: string };
    expect(other.id).not.toBe(made.id);
  });

  test("brings the new settings file where the old one was left as it came", async () => {
    await install(FIRST);
    await install(SECOND);
    expect(await ok("cat", CONFFILE)).toBe(MORE_SETTINGS.trimEnd());
    expect(await modeOf(CONFFILE)).toBe("640 root:recado");
  });

  test("leaves a service disabled that was disabled", async () => {
    await install(FIRST);
    await ok("systemctl", "disable", "recado.service");
    expect(await exists(ENABLED)).toBe(false);
    await install(SECOND);
    expect(await exists(ENABLED)).toBe(false);
  });
});

describe("removing the package", () => {
  test("stops the service and takes the program away; settings, data and user stay, and a new installation goes on with them", async () => {
    await install(FIRST);
    await set("RECADO_GATEWAY_RATE=77");
    await ok("recado", "migrate");
    const asked = await withSystemd();
    await dpkg("--remove", "recado");
    expect((await asked())[0]).toMatch(/\bstop recado\.service$/);
    for (const gone of ["/usr/bin/recado", "/usr/lib/recado", "/usr/lib/systemd/system/recado.service"])
      expect(await exists(gone)).toBe(false);
    for (const kept of [CONFFILE, "/var/lib/recado/recado.db"]) expect(await exists(kept)).toBe(true);
    await install(SECOND);
    expect(await ok("recado", "migrate")).toStartWith("up to date");
    expect(await ok("tail", "-n", "1", CONFFILE)).toBe("RECADO_GATEWAY_RATE=77");
  });

  test("purging takes settings and cache away, and says where the data is kept", async () => {
    await install(FIRST);
    await ok("recado", "migrate");
    expect(await dpkg("--purge", "recado")).toContain("the data is kept in /var/lib/recado");
    for (const gone of ["/etc/recado", "/var/cache/recado", ENABLED]) expect(await exists(gone)).toBe(false);
    expect(await exists("/var/lib/recado/master.key")).toBe(false);
    expect(await exists("/var/lib/recado/recado.db")).toBe(true);
    expect(await modeOf("/var/lib/recado")).toBe("700 recado:recado");
  });

  test("purging what has never run leaves no directory", async () => {
    await install(FIRST);
    expect(await dpkg("--purge", "recado")).not.toContain("the data is kept");
    expect(await exists("/var/lib/recado")).toBe(false);
  });
});

test("the same source gives the same package to the byte, whatever the umask, and another source another", async () => {
  const folder = mkdtempSync(join(tmpdir(), "recado-debs-"));
  const umask = process.umask();
  try {
    const program = join(folder, "program");
    await Bun.write(program, "a program");
    const hashOf = async (version: string): Promise<string> =>
      new Bun.CryptoHasher("sha256")
        .update(await Bun.file(await pack(folder, { version, program })).bytes())
        .digest("hex");
    const first = await hashOf("2.0.0-rc.1");
    process.umask(0o077);
    expect(await hashOf("2.0.0-rc.1")).toBe(first);
    expect(await hashOf("2.0.0-rc.2")).not.toBe(first);
  } finally {
    process.umask(umask);
    rmSync(folder, { recursive: true, force: true });
  }
});
