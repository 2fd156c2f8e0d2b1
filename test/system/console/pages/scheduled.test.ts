import { expect, test } from "bun:test";
import { axe, overflow, shoot } from "../support/looks.ts";
import { seedNewcomer } from "../support/people.ts";
import { gatewayOf, HOSTILE } from "../support/seeds.ts";
import { settles } from "../support/settled.ts";
import { keyboardOf } from "../support/tasks.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();

const open = async (path = "/scheduled", look: Parameters<typeof s.window.open>[0] = {}) => {
  const opened = await s.window.open({ person: s.people.owner, ...look });
  await opened.page.goto(`${s.server.consoleUrl}${path}`);
  return opened;
};
const schedule = (text: string, seconds: number) =>
  gatewayOf(s.server, s.people)("messages/scheduled", {
    scheduledAt: new Date(Date.now() + seconds * 1000).toISOString(),
    payload: { phoneId: s.seeds.phoneId, to: "5511977770001", type: "text", content: { text } },
  });

test("an empty list says what to do", async () => {
  const newcomer = await seedNewcomer(s.server);
  const key = await s.server.issueKey(newcomer.accountId);
  await gatewayOf(s.server, { key })("phones", { type: "SESSION", label: "Nova" });
  const { page } = await open("/scheduled", { person: newcomer });
  await page.getByText("Nada agendado").waitFor();
  await axe(page);
});

test("a message is scheduled, moved and cancelled, in the person's zone", async () => {
  const { page } = await open();
  await page.getByText("America/Sao Paulo (GMT-3)").waitFor();
  await page.getByRole("button", { name: "Agendar mensagem" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Para").fill("5511977770001");
  await dialog.getByLabel("Texto").fill("Bom dia! *Seu bolo* está pronto.");
  await dialog.getByLabel("Quando").fill("2027-03-05T09:30");
  await axe(page);
  await dialog.getByRole("button", { name: "Agendar mensagem" }).click();
  await page.getByRole("link", { name: /5 de mar\. de 2027, 09:30/ }).click();
  await page.getByRole("figure").getByText("Seu bolo").waitFor();
  await overflow(page);
  await axe(page);
  await shoot(page, "scheduled-one");
  await page.getByRole("button", { name: "Mover" }).click();
  await page.getByRole("dialog").getByLabel("Quando").fill("2027-03-06T10:00");
  await page.getByRole("dialog").getByRole("button", { name: "Mover" }).click();
  await page.getByText(/6 de mar\. de 2027, 10:00/).waitFor();
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const { scheduledAt } = await gatewayOf(s.server, s.people)(`messages/scheduled/${id}`);
  expect(scheduledAt).toBe("2027-03-06T13:00:00.000Z");
  await page.getByRole("button", { name: "Cancelar a mensagem" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancelar a mensagem" }).click();
  await page.getByText("Cancelada", { exact: true }).waitFor();
});

test("what waits stands in the order of its time, and its state changes by itself", async () => {
  await schedule(HOSTILE.html, 3600);
  await schedule(HOSTILE.long, 7200);
  await schedule("logo", 7);
  const { page } = await open("/scheduled", { size: "narrow" });
  await page.getByText("logo").waitFor();
  await settles(async () => {
    const rows = await page.getByRole("row").allTextContents();
    const placeOf = (text: string): number => rows.findIndex((row) => row.includes(text));
    expect(placeOf("<img")).toBeGreaterThan(placeOf("logo"));
  });
  await overflow(page);
  await axe(page);
  await shoot(page, "scheduled");
  await page.getByText("logo").waitFor({ state: "detached", timeout: 30_000 });
  await page.goto(`${s.server.consoleUrl}/scheduled?status=SENT`);
  await page.getByText("logo").waitFor();
  expect(await page.title()).not.toBe("ran");
});

test("by keyboard alone", async () => {
  const { page } = await open("/scheduled", { language: "en" });
  const keys = keyboardOf(page);
  await keys.enter("Schedule a message");
  await page.getByRole("dialog").waitFor();
  await keys.type("To", "5511977770009");
  await keys.type("Text", "Hello from the keyboard");
  await keys.enter("Schedule a message");

  await page.getByText("Hello from the keyboard").waitFor();
});
