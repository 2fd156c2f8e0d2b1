import { afterAll, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acceptedIdentity, baileysFiles, writeFolder } from "../../../support/session/moved.ts";
import { axe, overflow, shoot } from "../support/looks.ts";
import { isAbsent } from "../support/settled.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();
const folder = mkdtempSync(join(tmpdir(), "recado-move-in-"));
afterAll(() => rmSync(folder, { recursive: true }));

let numbers = 0;
/** A folder above two sessions: one that can come, and one that cannot. */
const sessions = (): string => {
  const at = join(folder, String(++numbers));
  writeFolder(join(at, "loja"), baileysFiles(acceptedIdentity(`551190000${String(1000 + numbers)}`)));
  writeFolder(join(at, "velha"), [{ name: "creds.json", text: "{}" }]);
  writeFileSync(join(at, "loja", "notes.txt"), "not a key");
  return at;
};

const open = async (look: { size?: "narrow" } = {}) => {
  const watched = await s.window.open({ person: s.people.operator, language: "en", ...look });
  await watched.page.goto(`${s.server.consoleUrl}/move-in`);
  await watched.page.getByRole("heading", { name: "Move in", level: 1 }).waitFor();
  return watched;
};

test("an operator looks into a folder, says that the old program is stopped, and brings the sessions in", async () => {
  const { page } = await open();
  await page.getByLabel("Folder of the sessions").setInputFiles(sessions());
  const row = (name: string) => page.getByRole("row").filter({ hasText: name });
  await row("loja").getByText("Can be moved", { exact: true }).waitFor();
  await row("velha").getByText("Cannot be moved").waitFor();
  await axe(page);
  await overflow(page);
  await shoot(page, "move-in");
  await page.getByRole("button", { name: "Move 1" }).click();
  await isAbsent(row("loja").getByText("Moved", { exact: true })); // the browser asks for the switch first
  await page.getByLabel("The old program is stopped, and will stay stopped").check();
  await page.getByRole("button", { name: "Move 1" }).click();
  await row("loja").getByText("Moved", { exact: true }).waitFor();
  await page.getByText("1 moved. They are connecting now.").waitFor();
  await axe(page);
  await row("loja").getByRole("link").first().click();
  await page.getByRole("heading", { name: "loja" }).waitFor();
});

test("a folder without a session says so, and other programs name the command", async () => {
  const { page } = await open({ size: "narrow" });
  const empty = join(folder, "empty");
  writeFolder(empty, [{ name: "app.json", text: "{}" }]);
  await page.getByLabel("Folder of the sessions").setInputFiles(empty);
  await page.getByText("There is no session in this folder").waitFor();
  await page.getByLabel("Program").selectOption("Evolution");
  await page.getByText("recado import").waitFor();
  await isAbsent(page.getByLabel("Folder of the sessions"));
  await axe(page);
  await overflow(page);
});

test("who is no operator does not see the page", async () => {
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/`);
  await page.getByRole("navigation").first().waitFor();
  await isAbsent(page.getByRole("link", { name: "Move in" }));
});
