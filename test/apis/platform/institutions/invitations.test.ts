import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { type MailedWorld, startMailedWorld } from "../../../support/billing/mailed.ts";
import { joined, made, rowsOf, tokenIn } from "../../../support/tenants/platform.ts";
import { type Answer, startWorld, type World } from "../../../support/world.ts";

let m: MailedWorld;
let w: World;
beforeAll(async () => {
  [m, w] = await Promise.all([startMailedWorld({ RECADO_REGISTRATION: "open" }), startWorld()]);
});
afterAll(() => Promise.all([m.stop(), w.stop()]));

type Owner = { id: string; token: string };
const invite = (at: World, { id, token }: Owner, email: string, role?: string) =>
  at.platform(`/v1/institutions/${id}/members`, { token, body: { email, ...(role ? { role } : {}) } });
const listed = async (at: World, { id, token }: Owner) =>
  made(await at.platform(`/v1/institutions/${id}/members`, { token }), 200).data;
const accept = (at: World, token: string, invitation: string) =>
  at.platform("/v1/auth/accept-invitation", { token, body: { token: invitation } });
const join = (at: World, invitation: string) =>
  at.platform("/v1/auth/join", { body: { token: invitation, name: "New User", password: "password-9" } });
const codeOf = ({ status, body }: Answer) => `${status} ${body?.code}`;

let counter = 0;
const unknown = () => `unknown${++counter}@example.com`;

