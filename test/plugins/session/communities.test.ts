import { expect, test } from "bun:test";
import type { CommunitiesApi, GroupsApi } from "../../../src/contract/abilities/groups.ts";
import { received, receivingChannel } from "../../support/session/receiving.ts";

const channel = receivingChannel();
const groups = () => channel().link.groups as GroupsApi;
const communities = () => groups().communities as CommunitiesApi;

const community = async (): Promise<string> => {
  const made = await communities().create({ subject: "Bairro", description: "todos" });
  if (!made.ok) throw new Error(JSON.stringify(made));
  await received(channel().host, "group", 2);
  return made.value.groupId;
};
const group = async (more: object = {}): Promise<string> => {
  const { host } = channel();
  const before = host.events.filter(({ kind }) => kind === "group").length;
  const made = await groups().create({ subject: "Entregas", joinApprovalMode: "AUTO_APPROVE", ...more });
  if (!made.ok) throw new Error(JSON.stringify(made));
  const found = (await received(host, "group", before + 1)).find(
    (event) => event.what === "created" && event.requestId === made.value.requestId,
  );
  return found?.what === "created" ? found.groupId : "";
};
const linkedOf = async (id: string) => {
  const found = await communities().linkedGroups(id);
  return found.ok ? found.value.map(({ groupId, isAnnouncementGroup }) => [groupId, isAnnouncementGroup]) : found;
};

test("a community is made with its announcement group, and both say what they are", async () => {
  const id = await community();
  const events = await received(channel().host, "group", 2);
  expect(events.map((event) => event.what === "created" && event.community)).toEqual([
    { isCommunity: true },
    { communityId: id, isAnnouncementGroup: true },
  ]);
  expect(await groups().read(id)).toMatchObject({ value: { description: "todos", community: { isCommunity: true } } });
  expect(await linkedOf(id)).toEqual([[expect.any(String), true]]);
});

test("a group is linked, made inside and unlinked; each is reported by the community and by the group", async () => {
  const { host, ana } = channel();
  const id = await community();
  const other = await group({ participants: [ana.pn] });
  expect(await communities().link(id, other)).toEqual({ ok: true, value: true });
  expect(await groups().read(other)).toMatchObject({ value: { community: { communityId: id } } });
  const inside = await group({ subject: "Dentro", communityId: id });
  expect(await groups().read(inside)).toMatchObject({ value: { community: { communityId: id } } });
  expect(((await linkedOf(id)) as unknown[]).length).toBe(3);
  const people = await communities().participants(id);
  expect(new Set(people.ok ? people.value : [])).toEqual(new Set([channel().phone.pn ?? "", ana.pn ?? ""]));
  expect(await communities().unlink(id, other)).toEqual({ ok: true, value: true });
  const unlinked = () => host.events.filter((event) => event.kind === "group" && event.what === "unlinked");
  await host.until(() => unlinked().length >= 2);
  for (const event of unlinked()) expect(event).toMatchObject({ groupId: other, communityId: id });
});

test("what the network refuses is refused in words, and nothing is linked", async () => {
  const { ana, phone, net } = channel();
  const id = await community();
  const theirs = net.group({ subject: "De Ana", members: [ana, phone], owner: ana });
  const refusal = (code: number) => ({ ok: false, kind: "refused", error: { code, message: expect.any(String) } });
  expect(await communities().link(id, theirs.jid)).toMatchObject(refusal(403));
  expect(await communities().link(id, "120363000@g.us")).toMatchObject(refusal(404));
  const own = await group();
  await communities().link(id, own);
  expect(await communities().link(id, own)).toMatchObject(refusal(409));
  expect(await communities().unlink(id, theirs.jid)).toMatchObject(refusal(404));
  const [announcements] = (await linkedOf(id)) as [string, boolean][];
  expect(await communities().unlink(id, announcements?.[0] ?? "")).toMatchObject(refusal(406));
  expect(await communities().linkedGroups(own)).toMatchObject({ kind: "refused" });
  expect(theirs.group.parent).toBeUndefined();
});

test("an ended community leaves its groups, and takes its announcements with it", async () => {
  const { host } = channel();
  const id = await community();
  const own = await group();
  await communities().link(id, own);
  expect(await communities().deactivate(id)).toEqual({ ok: true, value: true });
  await host.until(
    () => host.events.filter((event) => event.kind === "group" && event.what === "deleted").length === 2,
  );
  expect(await groups().read(own)).toMatchObject({ ok: true, value: { community: {} } });
  expect(await groups().read(id)).toMatchObject({ kind: "refused" });
});

test("a community counts as a new group of the day", async () => {
  for (let count = 0; count < 5; count++)
    expect(await communities().create({ subject: "x" })).toMatchObject({ ok: true });
  expect(await communities().create({ subject: "x" })).toMatchObject({ isOwnLimit: true, mayHaveHappened: false });
  expect(await groups().create({ subject: "x", joinApprovalMode: "AUTO_APPROVE" })).toMatchObject({ isOwnLimit: true });
});
