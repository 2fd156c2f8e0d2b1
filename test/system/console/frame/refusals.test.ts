import { expect, test } from "bun:test";
import { axe } from "../support/looks.ts";
import { settles } from "../support/settled.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole({ simulated: false });

test("a refused part of a field stands at its own field, and below the message if the form does not have it", async () => {
  const { page, faults } = await s.window.open({ person: s.people.owner, language: "en" });
  faults.expect(/^answer: 400 POST .*\/phones$/);
  await page.goto(`${s.server.consoleUrl}/phones`);
  await page.getByRole("button", { name: "Add a phone" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "WhatsApp official" }).check({ force: true });
  for (const field of await dialog.locator("input:is([type=text], [type=password]):visible").all())
    await field.fill("an id with blanks");
  await dialog.locator("button[type=submit]").click();
  const id = page.locator('[name="credentials.phoneNumberId"]');
  await dialog
    .locator(".field", { has: id })
    .getByText(/must be an id of the Graph API/)
    .waitFor();
  await axe(page);
  await id.evaluate((field) => field.setAttribute("name", "unknown"));
  await dialog.locator("button[type=submit]").click();
  await dialog
    .getByRole("alert")
    .getByText(/phoneNumberId/)
    .waitFor();
  await axe(page);
  await settles(async () => expect(await page.getByRole("dialog").count()).toBe(1));
});
