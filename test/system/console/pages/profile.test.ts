import { expect, test } from "bun:test";
import { generate } from "otplib";
import type { Page } from "playwright-core";
import { axe, overflow, shoot } from "../support/looks.ts";
import { settles } from "../support/settled.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();

const open = async (path = "/profile") => {
  const watched = await s.window.open({ language: "en" });
  watched.faults.expect(/^answer: 401 GET .*\/session$/);
  await watched.page.goto(`${s.server.consoleUrl}${path}`);
  return watched;
};
const signIn = async (page: Page, { email, password }: { email: string; password: string }) => {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
};
const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const codesShown = async (page: Page): Promise<string[]> => {
  const dialog = page.getByRole("dialog", { name: "Your recovery codes" });
  await dialog.waitFor();
  const codes = await dialog.locator("code").allTextContents();
  await dialog.getByRole("button", { name: "I have kept them" }).click();
  return codes;
};

test("name, language and theme change at once", async () => {
  const { page } = await open();
  await signIn(page, s.people.viewer);
  await card(page, "You").getByLabel("Name").fill("Vítor <b>Leitor</b>");
  await card(page, "You").getByLabel("Language").selectOption("es");
  await card(page, "You").getByLabel("Theme").selectOption("dark");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Perfil", level: 1 }).waitFor();
  await settles(async () => expect(await page.locator(".person-name").textContent()).toBe("Vítor <b>Leitor</b>"));
  await settles(async () => expect(await page.evaluate<string>("document.documentElement.dataset.theme")).toBe("dark"));
  await axe(page);
});

test("an app for codes: set up, asked for at the next sign-in, each code once, a recovery code instead", async () => {
  const { page, context, faults } = await open();
  await signIn(page, s.people.member);
  await page.getByRole("button", { name: "Set up an app" }).click();
  const dialog = page.getByRole("dialog", { name: "Set up an app" });
  const secret = (await dialog.locator(".copy-line code").textContent()) ?? "";
  await axe(page);
  const used = await generate({ secret });
  await dialog.getByLabel("The code that the app shows now").fill(used);
  await dialog.getByRole("button", { name: "Confirm" }).click();
  const codes = await codesShown(page);
  expect(codes).toHaveLength(10);
  await card(page, "App for codes").getByText("On", { exact: true }).waitFor();
  await overflow(page);
  await axe(page);
  await shoot(page, "profile");

  await context.clearCookies();
  await page.goto(`${s.server.consoleUrl}/keys`);
  faults.expect(/^answer: 401 (?:GET|POST) /);
  await signIn(page, s.people.member);
  await page.getByRole("heading", { name: "Second step" }).waitFor();
  await axe(page);
  await shoot(page, "second-step");
  await page.getByLabel("Code of your app").fill(used);
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByText("That was wrong or too late").waitFor(); // this code has set up the app
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await page.getByLabel("Recovery code").fill((codes[0] ?? "").toLowerCase());
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByLabel("Recovery code").waitFor({ state: "hidden" }); // the page of the code has a heading, too
  await page.goto(`${s.server.consoleUrl}/profile`);
  await page.getByText("9 of 10 left").waitFor();
});

test("a passkey: added, signs in alone, proves who acts, is removed", async () => {
  const { page, context } = await open();
  const client = await context.newCDPSession(page);
  await client.send("WebAuthn.enable");
  await client.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await signIn(page, s.people.operator);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a passkey" });
  await dialog.getByLabel("Name of the passkey").fill("A laptop");
  await dialog.getByRole("button", { name: "Add a passkey" }).click();
  expect(await codesShown(page)).toHaveLength(10);
  await card(page, "Passkeys").getByText("A laptop").waitFor();

  await context.clearCookies();
  await page.goto(`${s.server.consoleUrl}/profile`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await card(page, "Passkeys").getByText("A laptop").waitFor();
  await settles(async () => expect(await card(page, "Where you are signed in").getByText("This one").count()).toBe(1));
  await card(page, "Passkeys").getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await card(page, "Recovery codes").getByText("They are made with your first app or passkey.").waitFor();
});

test("another session is ended from here", async () => {
  const first = await open();
  await signIn(first.page, s.people.admin);
  await first.page.getByRole("heading", { name: "Profile" }).waitFor();
  const second = await open();
  await signIn(second.page, s.people.admin);
  await second.page.getByRole("button", { name: "End all others" }).click();
  await second.page.getByRole("dialog").getByRole("button", { name: "End all others" }).click();
  await second.page.getByRole("dialog").waitFor({ state: "detached" });
  await card(second.page, "Where you are signed in").getByText("This one").waitFor();
  first.faults.expect(/^answer: 401 /);
  first.faults.expect(/^console: /);
  await first.page.goto(`${s.server.consoleUrl}/profile`);
  await first.page.getByRole("heading", { name: "Sign in" }).waitFor();
});
