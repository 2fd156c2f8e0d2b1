import { describe, expect, test } from "bun:test";
import { untilTrue } from "../../../support/waiting.ts";
import { axe, overflow, shoot } from "../support/looks.ts";
import { goByNavigation } from "../support/navigation.ts";
import { seedNewcomer } from "../support/people.ts";
import { gatewayOf } from "../support/seeds.ts";
import { settles } from "../support/settled.ts";
import { beginTask, keyboardOf } from "../support/tasks.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole({ simulated: false, env: { RECADO_CALL_RING_TIMEOUT: "60" } });

const gateway = (path: string, body?: unknown, method?: string) => gatewayOf(s.server, s.people)(path, body, method);
const network = () => {
  const { graph } = s.server;
  if (!graph) throw new Error("these tests need the network of official numbers");
  return graph;
};

type Call = { id: string; status: string; peer: string };
const callOf = async (from: string): Promise<Call | undefined> =>
  (await gateway("calls")).items.find(({ peer }: Call) => peer === from);
/** A call that rings here. */
const rings = async (from: string): Promise<void> => {
  const { wabaPhoneNumberId } = await gateway(`phones/${s.seeds.phoneId}`);
  await network().calls.offer({ to: wabaPhoneNumberId, from });
};

const open = async (path: string, look: Parameters<typeof s.window.open>[0] = {}) => {
  const watched = await s.window.open({ person: s.people.owner, language: "en", ...look });
  await watched.page.goto(`${s.server.consoleUrl}${path}`);
  return watched.page;
};

test("without a call the page says what to expect", async () => {
  const page = await open("/calls", { language: "pt", person: await seedNewcomer(s.server) });
  await page.getByText("Nenhuma chamada ainda").waitFor();
  await axe(page);
  await shoot(page, "calls-empty");
});

describe.each(["wide", "narrow"] as const)("in a %s window", (size) => {
  test("a call that begins to ring appears by itself and is turned away in 3 clicks from the overview", async () => {
    const from = size === "wide" ? "5511999990031" : "5511999990032";
    const page = await open("/", { size });
    const task = beginTask("calls: turn one away", 3, size);
    await goByNavigation(page, "Calls", task);
    await page.getByRole("heading", { name: "Calls" }).waitFor();
    await rings(from);
    const ringing = page.getByRole("list", { name: "Ringing now" });
    await ringing.getByText(`+${from}`).waitFor();
    if (size === "wide") await shoot(page, "calls");
    await axe(page);
    await overflow(page);
    await task.click(ringing.getByRole("button", { name: "Turn away" }));
    await ringing.waitFor({ state: "detached" });
    task.done();
    await untilTrue(async () => (await callOf(from))?.status === "REJECTED");
    await page
      .getByRole("row")
      .filter({ hasText: `+${from}` })
      .getByText("Turned away")
      .waitFor();
  });
});

test("the filters are in the address, so that a link shows the same", async () => {
  await rings("5511999990041");
  await untilTrue(async () => (await callOf("5511999990041")) !== undefined);
  const page = await open("/calls");
  await page.getByLabel("State").selectOption("MISSED");
  await page.getByText("No call matches these filters.").waitFor();
  expect(page.url()).toContain("status=MISSED");
  const again = await open(`/calls${new URL(page.url()).search}`);
  await again.getByText("No call matches these filters.").waitFor();
  const call = await callOf("5511999990041");
  await gateway(`calls/${call?.id}/reject`, {});
});

test("one call has its times, its end, and its recording is played when somebody asks for it", async () => {
  await rings("5511999990051");
  await untilTrue(async () => (await callOf("5511999990051")) !== undefined);
  const call = await callOf("5511999990051");
  await gateway(`calls/${call?.id}/reject`, { reason: "busy" });
  const sound = new Blob(["OggS", new Uint8Array(64)], { type: "audio/ogg" });
  await fetch(`${s.server.gatewayUrl}/v1/calls/${call?.id}/recording`, {
    method: "POST",
    headers: { "x-api-key": s.people.key, "content-type": "audio/ogg" },
    body: sound,
  });
  const page = await open(`/calls/${call?.id}`);
  await page.getByText("Turned away").waitFor();
  await axe(page);
  await shoot(page, "call");
  await page.getByRole("button", { name: "Listen" }).click();
  await page.locator("audio").waitFor();
  await settles(async () => expect(await page.locator("audio").getAttribute("src")).toStartWith("blob:"));
});

test("whether somebody may be called is asked, and asking them is one more click", async () => {
  const page = await open("/calls");
  await page.getByRole("button", { name: "May I call?" }).click();
  await page.getByLabel("Number").fill("+5511999990061");
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByText("This person has not allowed calls.").waitFor();
  await axe(page);
  await page.getByRole("button", { name: "Ask for permission" }).click();
  await page.getByText("The question is sent.").waitFor();
});

test("by keyboard alone a call is turned away", async () => {
  const page = await open("/");
  await page.getByRole("link", { name: "Calls", exact: true }).waitFor();
  const keyboard = keyboardOf(page);
  await keyboard.enter(/^Calls$/);
  await page.getByRole("heading", { name: "Calls" }).waitFor();
  await rings("5511999990071");
  await page.getByRole("list", { name: "Ringing now" }).getByText("+5511999990071").waitFor();
  await keyboard.enter("Turn away");
  await untilTrue(async () => (await callOf("5511999990071"))?.status === "REJECTED");
});
