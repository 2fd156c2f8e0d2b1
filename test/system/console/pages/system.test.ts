import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { axe, overflow, shoot } from "../support/looks.ts";
import { goByNavigation } from "../support/navigation.ts";
import { asOperator } from "../support/operator.ts";
import { isAbsent } from "../support/settled.ts";
import { beginTask, keyboardOf } from "../support/tasks.ts";
import { useConsole } from "../support/use-console.ts";

const backups = mkdtempSync(join(tmpdir(), "recado-backups-"));
const latest = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: () => Response.json({ version: "99.1.0", date: "2026-12-01", notes: "https://recado.example/99.1.0" }),
});
const s = useConsole({
  env: {
    RECADO_BACKUP: `file:${backups}`,
    RECADO_BACKUP_AT: "15 2 1 1 *",
    RECADO_UPDATE_URL: `http://127.0.0.1:${latest.port}`,
  },
});

// once the server has ended
afterAll(async () => {
  rmSync(backups, { recursive: true, force: true });
  await latest.stop(true);
});

/** The doctor and a backup are processes of their own. */
const LONG_MS = 45_000;

for (const [size, language] of [
  ["wide", "pt"],
  ["narrow", "en"],
] as const)
  test(`task 14 at ${size} in ${language}: is the machine well, in 1 click`, async () => {
    const { page } = await s.window.open({ person: s.people.operator, size, language });
    await page.goto(`${s.server.consoleUrl}/`);
    const name = language === "pt" ? "Sistema" : "System";
    const task = beginTask("14 is the machine well", 1, size === "wide" ? "1280" : "390");
    // a narrow window hides the pages: there the overview leads to the machine
    const onOverview = page.locator("main a[href$='/system']").first();
    await task.click(size === "wide" ? page.getByRole("link", { name, exact: true }) : onOverview);
    const finding = page.locator(".finding").first();
    await finding.waitFor({ timeout: LONG_MS });
    await page.getByText(language === "pt" ? "Último backup bom" : "Last good backup").waitFor();
    await page.getByRole("heading", { name: language === "pt" ? "Armazenamento" : "Storage", exact: true }).waitFor();
    task.done();
    await overflow(page);
    await axe(page);
    if (size === "wide") await shoot(page, "system");
  });

test("a backup is made with one button, and the page shows it by itself", async () => {
  const { page } = await s.window.open({ person: s.people.operator, language: "en" });
  await page.goto(`${s.server.consoleUrl}/system`);
  await page.getByText("Stored backups (1)").waitFor({ timeout: LONG_MS }); // it is made when the server starts
  await page.getByRole("button", { name: "Make one now" }).click();
  await page.getByText("The backup has begun.").waitFor();
  await page.getByText("Stored backups (2)").waitFor({ timeout: LONG_MS });
});

test("a newer release is on the overview of operators and on the page, with a link to what has changed", async () => {
  await asOperator(s)("jobs/updates/run", {});
  for (const [language, text, link] of [
    ["en", /Version 99\.1\.0 of .+ is released\./, "What has changed"],
    ["pt", /A versão 99\.1\.0, de .+, foi lançada\./, "O que mudou"],
    ["es", /Se publicó la versión 99\.1\.0, del .+\./, "Qué ha cambiado"],
  ] as const) {
    const { page } = await s.window.open({ person: s.people.operator, language });
    for (const path of ["/", "/system"]) {
      await page.goto(`${s.server.consoleUrl}${path}`);
      const notice = page.locator(".notice", { hasText: text });
      await notice.waitFor({ timeout: LONG_MS });
      const href = await notice.getByRole("link", { name: link }).getAttribute("href");
      expect(href).toBe("https://recado.example/99.1.0");
      await axe(page);
    }
  }
}, 120_000);

