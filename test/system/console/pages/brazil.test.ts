import { expect, test } from "bun:test";
import { axe, overflow, shoot } from "../support/looks.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();

for (const [size, language, words] of [
  ["wide", "pt", { change: "Alterar o horário", monday: "Segunda-feira", save: "Salvar", zone: "Fuso horário" }],
  ["narrow", "en", { change: "Change the hours", monday: "Monday", save: "Save", zone: "Time zone" }],
  ["narrow", "es", { change: "Cambiar el horario", monday: "Lunes", save: "Guardar", zone: "Zona horaria" }],
] as const)
  test(`business hours are set, and shown with the next opening: ${size}, ${language}`, async () => {
    const { page } = await s.window.open({ person: s.people.owner, size, language });
    await page.goto(`${s.server.consoleUrl}/phones`);
    await page.getByText(words.change).click();
    await page.getByLabel(words.zone).fill("America/Sao_Paulo");
    await page.getByLabel(words.monday).fill("9:00-12:00, 13:00-18:00");
    const answered = page.waitForResponse((one) => one.request().method() === "PUT" && one.ok());
    await page.getByRole("button", { name: words.save, exact: true }).click();
    const { hours } = (await (await answered).json()) as { hours: { weekly: { monday: object[] } } };
    expect(hours.weekly.monday).toEqual([
      { from: "09:00", to: "12:00" },
      { from: "13:00", to: "18:00" },
    ]);
    await axe(page);
    await overflow(page);
    if (size === "wide") await shoot(page, "business-hours");
  });

test("hours that are never open are refused at the form", async () => {
  const { page, faults } = await s.window.open({ person: s.people.owner, language: "en" });
  faults.expect(/business-hours/);
  await page.goto(`${s.server.consoleUrl}/phones`);
  await page.getByText("Change the hours").click();
  for (const day of ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"])
    await page.getByLabel(day).fill("");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("alert").waitFor();
  await axe(page);
});

test("who pays: a wrong number is said before anything is sent", async () => {
  const { page } = await s.window.open({ person: s.people.owner, language: "pt" });
  await page.goto(`${s.server.consoleUrl}/billing`);
  let isSent = false;
  page.on("request", (request) => {
    isSent ||= request.method() === "POST" && request.url().endsWith("/billing/customer");
  });
  await page.getByLabel("CPF ou CNPJ").fill("249.715.637-91");
  await page.getByRole("button", { name: "Salvar", exact: true }).click();
  await page.getByText("os dígitos verificadores não conferem").waitFor();
  expect(isSent).toBe(false);
  await axe(page);
  await overflow(page);
  await shoot(page, "payer");
});
