import { describe, expect, test } from "bun:test";
import { beeperPlugin, pagerNetwork } from "../../../support/networks/pager.ts";
import { scriptedSessions } from "../../../support/session/scripted-pairing.ts";
import { axe, overflow, shoot, shootOnce } from "../support/looks.ts";
import { seedNewcomer } from "../support/people.ts";
import { gatewayOf, seedAccount } from "../support/seeds.ts";
import { isAbsent, settles } from "../support/settled.ts";
import { beginTask, keyboardOf } from "../support/tasks.ts";
import { useConsole } from "../support/use-console.ts";

const SIZES = ["wide", "narrow"] as const;
const WIDTHS = { wide: "1280", narrow: "390" } as const;
const LANGUAGES = { wide: "pt", narrow: "en" } as const;
const WORDS = {
  pt: { phones: "Telefones", add: "Adicionar telefone", go: "Continuar para o código", share: "Enviar um link" },
  en: { phones: "Phones", add: "Add a phone", go: "Continue to the code", share: "Send a link" },
} as const;

describe("a phone of a kind that an adapter brings", () => {
  const network = pagerNetwork();
  const s = useConsole({ simulated: false, plugins: [beeperPlugin(network)] });

  test.each([
    ["en", "wide", "1001", ["Add a phone", "Beeper", "Pager token", "Connect", "Replace the credentials", "Save"]],
    [
      "pt",
      "narrow",
      "1002",
      ["Adicionar telefone", "Bipe", "Token do pager", "Conectar", "Trocar as credenciais", "Salvar"],
    ],
    [
      "es",
      "narrow",
      "1003",
      ["Agregar teléfono", "Bíper", "Token del buscapersonas", "Conectar", "Cambiar las credenciales", "Guardar"],
    ],
  ] as const)(
    "is added, named and given new credentials by forms of its adapter: %s, %s",
    async (language, size, pager, [add, kind, token, connect, replace, save]) => {
      network.tokens.add(`pg-${pager}01`).add(`pg-${pager}02`);
      const { page } = await s.window.open({ person: s.people.owner, language, size });
      await page.goto(`${s.server.consoleUrl}/phones`);
      await page.getByRole("button", { name: add }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("radio", { name: kind }).check({ force: true });
      const field = dialog.getByLabel(token);
      await dialog.locator("input[type=password]").waitFor();
      await dialog.locator("a[href='https://pager.example/tokens']").waitFor();
      await shootOnce(page, `phone-add-loaded-${language}`);
      await axe(page);
      await overflow(page);
      await field.fill(`pg-${pager}01`);
      await dialog.getByRole("button", { name: connect, exact: true }).click();
      await page.waitForURL(/phones\/[\w-]{36}$/);
      await page.locator(".phone-state").getByText(kind).waitFor();
      await page.getByText(replace).click();
      await page.getByLabel(token).fill(`pg-${pager}02`);
      await axe(page);
      const before = network.connects.length;
      const form = page.locator("form").filter({ has: page.getByLabel(token) });
      await form.getByRole("button", { name: save }).click();
      await settles(async () => expect(network.connects.length).toBeGreaterThan(before));
      await page.goto(`${s.server.consoleUrl}/phones`);
      await settles(async () => expect(await page.locator("option[value=BEEPER]").textContent()).toBe(kind));
    },
  );
});

describe("a phone that is linked", () => {
  const sessions = scriptedSessions();
  const s = useConsole({ simulated: false, plugins: [sessions.plugin] });

  test.each(SIZES)("2 is linked by a live QR code, and its state changes by itself: %s", async (size) => {
    const language = LANGUAGES[size];
    const words = WORDS[language];
    const { page } = await s.window.open({ person: s.people.owner, language, size });
    await page.goto(s.server.consoleUrl);
    const task = beginTask("2 link a phone and see it connected", 3, WIDTHS[size]);
    await task.click(
      page
        .getByRole("main")
        .getByRole("link", { name: /telefone|phone/i })
        .first(),
    );
    await task.click(page.getByRole("button", { name: words.add }).first());
    await axe(page);
    await task.click(page.getByRole("button", { name: words.go }));
    await page.locator(".pairing-qr img").waitFor();
    task.done();
    await shoot(page, `phone-linking-${size}`);
    await axe(page);
    await overflow(page);
    const [, id = ""] = /phones\/([\w-]+)/.exec(page.url()) ?? [];
    await sessions.of(id).scan("5511999990001");
    sessions.of(id).open();
    await page.locator(".phone-state .badge.good").waitFor();
    await settles(async () => expect(await page.locator(".phone-state").textContent()).toContain("+55"));
  });

  test("2 is linked by keyboard alone, and 4 its link is sent", async () => {
    const { page, context } = await s.window.open({ person: s.people.owner, language: "en" });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.clock.install();
    await page.goto(`${s.server.consoleUrl}/phones`);
    const keyboard = keyboardOf(page);
    await page.getByRole("button", { name: "Add a phone" }).first().waitFor();
    await keyboard.enter("Add a phone");
    await page.keyboard.type("By keyboard");
    await page.keyboard.press("Enter");
    await page.locator(".pairing-qr img").waitFor();
    await keyboard.enter("Type a code");
    await keyboard.reach(/Number of this phone/);
    await page.keyboard.type("+55 11 99999-0003");
    await page.keyboard.press("Enter");
    await page.locator(".pairing-code").waitFor();
    const [, id = ""] = /phones\/([\w-]+)/.exec(page.url()) ?? [];
    await page.getByText("Preparing the code").waitFor();
    await page.clock.fastForward(11_000);
    await page.getByText("No code has come from WhatsApp yet.").waitFor();
    await shootOnce(page, "phone-late");
    await axe(page);
    sessions.of(id).makeCode("ABCD1234");
    await page.getByText("ABCD-1234").waitFor();
    await axe(page);
    await page.reload();
    await page.getByRole("button", { name: "Send a link" }).waitFor();
    await keyboard.enter("Send a link");
    await page.locator(".copy-line code").waitFor();
  });

  test("the other ways to add a phone say what they need", async () => {
    const { page, faults } = await s.window.open({ person: s.people.owner, language: "es", size: "narrow" });
    faults.expect(/social\/oauth\/config/);
    await page.goto(`${s.server.consoleUrl}/phones`);
    await page.getByRole("button", { name: "Agregar teléfono" }).first().click();
    for (const [name, shown] of [
      ["WhatsApp oficial", "input[name='credentials.phoneNumberId']"],
      ["Instagram", ".notice"],
    ] as const) {
      await page.getByRole("radio", { name }).check({ force: true });
      await page.getByRole("dialog").locator(shown).waitFor();
      await shootOnce(page, `phone-add-${name}`);
      await axe(page);
      await overflow(page);
    }
  });

  test.each(SIZES)("4 is linked by somebody else, with a link: %s", async (size) => {
    const language = LANGUAGES[size];
    const { page, context } = await s.window.open({ person: s.people.owner, language, size });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(`${s.server.consoleUrl}/phones`);
    await page.getByRole("button", { name: WORDS[language].add }).first().click();
    await page.getByRole("textbox").first().fill("<b>Loja</b>");
    await page.keyboard.press("Enter");
    await page.locator(".pairing").waitFor();
    await page.goto(s.server.consoleUrl);
    const task = beginTask("4 send a colleague a pairing link", 3, WIDTHS[size]);
    await task.click(
      page
        .getByRole("main")
        .getByRole("link", { name: /telefone|phone/i })
        .first(),
    );
    await task.click(page.getByRole("link", { name: "<b>Loja</b>" }).first());
    await task.click(page.getByRole("button", { name: WORDS[language].share }));
    const url = (await page.locator(".copy-line code").textContent()) ?? "";
    task.done();
    const alone = size === "wide" ? /Ninguém mais consegue abrir este link/ : /Nobody else can open this link/;
    await page.getByRole("dialog").getByText(alone).waitFor();
    await settles(async () => expect(await page.evaluate("navigator.clipboard.readText()")).toBe(url));
    await shoot(page, `pairing-link-${size}`);
    await axe(page);
    const [, id = ""] = /phones\/([\w-]+)/.exec(page.url()) ?? [];
    const owner = await s.window.open({ language: "es", size });
    await owner.page.goto(url);
    await owner.page.locator(".pairing").waitFor();
    await shoot(owner.page, `pair-${size}`);
    await axe(owner.page);
    await overflow(owner.page);
    expect(await owner.page.content()).not.toContain("Loja");
    expect(await owner.context.cookies()).toEqual([]);
    await sessions.of(id).scan("5511999990009");
    sessions.of(id).open();
    await owner.page.locator(".pair-state svg.good").waitFor();
    await page.locator(".phone-state .badge.good").waitFor();
  });
});

describe("a phone that is connected", () => {
  const s = useConsole();

  test.each(SIZES)("3 sends a test message, whose steps are seen to happen: %s", async (size) => {
    const language = LANGUAGES[size];
    const { page } = await s.window.open({ person: s.people.owner, language, size });
    await page.goto(s.server.consoleUrl);
    const task = beginTask("3 send a test message and see it read", 3, WIDTHS[size]);
    await task.click(
      page
        .getByRole("main")
        .getByRole("link", { name: /telefone|phone/i })
        .first(),
    );
    await task.click(page.getByRole("link", { name: "Balcão" }).first());
    await page.getByLabel(language === "pt" ? "Para" : "To", { exact: true }).fill("5511999990042");
    await task.click(page.getByRole("button", { name: language === "pt" ? "Enviar" : "Send", exact: true }));
    await page.locator(".phone-steps li.done").nth(3).waitFor();
    task.done();
    await shoot(page, `phone-${size}`);
    await axe(page);
    await overflow(page);
  });

  test("its voice notes become text once its switch is on; who may only read sees which", async () => {
    const { page } = await s.window.open({ person: s.people.owner, language: "en" });
    const path = `${s.server.consoleUrl}/phones/${s.seeds.phoneId}`;
    const settings = () => gatewayOf(s.server, s.people)(`phones/${s.seeds.phoneId}/settings`);
    const form = page.locator("form", { has: page.locator("[name=transcribeVoice]") });
    const save = async (text: "voice" | "off") => {
      await form.getByRole("button", { name: "Save" }).click();
      await settles(async () => expect((await settings()).transcribeVoice).toBe(text));
    };
    await page.goto(path);
    await page.getByLabel("Turn received voice notes into text").check();
    await save("voice");
    const viewer = await s.window.open({ person: s.people.viewer, language: "es" });
    await viewer.page.goto(path);
    await viewer.page.getByText("Las notas de voz recibidas se convierten en texto.").waitFor();
    await axe(viewer.page);
    await page.getByLabel("Turn received voice notes into text").uncheck();
    await save("off");
  });

  test("the list is filtered by its address, and a phone is deleted after a question that says what is lost", async () => {
    const newcomer = await seedNewcomer(s.server);
    await seedAccount(s.server, { key: await s.server.issueKey(newcomer.accountId) });
    const { page, faults } = await s.window.open({ person: newcomer, language: "en" });
    faults.expect(/^answer: 404 GET .*\/phones\/[\w-]+$/); // an event of the deletion can precede its answer
    await page.goto(`${s.server.consoleUrl}/phones?status=CONNECTED`);
    await page.getByRole("link", { name: "Balcão" }).waitFor();
    await shoot(page, "phones");
    await axe(page);
    await overflow(page);
    await page.getByLabel("Search").fill("nothing like this");
    await page.getByRole("heading", { name: "No phone matches the filters" }).waitFor();
    await page.waitForURL(/search=nothing/);
    await page.getByRole("button", { name: "Clear the filters" }).click();
    await page.getByRole("link", { name: "Balcão" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog");
    await settles(async () => expect(await dialog.textContent()).toContain("cannot be undone"));
    await axe(page);
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "No phone yet" }).waitFor();
    await shoot(page, "phones-empty");
  });

  test("a viewer sees phones and no way to change them", async () => {
    const { page } = await s.window.open({ person: s.people.viewer, language: "es" });
    await page.goto(`${s.server.consoleUrl}/phones`);
    await page.getByRole("heading", { name: "Teléfonos", level: 1 }).waitFor();
    await isAbsent(page.getByRole("button", { name: "Agregar teléfono" }));
    await page.goto(`${s.server.consoleUrl}/keys`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await isAbsent(page.getByRole("button", { name: "Crear clave" }));
  });
});