test("settings say where they come from, never a secret, and are found by their words; licences too", async () => {
  const { page } = await s.window.open({ person: s.people.operator, language: "en" });
  await page.goto(`${s.server.consoleUrl}/system/settings?which=changed`);
  await page.getByText("RECADO_LISTEN", { exact: true }).waitFor();
  await isAbsent(page.getByText("RECADO_BILLING_TZ", { exact: true }));
  await page.getByLabel("Search").fill("backup");
  await page.getByText("RECADO_BACKUP", { exact: true }).waitFor();
  await page.getByText("RECADO_LISTEN", { exact: true }).waitFor({ state: "detached" });
  expect(page.url()).toContain("search=backup");
  await axe(page);
  await shoot(page, "system-settings");
  await page.goto(`${s.server.consoleUrl}/system/licences`);
  await page.getByRole("cell", { name: "elysia", exact: true }).waitFor();
  await axe(page);
});

test("without an adapter of others, the tab says how to install one, in three languages", async () => {
  for (const [language, text] of [
    ["en", "No adapters are installed"],
    ["pt", "Nenhum adaptador instalado"],
    ["es", "No hay adaptadores instalados"],
  ] as const) {
    const { page } = await s.window.open({ person: s.people.operator, language });
    await page.goto(`${s.server.consoleUrl}/system/adapters`);
    await page.getByText(text).waitFor();
    await axe(page);
  }
});

test("by keyboard alone: the page, its tabs and a backup", async () => {
  const { page } = await s.window.open({ person: s.people.operator, language: "en" });
  await page.goto(`${s.server.consoleUrl}/`);
  await page.getByRole("link", { name: "System", exact: true }).waitFor();
  const keys = keyboardOf(page);
  await keys.enter("System", 60);
  await page.getByRole("heading", { name: "System" }).waitFor();
  await page.getByRole("button", { name: "Make one now" }).waitFor();
  await keys.enter("Settings", 80);
  await page.getByText("RECADO_LISTEN", { exact: true }).waitFor();
});

test("a member sees none of it", async () => {
  const { page, faults } = await s.window.open({ person: s.people.owner, language: "en" });
  faults.expect(/403/);
  await page.goto(`${s.server.consoleUrl}/system`);
  await page.getByText("You may not see this page").waitFor();
  await isAbsent(page.getByRole("link", { name: "Accounts", exact: true }));
});

test("task 15 at narrow in pt: who changed this, in 2 clicks", async () => {
  const { page } = await s.window.open({ person: s.people.operator, size: "narrow", language: "pt" });
  await page.goto(`${s.server.consoleUrl}/`);
  const task = beginTask("15 the audit log", 2, "390");
  await goByNavigation(page, "Auditoria", task);
  const rows = page.locator("tbody tr");
  await rows.nth(1).waitFor();
  await page.getByRole("searchbox").fill(s.people.owner.name);
  await page.waitForURL(/search=/);
  await rows.filter({ hasText: s.people.owner.name }).first().waitFor();
  await rows.filter({ hasNotText: s.people.owner.name }).first().waitFor({ state: "detached" });
  task.done();
  await overflow(page);
  await axe(page);
});

test("task 15: who changed this, in 2 clicks; the filters are in the address", async () => {
  const { page } = await s.window.open({ person: s.people.operator, language: "en" });
  await page.goto(`${s.server.consoleUrl}/`);
  const task = beginTask("15 the audit log", 2);
  await goByNavigation(page, "Audit log", task);
  await page.getByRole("row").nth(1).waitFor();
  await task.choose(page.getByLabel("Act"), "key.create");
  await page.waitForURL(/action=key\.create/);
  await page.getByRole("cell", { name: "API key made" }).first().waitFor();
  task.done();
  await page.getByLabel("Act").selectOption("");
  await page.getByLabel("Person, thing or detail").fill(s.people.owner.name);
  await page.waitForURL(/search=/);
  await page.getByText(s.people.owner.name).first().waitFor();
  await overflow(page);
  await axe(page);
  await shoot(page, "audit");
});

test("a member sees what concerns their account alone", async () => {
  const { page } = await s.window.open({ person: s.people.owner, language: "pt" });
  await page.goto(`${s.server.consoleUrl}/audit`);
  await page.getByRole("cell", { name: "Chave de API criada" }).first().waitFor();
  await isAbsent(page.getByLabel("Conta", { exact: true }));
  await isAbsent(page.getByRole("cell", { name: "Operador criado" }));
});
