import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { untilTrue } from "../../../support/waiting.ts";
import { axe, overflow, shoot } from "../support/looks.ts";
import { goByNavigation } from "../support/navigation.ts";
import { gatewayOf, HOSTILE } from "../support/seeds.ts";
import { isAbsent, settles } from "../support/settled.ts";
import { beginTask } from "../support/tasks.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole({ simulated: false });

const gateway = (path: string, body?: unknown, method?: string) => gatewayOf(s.server, s.people)(path, body, method);
const network = () => {
  const { graph } = s.server;
  if (!graph) throw new Error("these tests need the network of official numbers");
  return graph;
};
type Made = { id: string; upstreamGroupId: string };
const group = (more: object = {}): Promise<Made> =>
  gateway("groups", { phoneId: s.seeds.phoneId, subject: "Clube do pão", ...more });

beforeAll(() => network().configure({ groupUpdate: "at-once" }));
let club: Made;
beforeEach(async () => {
  club = await group({ joinApprovalMode: "APPROVAL_REQUIRED" });
});

const open = async (path: string, look: Parameters<typeof s.window.open>[0] = {}) => {
  const watched = await s.window.open({ person: s.people.owner, language: "en", ...look });
  await watched.page.goto(`${s.server.consoleUrl}${path}`);
  return watched.page;
};

describe.each(["wide", "narrow"] as const)("in a %s window", (size) => {
  test("a request to join is answered in 4 clicks from the overview, and the page follows by itself", async () => {
    const subject = `Fornada ${size}`;
    const { upstreamGroupId } = await group({ subject, joinApprovalMode: "APPROVAL_REQUIRED" });
    await network().groups.join(upstreamGroupId, "5511999990011");
    const page = await open("/", { size });
    const task = beginTask("groups: let somebody in", 4, size);
    await goByNavigation(page, "Groups", task);
    await task.click(page.getByRole("link", { name: subject }));
    await task.click(page.getByRole("button", { name: "Let in", exact: true }));
    await page.getByRole("list", { name: "People" }).getByText("+5511999990011").waitFor();
    task.done();
    await axe(page);
    await overflow(page);
    if (size === "wide") await shoot(page, "group");
  });
});

test("a group is made and shown at once; the list has it", async () => {
  const page = await open("/groups");
  await page.getByRole("button", { name: "Create a group" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Entregas");
  await axe(page);
  await dialog.getByRole("button", { name: "Create a group" }).click();
  await page.getByRole("heading", { name: "Entregas" }).waitFor();
  await page.getByRole("link", { name: "← Groups" }).click();
  await page.getByRole("link", { name: "Entregas" }).waitFor();
  await axe(page);
  await shoot(page, "groups");
});

test("a text is sent to the group, and the field is empty again", async () => {
  const { id, upstreamGroupId } = await group();
  await network().groups.join(upstreamGroupId, "5511999990015"); // the network refuses a group of one
  const page = await open(`/groups/${id}`);
  await page.getByRole("list", { name: "People" }).getByText("+5511999990015").waitFor();
  await page.getByLabel("Message").fill("Pão quente às 17h");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("The message is accepted.").waitFor();
  await settles(async () => expect(await page.getByLabel("Message").inputValue()).toBe(""));
  await untilTrue(() => [...network().sent.values()].some(({ groupId }) => groupId === upstreamGroupId), 20_000);
});

test("a new invite link asks once and says what stops working", async () => {
  const { inviteLink } = await gateway(`groups/${club.id}`);
  const page = await open(`/groups/${club.id}`);
  await page.getByText(inviteLink).waitFor();
  await page.getByRole("button", { name: "New link" }).click();
  await page.getByText("stops working at once").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "New link" }).click();
  await page.getByText(inviteLink).waitFor({ state: "detached" });
  expect((await gateway(`groups/${club.id}`)).inviteLink).not.toBe(inviteLink);
});

test("a person is removed after one question, which names them", async () => {
  const { id, upstreamGroupId } = await group();
  await network().groups.join(upstreamGroupId, "5511999990021");
  const page = await open(`/groups/${id}`);
  await page.getByRole("button", { name: "Remove from the group: +5511999990021" }).click();
  await page.getByText("+5511999990021 no longer sees").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Remove from the group" }).click();
  await page
    .getByRole("list", { name: "People" })
    .getByText("+5511999990021", { exact: true })
    .waitFor({ state: "detached" });
});

test("what the network does not offer is said in words, and changes nothing", async () => {
  const watched = await s.window.open({ person: s.people.owner, language: "en" });
  watched.faults.expect(/\/leave/);
  await watched.page.goto(`${s.server.consoleUrl}/groups/${club.id}`);
  await watched.page.getByRole("button", { name: "Leave" }).click();
  await watched.page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await watched.page.getByRole("alert").waitFor();
  expect((await gateway(`groups/${club.id}`)).id).toBe(club.id);
});

test("hostile names are text, in the list and on the page", async () => {
  const { id } = await group({ subject: HOSTILE.html.slice(0, 128), description: HOSTILE.long.slice(0, 2048) });
  await group({ subject: HOSTILE.emoji });
  const page = await open("/groups", { size: "narrow", language: "es" });
  await page.getByRole("link", { name: HOSTILE.emoji }).waitFor();
  await overflow(page);
  await page.goto(`${s.server.consoleUrl}/groups/${id}`);
  await page.getByText("Enlace de invitación").waitFor();
  await overflow(page);
  await axe(page);
  expect(await page.title()).not.toBe("ran");
});

test("who may not change groups sees no way to", async () => {
  const page = await open(`/groups/${club.id}`, { person: s.people.viewer });
  await page.getByRole("heading", { level: 1 }).waitFor();
  await isAbsent(page.getByRole("button", { name: /Leave|Delete|Let in|Send|Add people/ }));
});
