import { expect, test } from "bun:test";
import { untilTrue } from "../../../support/waiting.ts";
import { axe, overflow, shoot } from "../support/looks.ts";
import { gatewayOf } from "../support/seeds.ts";
import { isAbsent, settles } from "../support/settled.ts";
import { keyboardOf } from "../support/tasks.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();
const gateway = (path: string, body?: unknown, method?: string) => gatewayOf(s.server, s.people)(path, body, method);
const named = async (name: string): Promise<any[]> =>
  (await gateway(`contacts?${new URLSearchParams({ q: name }).toString()}`)).items;

test("a contact is made, changed and deleted; its chats are closed, and the list follows", async () => {
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/contacts`);
  await page.getByRole("button", { name: "Add a contact" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Number").fill("+55 11 97777-0001");
  await dialog.getByLabel("Name").fill("Íris Prado");
  await dialog.getByLabel("Tags").fill("vip, novo");
  await dialog.getByLabel("Your own data").fill("city: Recife");
  await axe(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Íris Prado" }).waitFor();
  const [contact] = await named("Prado");
  expect(contact).toMatchObject({ tags: ["vip", "novo"], metadata: { city: "Recife" }, email: null });
  await page.getByRole("button", { name: "Change" }).click();
  await dialog.getByLabel("E-mail").fill("iris@example.com");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("iris@example.com").waitFor();
  await page.getByRole("button", { name: "Write a message" }).click();
  await dialog.getByLabel("Message").fill("Olá, Íris");
  await dialog.getByRole("button", { name: "Send" }).click();
  await page.locator(".message.outbound", { hasText: "Olá, Íris" }).waitFor();
  await page.goto(`${s.server.consoleUrl}/contacts/${contact.id}`);
  await page.getByRole("link", { name: /Olá, Íris/ }).waitFor();
  await axe(page);
  await shoot(page, "contact");
  await page.getByRole("button", { name: "Delete" }).click();
  await dialog.getByText("Open chats are closed; their messages stay.").waitFor();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: "Contacts" }).waitFor();
  await untilTrue(async () => (await named("Prado")).length === 0);
  await isAbsent(page.getByText("Íris Prado"));
});

test("a number that a contact has, and one that is none, are refused where they were typed; nothing is made", async () => {
  await gateway("contacts", { phoneNumber: "5511977770002", name: "Júlia" });
  const { page, faults } = await s.window.open({ person: s.people.owner, language: "en" });
  faults.expect(/answer: (400|409) POST .*\/contacts/);
  await page.goto(`${s.server.consoleUrl}/contacts`);
  await page.getByRole("button", { name: "Add a contact" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Outra Júlia");
  await dialog.getByLabel("Number").fill("123");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.locator("input[name=phoneNumber][aria-invalid=true]").waitFor();
  await dialog.getByLabel("Number").fill("+55 11 97777-0002");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("There is a contact with this number already.").waitFor();
  expect((await named("Júlia")).map(({ name }) => name)).toEqual(["Júlia"]);
});

test("the search is in the address, so that a link shows the same", async () => {
  await gateway("contacts", { phoneNumber: "5511977770003", name: "Lúcio Alves" });
  const { page } = await s.window.open({ person: s.people.owner, language: "pt", size: "narrow" });
  await page.goto(`${s.server.consoleUrl}/contacts`);
  await page.getByRole("searchbox").fill("lucio");
  await page.waitForURL(/q=lucio/);
  await page.getByRole("link", { name: /Lúcio Alves/ }).waitFor();
  await page.reload();
  await page.getByRole("link", { name: /Lúcio Alves/ }).waitFor();
  await settles(async () => expect(await page.locator("tbody tr").count()).toBe(1));
  await overflow(page);
  await axe(page);
  await shoot(page, "contacts");
  await page.getByRole("searchbox").fill("ninguém");
  await page.getByText("Nenhum contato encontrado").waitFor();
});

test("by keyboard alone: a contact is made", async () => {
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/contacts`);
  await page.getByRole("heading", { name: "Contacts" }).waitFor();
  const keyboard = keyboardOf(page);
  await keyboard.enter("Add a contact");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.type("5511977770004");
  await keyboard.type("Name", "Otto");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Otto" }).waitFor();
});

