import { expect, test } from "bun:test";
import { joined, made, rowsOf, sendText, tokenIn } from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";

const w = useWorld();

const add = (token: string, institutionId: string, email: unknown) =>
  w.platform(`/v1/institutions/${institutionId}/members`, { token, body: { email } });
const accept = (token: string, invitation: string) =>
  w.platform("/v1/auth/accept-invitation", { token, body: { token: invitation } });
const activeMember = ({ userId, email }: { userId: string; email: string }, role: string) => ({
  userId,
  name: "A User",
  email,
  role,
  state: "active",
});
const list = (token: string, institutionId: string) =>
  w.platform(`/v1/institutions/${institutionId}/members`, { token });
const remove = (token: string, institutionId: string, userId: string) =>
  w.platform(`/v1/institutions/${institutionId}/members/${userId}`, { token, method: "DELETE" });

test("P-075 a further institution has its maker as its member, who has to choose at the next login", async () => {
  const first = await w.institution();
  w.clock.advance(1); // institutions are in the order of joining
  const { status, body } = await w.platform("/v1/institutions", { token: first.token, body: { name: "Second" } });
  expect([status, body]).toEqual([201, { id: expect.any(String), name: "Second" }]);
  const login = made(await w.platform("/v1/auth/login", { body: { email: first.email, password: "password-1" } }), 200);
  expect(login.institutions.map((one: { id: string }) => one.id)).toEqual([first.id, body.id]);
  const second = made(
    await w.platform("/v1/auth/select-institution", { token: login.token, body: { institutionId: body.id } }),
    200,
  );
  expect((await list(second.token, body.id)).body).toEqual({ data: [activeMember(first, "OWNER")] });
});

test("P-009 GAP-P01 an invited person, known or not, is listed as invited; on acceptance as a member, and both see both", async () => {
  const [owner, guest] = [await w.institution(), await w.institution()];
  w.clock.advance(1); // members are in the order of joining
  const answers = [
    await add(owner.token, owner.id, ` ${guest.email.toUpperCase()} `),
    await add(owner.token, owner.id, "nobody@example.com"),
  ];
  for (const [n, email] of [guest.email.toUpperCase(), "nobody@example.com"].entries()) {
    const invited = {
      userId: null,
      name: null,
      email,
      role: "MEMBER",
      state: "invited",
      invitationId: expect.any(String),
      expiresAt: expect.any(String),
    };
    expect([answers[n]?.status, answers[n]?.body]).toEqual([
      201,
      { ...invited, link: expect.stringContaining("/console/invitation?token=") },
    ]);
  }
  const accepted = await accept(guest.token, tokenIn(answers[0]?.body.link));
  expect([accepted.status, accepted.body]).toEqual([
    200,
    {
      token: expect.any(String),
      user: { id: guest.userId, name: "A User", email: guest.email },
      institution: { id: owner.id, name: "A Company" },
    },
  ]);
  const { data } = (await list(accepted.body.token, owner.id)).body;
  expect(data).toEqual([
    activeMember(owner, "OWNER"),
    activeMember(guest, "MEMBER"),
    expect.objectContaining({ email: "nobody@example.com", state: "invited" }),
  ]);
  expect(data[2]).not.toHaveProperty("link");
});

test("the name of a further institution has 1 to 120 characters", async () => {
  const { token, id } = await w.institution();
  const before = await rowsOf(w, id);
  for (const name of [undefined, null, 7, "", "x".repeat(121)])
    expect(await w.platform("/v1/institutions", { token, body: { name } })).toMatchObject({
      status: 400,
      body: { errors: [{ path: "name" }] },
    });
  expect((await w.platform("/v1/auth/institutions", { token })).body.institutions).toHaveLength(1);
  for (const name of ["x", "😀".repeat(120)])
    expect((await w.platform("/v1/institutions", { token, body: { name } })).status).toBe(201);
  expect(await rowsOf(w, id)).toEqual(before);
});

test("a member's e-mail is ALREADY_MEMBER, what is none a 400, and neither changes anything", async () => {
  const { token, id, email } = await w.institution();
  const before = await list(token, id);
  expect(await add(token, id, email)).toMatchObject({
    status: 409,
    body: { message: expect.any(String), code: "ALREADY_MEMBER" },
  });
  for (const wrong of [undefined, null, 7, "", " ", "none", `${"x".repeat(250)}@example.com`])
    expect((await add(token, id, wrong)).status).toBe(400);
  expect((await list(token, id)).text).toBe(before.text);
});