describe("with a mail server", () => {
  test("GAP-P01 the link goes to the mailbox alone: the answer has none, for an owner neither", async () => {
    const [owner, guest] = [await m.verified(), await m.institution()];
    const answer = made(await invite(m, owner, guest.email, "VIEWER"), 201);
    expect(answer).toEqual({
      userId: null,
      name: null,
      email: guest.email,
      role: "VIEWER",
      state: "invited",
      invitationId: expect.any(String),
      expiresAt: expect.any(String),
    });
    await m.settle();
    const mail = m.mailsTo(guest.email).at(-1);
    expect([mail?.from, mail?.subject]).toEqual(["recado@example.com", 'You are invited to "A Company"']);
    expect(mail?.text).toMatch(/http:\/\/localhost:\d+\/console\/invitation\?token=[\w-]+/);
    made(await accept(m, guest.token, m.linkTo(guest.email)), 200);
    expect(await listed(m, owner)).toContainEqual({
      userId: guest.userId,
      name: "A User",
      email: guest.email,
      role: "VIEWER",
      state: "active",
    });
  });

  test("GAP-P01 the answer and the work are the same for a known and an unknown e-mail", async () => {
    const [owner, guest] = [await m.verified(), await m.institution()];
    await m.settle();
    const enqueue = spyOn(m.app.env.jobs, "enqueue");
    const hashed = [spyOn(m.app.env.passwords, "hash"), spyOn(m.app.env.passwords, "check")];
    const notified = async (email: string) => {
      const { status, body, headers } = await invite(m, owner, email);
      const enqueued = enqueue.mock.calls.map(([, kind]) => kind);
      enqueue.mockClear();
      await m.settle();
      const shown = { ...body, email: "?", invitationId: typeof body.invitationId, expiresAt: typeof body.expiresAt };
      return {
        status,
        shown,
        headers: [...headers.keys()],
        enqueued,
        mails: m.mailsTo(email).filter(({ subject }) => subject.includes("invited")).length,
      };
    };
    const stranger = unknown();
    expect(await notified(stranger)).toEqual(await notified(guest.email));
    for (const one of hashed) expect(one).not.toHaveBeenCalled();
    for (const one of [...hashed, enqueue]) one.mockRestore();
    const [, ...invited] = await listed(m, owner);
    expect(
      invited.map(({ userId, name, state }: { userId: null; name: null; state: string }) => [userId, name, state]),
    ).toEqual([
      [null, null, "invited"],
      [null, null, "invited"],
    ]);
  });

  test("GAP-P01 who has not verified its own e-mail invites nobody: 403, and nothing is made or sent", async () => {
    const [owner, guest] = [await m.institution(), await m.institution()];
    await m.settle();
    const before = m.sink.received.length;
    expect(codeOf(await invite(m, owner, guest.email))).toBe("403 EMAIL_NOT_VERIFIED");
    await m.settle();
    expect([m.sink.received.length, (await listed(m, owner)).length]).toEqual([before, 1]);
  });

  test("GAP-P01 a link opens nothing to another user, and is good once, for seven days", async () => {
    const [owner, guest, thief] = [await m.verified(), await m.institution(), await m.institution()];
    made(await invite(m, owner, guest.email), 201);
    await m.settle();
    const link = m.linkTo(guest.email);
    for (const wrong of [
      await accept(m, thief.token, link),
      await accept(m, guest.token, "guess"),
      await join(m, "guess"),
    ])
      expect(codeOf(wrong)).toBe("404 LINK_NOT_FOUND");
    expect((await join(m, link)).body.code).toBe("EMAIL_IN_USE");
    made(await accept(m, guest.token, link), 200);
    expect(codeOf(await accept(m, guest.token, link))).toBe("404 LINK_NOT_FOUND");
    expect((await rowsOf(m, owner.id))["members"]).toBe(2);
    const late = unknown();
    made(await invite(m, owner, late), 201);
    await m.settle();
    m.clock.advance(7 * DAY_MS);
    expect(codeOf(await join(m, m.linkTo(late)))).toBe("404 LINK_NOT_FOUND");
  });

  test("GAP-P01 GAP-C02 an unregistered person joins by the link, verified, also while registration is closed", async () => {
    const closed = await startMailedWorld({ RECADO_REGISTRATION: "closed" });
    try {
      const first = made(
        await closed.gateway("/v1/admin/users", {
          admin: true,
          body: { name: "Owner", email: "owner@example.com", institutionName: "A Company" },
        }),
        201,
      );
      expect({ ...first }).toMatchObject({
        userId: expect.any(String),
        email: "owner@example.com",
        link: expect.stringContaining("/console/reset-password?token="),
      });
      const { token } = made(
        await closed.platform("/v1/auth/reset-password", {
          body: { token: tokenIn(first.link), password: "password-1" },
        }),
        200,
      );
      const institution = { id: first.institutionId, token };
      made(
        await closed.gateway(`/v1/admin/institutions/${first.institutionId}/members`, {
          admin: true,
          body: { email: "new@example.com", role: "ADMIN" },
        }),
        201,
      );
      await closed.settle();
      const answer = await join(closed, closed.linkTo("new@example.com"));
      expect([answer.status, answer.body]).toEqual([
        201,
        {
          token: expect.any(String),
          user: { id: expect.any(String), name: "New User", email: "new@example.com" },
          institution: { id: first.institutionId, name: "A Company" },
        },
      ]);
      expect((await listed(closed, institution)).map(({ role }: { role: string }) => role)).toEqual(["OWNER", "ADMIN"]);
      expect((await invite(closed, { id: institution.id, token: answer.body.token }, "third@example.com")).status).toBe(
        201,
      );
      expect(
        (
          await closed.platform("/v1/auth/register", {
            body: { name: "A", email: "a@example.com", password: "password-1", institutionName: "B" },
          })
        ).status,
      ).toBe(403);
    } finally {
      await closed.stop();
    }
  });

  test("GAP-P01 repeating an invitation within the hour sends no second mail; later it is sent again", async () => {
    const owner = await m.verified();
    const email = unknown();
    made(await invite(m, owner, email), 201);
    await m.settle();
    const first = m.linkTo(email);
    m.clock.advance(2 * MINUTE_MS);
    made(await invite(m, owner, email, "ADMIN"), 201);
    await m.settle();
    expect(m.mailsTo(email)).toHaveLength(1);
    m.clock.advance(HOUR_MS);
    made(await invite(m, owner, email, "ADMIN"), 201);
    await m.settle();
    expect(m.mailsTo(email)).toHaveLength(2);
    expect(codeOf(await join(m, first))).toBe("404 LINK_NOT_FOUND");
    made(await join(m, m.linkTo(email)), 201);
    expect((await listed(m, owner)).at(-1)).toMatchObject({ email, role: "ADMIN", state: "active" });
  });

  test("GAP-P01 revoking and inviting again sends no further mail; the link is invalid meanwhile", async () => {
    const [owner, email] = [await m.verified(), unknown()];
    const { invitationId } = made(await invite(m, owner, email, "ADMIN"), 201);
    await m.settle();
    const withdraw = () =>
      m.platform(`/v1/institutions/${owner.id}/invitations/${invitationId}`, { token: owner.token, method: "DELETE" });
    for (let n = 0; n < 3; n++) {
      made(await withdraw(), 204);
      expect(codeOf(await withdraw())).toBe("404 LINK_NOT_FOUND");
      expect(await listed(m, owner)).toHaveLength(1);
      expect(codeOf(await join(m, m.linkTo(email)))).toBe("404 LINK_NOT_FOUND");
      expect(made(await invite(m, owner, email, "VIEWER"), 201)).toMatchObject({ invitationId, role: "VIEWER" });
    }
    await m.settle();
    expect(m.mailsTo(email)).toHaveLength(1);
    made(await join(m, m.linkTo(email)), 201);
    expect((await listed(m, owner)).at(-1)).toMatchObject({ email, role: "VIEWER", state: "active" });
  });

  test("GAP-P01 neither is to change the role of who has invited", async () => {
    const [owner, second, email] = [await m.verified(), await m.verified(), unknown()];
    made(await invite(m, owner, second.email, "OWNER"), 201);
    await m.settle();
    const { token } = made(await accept(m, second.token, m.linkTo(second.email)), 200);
    made(await invite(m, { id: owner.id, token }, email), 201);
    await m.settle();
    made(
      await m.platform(`/v1/institutions/${owner.id}/members/${second.userId}`, {
        token: owner.token,
        method: "PATCH",
        body: { role: "ADMIN" },
      }),
      200,
    );
    expect([(await listed(m, owner)).length, codeOf(await join(m, m.linkTo(email)))]).toEqual([
      2,
      "404 LINK_NOT_FOUND",
    ]);
    made(await invite(m, owner, email), 201);
    await m.settle();
    expect(m.mailsTo(email)).toHaveLength(1);
  });

  test("what others have written is in a mail as a name alone", async () => {
    const name = "Evil\r\nBcc: all@example.com\n\nReset here: https://evil.example/x";
    const [owner, email] = [await m.verified(), unknown()];
    const { id } = made(await m.platform("/v1/institutions", { token: owner.token, body: { name } }), 201);
    const { token } = made(
      await m.platform("/v1/auth/select-institution", { token: owner.token, body: { institutionId: id } }),
      200,
    );
    made(await invite(m, { id, token }, email), 201);
    await m.settle();
    const mail = m.mailsTo(email).at(-1);
    expect([mail?.to, mail?.text.match(/https?:\/\/\S+/g)?.length]).toEqual([[email], 1]);
    expect(mail?.text).toContain('"Evil Bcc all@example.com Reset here https evil.example x"');
  });

  test("no link lies readable in the database, nor in the log, and what was sent lies there no longer", async () => {
    const owner = await m.verified();
    const email = unknown();
    m.sink.refusal = { at: "RCPT", code: 451 };
    made(await invite(m, owner, email), 201);
    await m.settle();
    const body = async () =>
      (
        await m.app.env.db.read((reader) =>
          reader.rows<{ body: string | null }>("SELECT sealed_body AS body FROM mails WHERE recipient = ?1", [email]),
        )
      )[0]?.body;
    expect(await body()).toMatch(/^1\.\w+\./);
    m.sink.refusal = undefined;
    await m.advance(5 * MINUTE_MS);
    expect([await body(), m.mailsTo(email).length]).toEqual([null, 1]);
    const link = m.linkTo(email);
    expect(m.logs.filter((line) => line.includes(link))).toEqual([]);
    const rows = await m.app.env.db.read((reader) =>
      reader.rows<{ row: string }>(
        "SELECT token_hash AS row FROM invitations UNION ALL SELECT details FROM audit_entries",
      ),
    );
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.filter(({ row }) => row.includes(link))).toEqual([]);
  });
});

