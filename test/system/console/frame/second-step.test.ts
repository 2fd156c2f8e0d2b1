import { afterAll, expect, test } from "bun:test";
import { generate } from "otplib";
import type { Page } from "playwright-core";
import { startMailSink } from "../../../support/servers/smtp.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { consoleHeaders } from "../support/people.ts";
import { ask } from "../support/server.ts";
import { settles } from "../support/settled.ts";
import { useConsole } from "../support/use-console.ts";

const sink = await startMailSink();
afterAll(() => sink.stop());
const s = useConsole({
  isEmpty: true,
  env: { RECADO_SMTP_URL: sink.url, RECADO_MAIL_FROM: "Recado <recado@example.com>", RECADO_REGISTRATION: "open" },
});

const BRUNO = { name: "Bruno", email: "bruno@segunda.example", password: "uma senha bem comprida" };
const OWNER = { name: "Otávia", email: "otavia@primeira.example", password: "outra senha bem comprida" };

/** The link of the next mail to somebody. */
const mailedLink = async (email: string, known: number): Promise<string> => {
  const mails = () => sink.received.filter(({ to }) => to.includes(email));
  await untilTrue(() =>
    mails()
      .slice(known)
      .some(({ text }) => /https?:\/\/\S+token=/.test(text)),
  );
  const [link = ""] = /https?:\/\/\S+token=[\w-]+/.exec(mails().slice(known).at(-1)?.text ?? "") ?? [];
  return link;
};
const mailsTo = (email: string): number => sink.received.filter(({ to }) => to.includes(email)).length;

const register = async ({ name, email, password }: typeof BRUNO) => {
  const made = await ask(`${s.server.platformUrl}/v1/auth/register`, {
    body: { name, email, password, institutionName: `Loja de ${name}` },
  });
  const token = new URL(await mailedLink(email, 0)).searchParams.get("token");
  await ask(`${s.server.platformUrl}/v1/auth/verify-email`, { body: { token } });
  return made;
};

const signIn = async (page: Page, password: string) => {
  await page.goto(`${s.server.consoleUrl}/profile`);
  await page.getByLabel("E-mail").fill(BRUNO.email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
};
/** Answers the question for a second step on the page of sign-ins. */
const answerWith = async (page: Page, recovery: string) => {
  await page.getByRole("heading", { name: "Second step" }).waitFor();
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await page.getByLabel("Recovery code").fill(recovery);
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("heading", { name: "Profile", level: 1 }).waitFor();
};

test("a second person with an app for codes is asked for a code by password, by reset and by invitation", async () => {
  const setUp = { token: new URL(s.server.setupUrl).searchParams.get("token"), name: "Olga" };
  await ask(`${s.server.consoleUrl}/setup`, {
    body: { ...setUp, email: "olga@operadora.example", password: "a senha da operadora" },
    headers: consoleHeaders(s.server),
  });
  const { institution, token } = await register(OWNER);
  await register(BRUNO);
  const { page, context, faults } = await s.window.open({ language: "en" });
  faults.expect(/^answer: 40[13] /);

  await signIn(page, BRUNO.password);
  await page.getByRole("button", { name: "Set up an app" }).click();
  const dialog = page.getByRole("dialog", { name: "Set up an app" });
  const secret = (await dialog.locator(".copy-line code").textContent()) ?? "";
  await dialog.getByLabel("The code that the app shows now").fill(await generate({ secret }));
  await dialog.getByRole("button", { name: "Confirm" }).click();
  const shown = page.getByRole("dialog", { name: "Your recovery codes" });
  await shown.waitFor();
  const codes = await shown.locator("code").allTextContents();

  await context.clearCookies();
  await signIn(page, BRUNO.password);
  await answerWith(page, codes[0] ?? "");

  await context.clearCookies();
  await page.goto(`${s.server.consoleUrl}/sign-in`);
  await page.getByRole("button", { name: "Forgot your password?" }).click();
  await page.getByLabel("E-mail").fill(BRUNO.email);
  const before = mailsTo(BRUNO.email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await page.goto(await mailedLink(BRUNO.email, before));
  const changed = "uma senha trocada agora";
  await page.getByLabel("Password").fill(changed);
  await page.getByRole("button", { name: "Choose" }).click();
  await page.getByLabel("Password").fill(changed);
  await page.getByLabel("Or a recovery code").fill(codes[1] ?? "");
  await page.getByRole("button", { name: "Choose" }).click();
  await page.getByRole("link", { name: "Sign in" }).waitFor();
  await signIn(page, changed);
  await answerWith(page, codes[2] ?? "");

  const invited = mailsTo(BRUNO.email);
  await ask(`${s.server.platformUrl}/v1/institutions/${institution.id}/members`, {
    body: { email: BRUNO.email, role: "MEMBER" },
    headers: { authorization: `Bearer ${token}` },
  });
  await page.goto(await mailedLink(BRUNO.email, invited));
  await page.getByLabel("Password").first().fill(changed);
  await page.getByRole("button", { name: "Accept", exact: true }).click();
  await page.getByLabel("Password").first().fill(changed);
  await page.getByLabel("Or a recovery code").fill(codes[3] ?? "");
  await page.getByRole("button", { name: "Accept", exact: true }).click();
  await page.getByText(`Loja de ${OWNER.name}`).waitFor();
  await settles(async () => expect(await page.getByRole("link", { name: "Sign in" }).count()).toBe(1));
});