test("P-208 members of an institution that is not the token's are neither seen nor changed: 404", async () => {
  const [owner, stranger] = [await w.institution(), await w.institution()];
  const own = made(await w.platform("/v1/institutions", { token: stranger.token, body: { name: "Second" } }), 201);
  const before = [await rowsOf(w, owner.id), await rowsOf(w, own.id)];
  for (const id of [owner.id, own.id, "none"]) {
    for (const answer of [
      await list(stranger.token, id),
      await add(stranger.token, id, stranger.email),
      await remove(stranger.token, id, owner.userId),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([404, "INSTITUTION_NOT_FOUND"]);
    }
  }
  expect([await rowsOf(w, owner.id), await rowsOf(w, own.id)]).toEqual(before);
});

test("a member is removed; who is none is USER_NOT_FOUND, and the last one stays", async () => {
  const [owner, guest] = [await w.institution(), await w.institution()];
  await joined(w, owner, guest);
  const { status, text } = await remove(owner.token, owner.id, guest.userId);
  expect([status, text]).toEqual([204, ""]);
  for (const userId of [guest.userId, "none"])
    expect((await remove(owner.token, owner.id, userId)).body.code).toBe("USER_NOT_FOUND");
  expect(await remove(owner.token, owner.id, owner.userId)).toMatchObject({
    status: 409,
    body: { code: "LAST_MEMBER" },
  });
  expect((await list(owner.token, owner.id)).body.data).toHaveLength(1);
});

test("of two members who remove each other at the same moment one stays", async () => {
  const [a, b] = [await w.institution(), await w.institution()];
  const token = await joined(w, a, b, "OWNER");
  await Promise.all([remove(a.token, a.id, b.userId), remove(token, a.id, a.userId)]);
  expect((await rowsOf(w, a.id))["members"]).toBe(1);
});

test("P-146 P-147 a removed member's open conversations are unassigned; closed ones and others' stay", async () => {
  const [owner, guest] = [await w.institution(), await w.institution()];
  await joined(w, owner, guest);
  const [theirs, closed] = [await conversation(owner.token), await conversation(owner.token)];
  for (const id of [theirs, closed])
    made(
      await w.platform(`/v1/conversations/${id}/assign`, { token: owner.token, body: { userId: guest.userId } }),
      200,
    );
  made(await w.platform(`/v1/conversations/${closed}/close`, { token: owner.token, method: "POST" }), 200);
  await assigned(250, { tenantId: owner.id, userId: guest.userId });
  await assigned(3, { tenantId: owner.id, userId: owner.userId });
  await assigned(3, { tenantId: guest.id, userId: guest.userId });

  made(await remove(owner.token, owner.id, guest.userId), 204);
  await w.settle();
  const shown = async (id: string) =>
    made(await w.platform(`/v1/conversations/${id}`, { token: owner.token }), 200).assignedUserId;
  expect([await shown(theirs), await shown(closed)]).toEqual([null, guest.userId]);
  expect(await countAssigned({ tenantId: owner.id, userId: guest.userId })).toBe(1);
  expect(await countAssigned({ tenantId: owner.id, userId: owner.userId })).toBe(3);
  expect(await countAssigned({ tenantId: guest.id, userId: guest.userId })).toBe(3);
});

test("P-146 nothing is assigned to a member who is removed at the same moment", async () => {
  const [owner, guest] = [await w.institution(), await w.institution()];
  await joined(w, owner, guest);
  const id = await conversation(owner.token);
  const assign = () =>
    w.platform(`/v1/conversations/${id}/assign`, { token: owner.token, body: { userId: guest.userId } });
  await Promise.all([assign(), remove(owner.token, owner.id, guest.userId), assign()]);
  await w.settle();
  expect(await countAssigned({ tenantId: owner.id, userId: guest.userId })).toBe(0);
  expect((await assign()).body.code).toBe("USER_NOT_FOUND");
});

type Assignee = { tenantId: string; userId: string };
let counter = 0;

/** An open conversation of the institution. */
const conversation = async (token: string): Promise<string> => {
  const channel = made(
    await w.platform("/v1/channels", { token, body: { name: "A channel", type: "CHAT_WABA" } }),
    201,
  );
  made(await sendText(w, await w.platformKey(token, { environment: "test" }), channel.id), 202);
  return made(await w.platform(`/v1/conversations?channelId=${channel.id}`, { token }), 200).data[0].id;
};

/** So many open conversations as the database has them. */
const assigned = (count: number, { tenantId, userId }: Assignee) =>
  w.app.env.db.write(async (tx) => {
    for (let n = 0; n < count; n++)
      tx.run(
        `INSERT INTO conversations
          (id, tenant_id, channel_id, contact_id, status, assigned_user_id, last_message_at, created_at)
          VALUES (?1, ?2, ?1, ?1, 'OPEN', ?3, 1, 1)`,
        [`assigned-${++counter}`, tenantId, userId],
      );
  });

const countAssigned = async ({ tenantId, userId }: Assignee): Promise<number | undefined> =>
  w.app.env.db.read(
    async (reader) =>
      (
        await reader.rows<{ n: number }>(
          "SELECT count(*) AS n FROM conversations WHERE tenant_id = ?1 AND assigned_user_id = ?2",
          [tenantId, userId],
        )
      )[0]?.n,
  );