describe("without a mail server", () => {
  test("GAP-P01 an owner gets the link in the answer, an administrator does not", async () => {
    const [owner, admin] = [await w.institution(), await w.institution()];
    const token = await joined(w, owner, admin, "ADMIN");
    const email = unknown();
    expect(made(await invite(w, { id: owner.id, token }, email), 201)).not.toHaveProperty("link");
    expect(tokenIn(made(await invite(w, owner, email), 201).link)).not.toBe("");
  });

  test("GAP-P01 such a link makes no user, as it proves no mailbox: alike for known and unknown e-mails", async () => {
    const [owner, guest] = [await w.institution(), await w.institution()];
    for (const email of [guest.email, unknown()]) {
      const { link } = made(await invite(w, owner, email), 201);
      const refused = await join(w, tokenIn(link));
      expect([codeOf(refused), refused.body.message]).toEqual([
        "404 LINK_NOT_FOUND",
        expect.stringContaining("Ask the operator to make you a user"),
      ]);
    }
  });

  test("GAP-P01 a revoked invitation opens nothing; another institution cannot revoke it", async () => {
    const [owner, other, guest] = [await w.institution(), await w.institution(), await w.institution()];
    const { link, invitationId } = made(await invite(w, owner, guest.email), 201);
    const withdraw = ({ id, token }: Owner) =>
      w.platform(`/v1/institutions/${id}/invitations/${invitationId}`, { token, method: "DELETE" });
    expect(codeOf(await withdraw(other))).toBe("404 LINK_NOT_FOUND");
    expect((await withdraw(owner)).status).toBe(204);
    expect(codeOf(await accept(w, guest.token, tokenIn(link)))).toBe("404 LINK_NOT_FOUND");
    expect((await rowsOf(w, owner.id))["members"]).toBe(1);
  });

  test.each(["is removed", "has another role now", "has deleted itself"])(
    "GAP-P01 what somebody has invited who %s opens nothing any more",
    async (how) => {
      const [owner, admin, guest] = [await w.institution(), await w.institution(), await w.institution()];
      const token = await joined(w, owner, admin, "OWNER");
      const { link } = made(await invite(w, { id: owner.id, token }, guest.email, "OWNER"), 201);
      const path = `/v1/institutions/${owner.id}/members/${admin.userId}`;
      if (how === "is removed") made(await w.platform(path, { token: owner.token, method: "DELETE" }), 204);
      else if (how === "has deleted itself")
        made(await w.platform("/v1/auth/delete-user", { token, body: { password: "password-1" } }), 204);
      else made(await w.platform(path, { token: owner.token, method: "PATCH", body: { role: "ADMIN" } }), 200);
      expect(codeOf(await accept(w, guest.token, tokenIn(link)))).toBe("404 LINK_NOT_FOUND");
      expect((await listed(w, owner)).filter(({ state }: { state: string }) => state === "invited")).toEqual([]);
    },
  );

  test("GAP-P01 an administrator neither changes nor takes back what invites an owner", async () => {
    const [owner, admin, guest] = [await w.institution(), await w.institution(), await w.institution()];
    const token = await joined(w, owner, admin, "ADMIN");
    const { link, invitationId } = made(await invite(w, owner, guest.email, "OWNER"), 201);
    const before = await listed(w, owner);
    expect(codeOf(await invite(w, { id: owner.id, token }, guest.email, "VIEWER"))).toBe("403 FORBIDDEN_PERMISSION");
    expect(
      codeOf(await w.platform(`/v1/institutions/${owner.id}/invitations/${invitationId}`, { token, method: "DELETE" })),
    ).toBe("403 FORBIDDEN_PERMISSION");
    expect(await listed(w, owner)).toEqual(before);
    made(await accept(w, guest.token, tokenIn(link)), 200);
    expect((await listed(w, owner)).at(-1)).toMatchObject({ userId: guest.userId, role: "OWNER" });
  });

  test("GAP-P01 a user without an institution accepts with a pending token", async () => {
    const [owner, leaver] = [await w.institution(), await w.institution()];
    await joined(w, leaver, owner, "OWNER");
    made(
      await w.platform(`/v1/institutions/${leaver.id}/members/${leaver.userId}`, {
        token: leaver.token,
        method: "DELETE",
      }),
      204,
    );
    const { token } = made(
      await w.platform("/v1/auth/login", { body: { email: leaver.email, password: "password-1" } }),
      200,
    );
    const { link } = made(await invite(w, owner, leaver.email, "VIEWER"), 201);
    const { token: complete } = made(await accept(w, token, tokenIn(link)), 200);
    expect((await w.platform("/v1/channels", { token: complete })).status).toBe(200);
  });

  test("GAP-P01 an institution has at most a hundred invitations that wait", async () => {
    const owner = await w.institution();
    for (let n = 0; n < 100; n++) {
      if (n % 10 === 0) await w.advance(MINUTE_MS);
      made(await invite(w, owner, unknown()), 201);
    }
    await w.advance(MINUTE_MS);
    expect(codeOf(await invite(w, owner, unknown()))).toBe("409 INVITATION_LIMIT_REACHED");
    await w.advance(7 * DAY_MS);
    const { token } = made(
      await w.platform("/v1/auth/login", { body: { email: owner.email, password: "password-1" } }),
      200,
    );
    expect((await invite(w, { id: owner.id, token }, unknown())).status).toBe(201);
  });
});