test("a viewer sees contacts, and can change none", async () => {
  const { page, context } = await s.window.open({ person: s.people.viewer, language: "en" });
  await context.addInitScript(`localStorage.setItem("recado-account", "${s.people.institution.id}")`);
  await page.goto(`${s.server.consoleUrl}/contacts`);
  await page.locator("tbody tr a").first().click();
  await page.getByRole("heading", { name: "Chats", exact: true }).waitFor();
  await isAbsent(page.getByRole("button", { name: /^(Change|Delete|Write a message|Erase.*)$/ }));
});

test("an operator exports all that is stored of a person, and erases it", async () => {
  const to = "5511977770005";
  await gateway("contacts", { phoneNumber: to, name: "Paula Apagada" });
  await gateway("messages", { phoneId: s.seeds.phoneId, to, type: "text", content: { text: "guarde isto" } });
  await untilTrue(async () => (await gateway(`messages?contact=${to}`)).items.length === 2);
  const [contact] = await named("Apagada");
  const { page, context, faults } = await s.window.open({ person: s.people.operator, language: "en" });
  await context.addInitScript(`localStorage.setItem("recado-account", "${s.people.institution.id}")`);
  await page.goto(`${s.server.consoleUrl}/contacts/${contact.id}`);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export everything" }).click(),
  ]);
  const saved = await new Response(Bun.file(await file.path())).text();
  expect(saved).toContain("guarde isto");
  faults.expect(/answer: 404/); // the contact is gone while its page is open
  await page.getByRole("button", { name: "Erase the person" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Erase the person" }).click();
  await untilTrue(async () => (await named("Apagada")).length === 0);
  expect((await gateway(`messages?contact=${to}`)).items).toEqual([]);
});

test("an opt-out is set and ended after a question; the list, the page and the chat show it", async () => {
  const { id } = await gateway("contacts", { phoneNumber: "5511977770094", name: "Nádia Reis" });
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/contacts/${id}`);
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Write a message" }).click();
  await dialog.getByLabel("Message").fill("Olá, Nádia");
  await dialog.getByRole("button", { name: "Send" }).click();
  await page.locator(".message.outbound", { hasText: "Olá, Nádia" }).waitFor();
  await page.goto(`${s.server.consoleUrl}/contacts/${id}`);
  await page.getByRole("button", { name: "Stop messages" }).click();
  await dialog.getByText("Answers in chats are still sent.").waitFor();
  await axe(page);
  await dialog.getByRole("button", { name: "Go back" }).click();
  expect(await named("Nádia")).toMatchObject([{ optedOutAt: null }]);
  await page.getByRole("button", { name: "Stop messages" }).click();
  await dialog.getByRole("button", { name: "Stop messages" }).click();
  await page.getByText("set here or by a program").waitFor();
  expect(await named("Nádia")).toMatchObject([{ optedOutBy: "request" }]);
  await page.getByRole("link", { name: /Olá, Nádia/ }).click();
  await page.getByRole("button", { name: "Details" }).click();
  await page.locator(".person-card .badge", { hasText: "Wants answers alone" }).waitFor();
  await page.goto(`${s.server.consoleUrl}/contacts?optedOut=true`);
  await page.getByRole("link", { name: /Nádia Reis/ }).waitFor();
  await settles(async () => expect(await page.locator("tbody tr").count()).toBe(1));
  await page.locator("tbody .badge", { hasText: "Wants answers alone" }).waitFor();
  await axe(page);
  await page.getByRole("link", { name: /Nádia Reis/ }).click();
  await page.getByRole("button", { name: "Allow messages" }).click();
  await dialog.getByRole("button", { name: "Allow messages" }).click();
  await page.getByRole("button", { name: "Stop messages" }).waitFor();
  expect(await named("Nádia")).toMatchObject([{ optedOutAt: null, optedOutBy: null }]);
});
