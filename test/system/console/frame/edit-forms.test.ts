import { beforeAll, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { BUILT_IN_TOOLS } from "../../../../src/core/ai/tools/built-in-names.ts";
import { LLM_KEY } from "../../../support/llm/index.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { type EditForm, FORMS } from "../support/edit-forms.ts";
import { axe } from "../support/looks.ts";
import { consoleHeaders } from "../support/people.ts";
import { gatewayOf } from "../support/seeds.ts";
import { settles } from "../support/settled.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole({ simulated: false, env: { RECADO_CLOUD_URL: "on" } });

const gateway = (path: string, body?: unknown, method?: string): Promise<any> =>
  gatewayOf(s.server, s.people)(path, body, method);

type Role = "operator" | "owner" | "viewer";
/** A call through the door of the console. */
const asPerson = async (role: Role, path: string, body?: object, method?: string): Promise<any> => {
  const { context } = await s.window.open({ person: s.people[role] });
  const answer = await context.request.fetch(`${s.server.consoleUrl}${path}`, {
    method: method ?? (body ? "POST" : "GET"),
    headers: consoleHeaders(s.server),
    ...(body ? { data: body } : {}),
  });
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
  const text = await answer.text();
  return text === "" ? undefined : JSON.parse(text);
};

const asOperator = (path: string, body?: object): Promise<any> => asPerson("operator", path, body);

/**
 * A form on a record with no field at its default. `read`: the record, as an API shows it. `show`: what leads from the
 * page to the form. `blank`: fields that are empty or off on purpose, such as a secret that is never shown again.
 */
type Case = {
  as?: Role;
  path: string;
  read(): Promise<unknown>;
  show?(page: Page): Promise<void>;
  form?(page: Page): Locator;
  blank?: readonly string[];
};

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first().click();
const unfold = (page: Page, summary: string) => page.locator("summary", { hasText: summary }).first().click();
const inDialog = (page: Page): Locator => page.getByRole("dialog").locator("form");

const MINUTE_MS = 60_000;

/** TABLE: how each form is come by. Each makes its record. */
const CASES: Record<EditForm, () => Promise<Case>> = {
  async webhook() {
    const { id } = await gateway("webhooks", {
      label: "ERP  da loja ",
      url: "http://127.0.0.1:9/erp",
      secret: "um-segredo-bem-comprido",
      events: ["message:received", "channel:connected"],
      allPhones: false,
      ordering: "chat",
    });
    const show = async (page: Page) => {
      await press(page, "Edit");
      // a webhook of some events begins with "keep them", which is the first
      await settles(async () => expect(await inDialog(page).locator("select[name=events]").inputValue()).toBe("kept"));
    };
    return {
      path: `/webhooks/${id}`,
      read: () => gateway(`webhooks/${id}`),
      show,
      form: inDialog,
      blank: ["secret", "events"],
    };
  },
  async "canned reply"() {
    const text = "Oi, {{contact.firstName}}!\n\nAbrimos às 8h. ";
    const { id } = await gateway("canned-replies", { shortcut: "horário", text });
    return {
      path: "/canned-replies",
      read: () => gateway(`canned-replies/${id}`),
      show: (page) => press(page, "Change the canned reply: /horário"),
      form: inDialog,
    };
  },
  async profile() {
    await asPerson("viewer", "/profile", { language: "es", theme: "dark" }, "PATCH");
    const read = async () => (await asPerson("viewer", "/profile")).person;
    return {
      as: "viewer",
      path: "/profile",
      read,
      form: (page) => page.locator("form", { has: page.locator("input[name=name]") }),
    };
  },
  async account() {
    await asOperator("/gateway/v1/admin/plans", { code: "zebra", kind: "custom" });
    const { id } = await asOperator("/gateway/v1/admin/accounts", {
      name: "Padaria do João",
      planCode: "zebra",
      billingEmail: "conta@padaria.example",
      wabaMarkupPct: 12.5,
    });
    return {
      as: "operator",
      path: `/accounts/${id}`,
      read: () => asOperator(`/gateway/v1/admin/accounts/${id}`),
      show: (page) => press(page, "Change"),
      form: inDialog,
    };
  },
  "plan of an institution": async () => ({
    as: "operator",
    path: `/accounts/${s.people.institution.id}`,
    read: async () => {
      const { items } = await asOperator("/gateway/v1/admin/accounts?kind=institution");
      return items.find(({ id }: { id: string }) => id === s.people.institution.id).institutionPlan;
    },
    form: (page) => page.locator("form", { has: page.locator("select[name=plan]") }),
  }),
  async "provider of models"() {
    const stored = {
      apiKey: LLM_KEY,
      baseUrl: `${s.server.llm.url}/`,
      defaultModel: "own-model",
      embeddingModel: "own-embedding",
      embeddingBaseUrl: `${s.server.llm.url}/own`,
      embeddingApiKey: "sk-for-embeddings",
      transcriptionModel: "own-ears",
      transcriptionLanguage: "pt",
      speechModel: "own-mouth",
      dailyTokens: 77_777,
    };
    await gateway("account/integrations/llm", stored, "PATCH");
    return {
      path: "/agents",
      read: () => gateway("account/integrations/llm"),
      show: (page) => press(page, "Language model"),
      form: inDialog,
      blank: ["apiKey", "embeddingApiKey"],
    };
  },
  async agent() {
    const path = `phones/${s.seeds.phoneId}/ai-agent`;
    const stored = {
      systemPrompt: "  Você atende os clientes da padaria.\r\n\r\nSeja breve. \n",
      greeting: " Oi! ",
      model: "own-model",
      enabled: false,
      respectHours: true,
      closedText: " Estamos fechados.\r\n",
      builtInTools: BUILT_IN_TOOLS,
      runTrialsOnChange: true,
      transcribesVoice: true,
      speaks: true,
      voice: "coral",
      sees: { images: true, documents: true },
      handoffRules: { keywords: [" gerente ", "uma pessoa"], afterTurns: 7 },
      contextWindowTurns: 3,
      ragTopK: 2,
      conversationTtlDays: 5,
      budget: { dailyTokens: 12_345, dailyTokensPerContact: 1234 },
    };
    await gateway(path, stored, "PUT");
    const show = (page: Page) => page.locator("form details").first().locator("summary").click();
    const form = (page: Page) => page.locator("form", { has: page.locator("[name=systemPrompt]") });
    return { path: `/agents/${s.seeds.phoneId}/settings`, read: () => gateway(path), show, form };
  },
  async "questions of an agent"() {
    const path = `phones/${s.seeds.phoneId}/ai-agent`;
    await gateway(path, { systemPrompt: "Você atende os clientes da padaria." }, "PUT");
    const hard = { text: 'O que é "pão; quente"?', facts: ["a;b", 'c "d"', "e,f"] };
    await gateway(`${path}/trials`, { questions: [hard, { text: "Quem é o dono?", expectUnknown: true }] }, "PUT");
    return { path: `/agents/${s.seeds.phoneId}/trials`, read: () => gateway(`${path}/trials`) };
  },
  async "plan of prices"() {
    const plan = {
      monthlyFeeCents: 9900,
      includedMessages: 1000,
      overageCents: 3,
      perMessageCents: 2,
      perPhoneMonthCents: 500,
    };
    await asOperator("/gateway/v1/admin/plans", { code: "crescer", kind: "custom", ...plan });
    const read = async () => {
      const plans = await asOperator("/gateway/v1/admin/plans");
      return plans.find(({ code }: { code: string }) => code === "crescer");
    };
    const show = (page: Page) => page.getByRole("button", { name: /crescer/ }).click();
    return { as: "operator", path: "/billing/plans", read, show, form: inDialog };
  },
  async contact() {
    const { id } = await gateway("contacts", {
      phoneNumber: "5511977770077",
      name: "Zoé, da esquina",
      email: "zoe@example.com",
      tags: ["vip, ouro", "bairro"],
      metadata: { debt: 12.5, "a: b": "c\nd", isRegular: true, address: { city: "Recife" } },
    });
    return {
      path: `/contacts/${id}`,
      read: () => gateway(`contacts/${id}`),
      show: (page) => press(page, "Change"),
      form: inDialog,
    };
  },
  async group() {
    const { graph } = s.server;
    graph?.configure({ groupUpdate: "at-once" });
    const { id } = await gateway("groups", {
      phoneId: s.seeds.phoneId,
      subject: "Clube do pão",
      description: "Fornadas\nda semana",
      joinApprovalMode: "APPROVAL_REQUIRED",
    });
    return {
      path: `/groups/${id}`,
      read: () => gateway(`groups/${id}`),
      show: (page) => press(page, "Change"),
      form: inDialog,
    };
  },
  async "assignment of a chat"() {
    await untilTrue(async () => (await gateway("chats")).items.length > 0);
    const [{ id }] = (await gateway("chats")).items;
    const { items } = await gateway("chats/assignees");
    await gateway(`chats/${id}/assign`, { userId: items.at(-1).userId, note: " volta às 10 " });
    return {
      path: `/inbox/${id}`,
      read: () => gateway(`chats/${id}`),
      show: (page) => press(page, "Details"),
      form: (page) => page.locator(".chat-details form"),
    };
  },
  async "Cloud API of a phone"() {
    const path = `phones/${s.seeds.phoneId}/cloud-api`;
    await gateway(path, { displayPhoneNumber: "5511900000001", templatesAsText: true }, "PATCH");
    return {
      path: `/phones/${s.seeds.phoneId}`,
      read: () => gateway(path),
      show: (page) => unfold(page, "How programs see the phone"),
      form: (page) => page.locator("form", { has: page.locator("[name=templatesAsText]") }),
    };
  },
  async "business hours"() {
    const times = [{ from: "08:00", to: "24:00" }];
    const weekly = Object.fromEntries(
      ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"].map((day) => [day, times]),
    );
    const dates = [{ date: "2027-12-24", times }];
    const stored = { timeZone: "America/Manaus", weekly, holidays: "AND_OPTIONAL", dates };
    await gateway("business-hours", stored, "PUT");
    return {
      path: "/phones",
      read: async () => (await gateway("business-hours")).hours,
      show: (page) => unfold(page, "Change the hours"),
      form: (page) => page.locator("form", { has: page.locator("[name=timeZone]") }),
    };
  },
  async "voice notes of a phone"() {
    const path = `phones/${s.seeds.phoneId}/settings`;
    await gateway(path, { transcribeVoice: "voice" }, "PATCH");
    return {
      path: `/phones/${s.seeds.phoneId}`,
      read: () => gateway(path),
      form: (page) => page.locator("form", { has: page.locator("[name=transcribeVoice]") }),
    };
  },
  async "scheduled message"() {
    const { scheduledMessageId, id = scheduledMessageId } = await gateway("messages/scheduled", {
      scheduledAt: new Date(Date.now() + 90 * MINUTE_MS).toISOString().replace(/\d\d\.\d\d\dZ$/, "47.123Z"),
      payload: { phoneId: s.seeds.phoneId, to: "5511977770001", type: "text", content: { text: "Oi" } },
    });
    return {
      path: `/scheduled/${id}`,
      read: () => gateway(`messages/scheduled/${id}`),
      show: (page) => press(page, "Move"),
      form: inDialog,
      blank: ["respectHours"], // how the new time is read, and no part of the record
    };
  },
  async template() {
    const components = [
      { type: "HEADER", format: "TEXT", text: "Olá {{1}}!", example: { header_text: ["Ana"] } },
      { type: "BODY", text: "Seu pedido {{1}} saiu. ", example: { body_text: [["1042"]] } },
      { type: "FOOTER", text: "Padaria" },
      {
        type: "BUTTONS",
        buttons: [
          { type: "URL", text: "Ver", url: "https://example.com/{{1}}", example: ["https://example.com/1"] },
          { type: "COPY_CODE", example: "PAO10" },
        ],
      },
    ];
    const names = { name: "oferta", language: "en", category: "MARKETING" };
    const { id, upstreamTemplateId } = await gateway("templates", { phoneId: s.seeds.phoneId, ...names, components });
    await s.server.graph?.reviewTemplate(upstreamTemplateId, "APPROVED");
    await untilTrue(async () => (await gateway(`templates/${id}`)).status === "APPROVED");
    const read = async () => {
      const { category, components: stored } = await gateway(`templates/${id}`);
      return { category, components: stored };
    };
    return {
      path: `/templates/${id}/change`,
      read,
      form: (page) => page.locator("form", { has: page.locator("[name=category]") }),
      blank: ["maxPrice"], // the network is told it, and no part of the record
    };
  },
};

/** The fields of a form that show nothing, the first of their choices, or are off. */
const blankFields = (form: Locator): Promise<string[]> =>
  form
    .locator("input:enabled, textarea:enabled, select:enabled")
    .evaluateAll((fields: any[]) =>
      fields
        .filter(({ localName, selectedIndex, type, checked, value }) =>
          localName === "select" ? selectedIndex === 0 : type === "checkbox" ? !checked : value === "",
        )
        .map(({ name, id }) => name || id),
    );
/** What depends on the time alone. */
const sameRecord = (record: unknown): unknown => {
  if (typeof record !== "object" || record === null) return record;
  const { updatedAt: _, ...rest } = record as { updatedAt?: string };
  return rest;
};

beforeAll(() =>
  expect(Object.keys(CASES).length).toBe(
    Object.values(FORMS).flatMap((one) => ("edits" in one ? one.edits : [])).length,
  ),
);

test.each(Object.keys(CASES) as EditForm[])(
  "%s: a form that shows a record with no field at its default is saved untouched, and changes nothing",
  async (name) => {
    const {
      as = "owner",
      path,
      read,
      show,
      form = (at) => at.locator("form").last(),
      blank = [],
    } = await CASES[name]();
    const before = await read();
    const { page } = await s.window.open({ person: s.people[as], language: "en" });
    await page.goto(`${s.server.consoleUrl}${path}`);
    await page.locator("h1").first().waitFor();
    await show?.(page);
    const shown = form(page);
    await shown.waitFor();
    expect((await blankFields(shown)).filter((field) => !blank.includes(field))).toEqual([]);
    await axe(page);
    const saved = page.waitForResponse((one) => one.request().method() !== "GET" && !one.url().endsWith("/read"));
    await shown.locator("button[type=submit]").click();
    const answer = await saved;
    expect(answer.ok() ? "taken" : await answer.text()).toBe("taken");
    expect(sameRecord(await read())).toEqual(sameRecord(before));
  },
);
