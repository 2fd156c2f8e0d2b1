import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { axe, overflow, shoot } from "../support/looks.ts";
import { settles } from "../support/settled.ts";
import { beginTask, keyboardOf } from "../support/tasks.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();

/** Opens a page for a visitor, of whom the server knows no session. */
const visit = async (path: string, look: Parameters<typeof s.window.open>[0] = {}, { window, server } = s) => {
  const watched = await window.open({ language: "en", ...look });
  watched.faults.expect(/^answer: 401 GET .*\/session$/);
  await watched.page.goto(path.startsWith("http") ? path : `${server.consoleUrl}${path}`);
  return watched;
};
const signIn = async (page: Page, password = s.people.operator.password) => {
  await page.getByLabel("E-mail").fill(s.people.operator.email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
};

describe("a new machine", () => {
  const machine = useConsole({ isEmpty: true });

  test("task 1: the set-up link, four fields, and the overview; the link opens once", async () => {
    const { page: early } = await visit("/phones", {}, machine);
    await early.getByText("Recado is not set up yet").waitFor();
    await axe(early);
    const task = beginTask("1 new machine to signed in", 1);
    const { page, faults: refused } = await visit(machine.server.setupUrl, {}, machine);
    const go = page.getByRole("button", { name: "Set up and go" });
    const sent: string[] = [];
    page.on("request", (request) => void (request.method() === "POST" && sent.push(request.url())));
    await page.getByLabel("Company or account").fill("   ");
    await page.getByLabel("Your name").fill(" ");
    await page.getByLabel("Your e-mail").fill("olga@x");
    await page.getByLabel("Password").fill("password");
    await go.click();
    await settles(async () =>
      expect(await page.locator(".field .fault").allTextContents()).toEqual([
        "Write something here.",
        "Write something here.",
      ]),
    );
    await settles(async () =>
      expect(await page.getByLabel("Company or account").evaluate((node) => node.matches(":focus"))).toBe(true),
    );
    expect(sent).toEqual([]);
    await page.getByLabel("Company or account").fill("Padaria Três Irmãos");
    await page.getByLabel("Your name").fill("Olga Operadora");
    await go.click();
    await page.getByText("Write the whole address, such as ana@company.com.").waitFor();
    await page.getByLabel("Your e-mail").fill("olga@example.com");
    await go.click();
    await page.getByText("This password is among the first that somebody would try.").waitFor();
    refused.expect(/^answer: 400 POST .*\/setup/);
    await shoot(page, "setup");
    await axe(page);
    await overflow(page);
    await page.getByLabel("Your name").fill("Olga Operadora");
    await page.getByLabel("Your e-mail").fill("olga@example.com");
    await page.getByLabel("Password").fill("uma frase bem comprida");
    await task.click(go);
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/console\/?$/);
    task.done();
    const { page: late, faults } = await visit(machine.server.setupUrl, { size: "narrow" }, machine);
    faults.expect(/^answer: 410 GET .*\/setup/);
    await late.getByText("Recado is already set up").waitFor();
    await axe(late);
    await overflow(late);
  });
});

test("a wrong password is refused in words; the right one leads to the page that was asked for", async () => {
  const { page, faults } = await visit("/keys?x=1");
  faults.expect(/^answer: 401 POST .*\/sign-in$/);
  await page.waitForURL(/\/sign-in\?next=/);
  await shoot(page, "sign-in");
  await axe(page);
  await overflow(page);
  await signIn(page, "a wrong password");
  await page.getByText("The e-mail or the password is wrong.").waitFor();
  await signIn(page);
  await page.waitForURL(/\/console\/keys\?x=1$/);
});

test.each(["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", "/gateway/docs"])(
  "after signing in %s is not where the page goes",
  async (next) => {
    const { page } = await visit(`/sign-in?next=${encodeURIComponent(next)}`);
    await signIn(page);
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    expect(new URL(page.url()).origin).toBe(new URL(s.server.url).origin);
    expect(new URL(page.url()).pathname).toMatch(/^\/console\/?$/);
  },
);

test("by keyboard alone, in Portuguese, and out again: nothing of the person stays in the browser", async () => {
  const { page } = await visit("/sign-in", { language: "pt", size: "narrow" });
  const keyboard = keyboardOf(page);
  await page.getByRole("heading", { name: "Entrar" }).waitFor();
  await page.getByLabel("E-mail").focus();
  await page.keyboard.insertText(s.people.operator.email);
  await keyboard.type("Senha", s.people.operator.password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Visão geral", level: 1 }).waitFor();
  const kept = () => page.evaluate(() => [...Object.entries(localStorage), ...Object.entries(sessionStorage)]);
  await page.evaluate(() => localStorage.setItem("recado-test-to", "5511999990001"));
  await page.locator(".person-button").focus();
  await page.keyboard.press("Enter");
  await keyboard.enter("Sair");
  await page.getByRole("heading", { name: "Entrar" }).waitFor();
  await settles(async () => {
    expect(await kept()).toEqual([]);
    expect((await page.context().cookies()).filter(({ name }) => name.includes("recado"))).toEqual([]);
  });
  await overflow(page);
});

test("a forgotten password: without mail the page says whom to ask", async () => {
  const { page, faults } = await visit("/sign-in", { language: "es" });
  faults.expect(/^answer: \d+ POST .*\/sign-in\/forgot$/);
  await page.getByRole("button", { name: "¿Olvidaste tu contraseña?" }).click();
  await page.getByLabel("Correo electrónico").fill(s.people.operator.email);
  await page.getByRole("button", { name: "Enviar el enlace" }).click();
  await page.getByText("Este servidor no envía correos").waitFor();
});
