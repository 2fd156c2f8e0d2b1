import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import sharp from "sharp";
import { WAHA_ENV, wahaClientOf, wahaSays } from "../../support/apis/waha.ts";
import { pairedPhone, type SessionWorld, sessionWorld } from "../../support/session/world.ts";
import { made } from "../../support/tenants/platform.ts";

let s: SessionWorld;
beforeAll(async () => {
  s = await sessionWorld(WAHA_ENV);
});
afterAll(() => s.stop());
afterEach(() => expect(s.net.stat.unhandled).toEqual([]));

const setup = async () => {
  const { customer, owner } = await pairedPhone(s);
  const client = wahaClientOf(s.w, customer);
  const [ana, bia] = [s.contact(), s.contact()];
  const idOf = ({ pn }: { pn?: string | undefined }) => ({ id: `${pn}@c.us` });
  const { id } = made(
    await client.ask("/api/{session}/groups", { body: { name: "Família", participants: [idOf(ana)] } }),
    201,
  );
  const group = `/api/{session}/groups/${id}`;
  const of = () => {
    const found = s.net.groupOf(id);
    if (!found) throw new Error("no group");
    return found.group;
  };
  const ask = (path: string, body?: object, method = body === undefined ? "GET" : "PUT") =>
    client.ask(`${group}${path}`, { method, ...(body === undefined ? {} : { body }) });
  return { customer, owner, client, ana, bia, id, idOf, of, ask };
};

