import { expect, test } from "bun:test";
import { axe } from "../support/looks.ts";
import { settles } from "../support/settled.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole({ simulated: false });

test("a refusal of a field that the form does not have is shown below the message", async () => {
  const { page, faults } = await s.window.open({ person: s.people.owner, language: "en" });
  faults.expect(/^answer: 400 POST .*\/phones$/);
  await page.goto(`${s.server.consoleUrl}/phones`);
  await page.getByRole("button", { name: "Add a phone" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "WhatsApp official" }).check({ force: true });
  for (const field of await dialog.locator("input:is([type=text], [type=password]):visible").all())
    await field.fill("an id with blanks");
  await dialog.locator("button[type=submit]").click();
  const alert = dialog.getByRole("alert");
  await alert.getByText(/phoneNumberId must be an id of the Graph API/).waitFor();
  await axe(page);
  await settles(async () => expect(await page.getByRole("dialog").count()).toBe(1));
});