describe("groups", () => {
  test("are made, listed by their ids, counted, and read as the network has them", async () => {
    const { client, id, ask, ana, owner } = await setup();
    const other = s.net.group({ subject: "Feira", members: [owner, ana], owner: ana });
    const list = (await client.ask("/api/{session}/groups?sortBy=subject&sortOrder=desc")).body;
    expect(Object.keys(list)).toEqual([other.jid, id]);
    expect(list[id]).toMatchObject({ id, subject: "Família", size: 2, announce: false });
    expect(list[id].participants).toContainEqual({ id: `${ana.pn}@c.us`, admin: null });
    const bare = (await client.ask("/api/{session}/groups?exclude=participants&limit=1")).body;
    expect(Object.values(bare)).toHaveLength(1);
    expect(Object.values(bare)[0]).not.toHaveProperty("participants");
    expect((await client.ask("/api/{session}/groups/count")).body).toEqual({ count: 2 });
    const refreshed = await client.ask("/api/{session}/groups/refresh", { method: "POST" });
    expect([refreshed.status, refreshed.body]).toEqual([200, { success: true }]);
    expect((await ask("")).body).toMatchObject({ id, subject: "Família" });
  });

  test("are seen and joined by the code of a link", async () => {
    const { client, ana, owner } = await setup();
    const theirs = s.net.group({ subject: "Feira", members: [ana], owner: ana });
    const code = theirs.group.invite;
    const seen = await client.ask(`/api/{session}/groups/join-info?code=${code}`);
    expect([seen.status, seen.body]).toMatchObject([200, { id: theirs.jid, subject: "Feira", size: 1 }]);
    expect(theirs.group.members.has(owner.account)).toBe(false);
    const joined = await client.ask("/api/{session}/groups/join", {
      body: { code: `https://chat.whatsapp.com/${code}` },
    });
    expect([joined.status, joined.body]).toEqual([200, { id: theirs.jid }]);
    expect(theirs.group.members.has(owner.account)).toBe(true);
  });

  test("change their subject, description, picture and rules at the network", async () => {
    const { ask, of } = await setup();
    expect((await ask("/subject", { subject: "Nova" })).body).toBe(true);
    expect((await ask("/description", { description: "Avisos" })).body).toBe(true);
    expect((await ask("")).body).toMatchObject({ subject: "Nova", desc: "Avisos" });
    for (const [rule, body] of [
      ["info-admin-only", { adminsOnly: true }],
      ["messages-admin-only", { adminsOnly: true }],
      ["member-add-mode", { membersCanAddNewMember: false }],
      ["membership-approval", { newMembersApprovalRequired: true }],
    ] as const) {
      expect((await ask(`/settings/security/${rule}`, body)).body).toBe(true);
      expect((await ask(`/settings/security/${rule}`)).body).toEqual(body);
    }
    expect((await ask("")).body).toMatchObject({ restrict: true, announce: true });
    expect(of().settings.has("membership_approval_mode")).toBe(true);
    const bytes = await sharp({ create: { width: 64, height: 64, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const file = { mimetype: "image/png", filename: "a.png", data: bytes.toString("base64") };
    expect((await ask("/picture", { file })).body).toEqual({ success: true });
    expect((await ask("/picture")).body.url).toStartWith("https://");
    expect((await ask("/picture", undefined, "DELETE")).body).toEqual({ success: true });
    for (const bad of [{}, { url: "https://x.example/a.png", data: "AAAA" }, { url: "http://10.0.0.1/a.png" }])
      expect((await ask("/picture", { file: bad })).status).toBe(400);
  });

  test("people are added, removed and made administrators, each with the network's number", async () => {
    const { ask, ana, bia, idOf, of } = await setup();
    bia.account.isInvitedOnly = true;
    const participants = [ana, bia, { pn: "5511900009999" }].map(idOf);
    const added = await ask("/participants/add", { participants }, "POST");
    expect([added.status, added.body.map(({ status }: any) => status)]).toEqual([200, ["409", "403", "404"]]);
    const one = { participants: [idOf(ana)] };
    expect((await ask("/admin/promote", one, "POST")).body).toMatchObject([{ jid: `${ana.pn}@c.us`, status: "200" }]);
    expect((await ask("/participants/v2")).body).toContainEqual({
      id: `${ana.pn}@c.us`,
      pn: `${ana.pn}@c.us`,
      role: "admin",
    });
    expect((await ask("/admin/demote", one, "POST")).body).toMatchObject([{ status: "200" }]);
    expect((await ask("/participants")).body).toContainEqual({ id: `${ana.pn}@c.us`, admin: null });
    expect((await ask("/participants/remove", one, "POST")).body).toMatchObject([{ status: "200" }]);
    expect(of().members.has(ana.account)).toBe(false);
    expect((await ask("/participants/add", { participants: [] }, "POST")).status).toBe(400);
  });

  test("people are named by the hidden ids under which a group shows them", async () => {
    const { client, ask, ana, bia, of } = await setup();
    const hidden = ({ lid }: { lid: string }) => ({ participants: [{ id: `${lid}@lid` }] });
    const says = async (path: string, one: { lid: string }) => {
      const { body, status } = await ask(path, hidden(one), "POST");
      return [status, body[0]?.status];
    };
    await s.net.until(() => of().members.has(ana.account));
    expect(await says("/participants/add", bia)).toEqual([200, "200"]);
    expect(await says("/admin/promote", ana)).toEqual([200, "200"]);
    expect(await says("/participants/remove", ana)).toEqual([200, "200"]);
    expect([of().members.has(bia.account), of().members.has(ana.account)]).toEqual([true, false]);
    const other = await client.ask("/api/{session}/groups", { body: { name: "Feira", ...hidden(ana) } });
    expect([other.status, s.net.groupOf(other.body.id)?.group.members.has(ana.account)]).toEqual([201, true]);
  });

  test("the code of the link is read, revoked, and a group is left", async () => {
    const { ask, of, owner } = await setup();
    const before = (await ask("/invite-code")).text;
    expect(before).toContain(of().invite);
    const after = (await ask("/invite-code/revoke", {}, "POST")).text;
    expect(after).toContain(of().invite);
    expect(after).not.toBe(before);
    expect((await ask("/leave", {}, "POST")).status).toBe(200);
    expect(of().members.has(owner.account)).toBe(false);
    expect((await ask("")).status).toBe(404);
  });

  test("the group of another session does not exist, and nothing of it changes", async () => {
    const { id, of } = await setup();
    const { customer } = await pairedPhone(s);
    const stranger = wahaClientOf(s.w, customer);
    for (const [path, method, body] of [
      ["", "GET", undefined],
      ["/subject", "PUT", { subject: "Minha" }],
      ["/leave", "POST", {}],
      ["/invite-code", "GET", undefined],
    ] as const)
      expect(
        wahaSays(await stranger.ask(`/api/{session}/groups/${id}${path}`, { method, ...(body ? { body } : {}) })),
      ).toBe("404 There is no such group.");
    expect(of().subject).toBe("Família");
  });
});
