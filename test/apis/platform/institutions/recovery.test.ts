import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "../../../../src/kernel/clock.ts";
import { putConsolePerson } from "../../../../src/store/tables/tenancy/console-people.ts";
import { documentedRoutes, nameOf } from "../../../support/apis/open-api.ts";
import { type MailedWorld, startMailedWorld } from "../../../support/billing/mailed.ts";
import { joined, made, rowsOf, tokenIn } from "../../../support/tenants/platform.ts";
import { type Answer, startWorld, type World } from "../../../support/world.ts";

let m: MailedWorld;
let w: World;
beforeAll(async () => {
  [m, w] = await Promise.all([startMailedWorld(), startWorld()]);
});
afterAll(() => Promise.all([m.stop(), w.stop()]));

const post = (at: World, path: string, body: object, token?: string) =>
  at.platform(`/v1/auth/${path}`, { body, ...(token ? { token } : {}) });
const login = (at: World, email: string, password: string, from = "127.0.0.1") =>
  at.platform("/v1/auth/login", { body: { email, password }, headers: { "x-forwarded-for": from } });
const codeOf = ({ status, body }: Answer) => `${status} ${body?.code}`;
const isVerified = async (at: World, userId: string) =>
  (
    await at.app.env.db.read((reader) =>
      reader.rows<{ at: number | null }>("SELECT verified_at AS at FROM users WHERE id = ?1", [userId]),
    )
  )[0]?.at !== null;

describe("the verification of an e-mail", () => {
  test("its link comes by mail with the registration, and is good once, for three days", async () => {
    const { email, userId } = await m.institution();
    await m.settle();
    expect(m.mailsTo(email).map(({ subject }) => subject)).toEqual(["Recado: Verify your e-mail address"]);
    const token = m.linkTo(email);
    expect([
      await isVerified(m, userId),
      (await post(m, "verify-email", { token })).status,
      await isVerified(m, userId),
    ]).toEqual([false, 204, true]);
    expect(codeOf(await post(m, "verify-email", { token }))).toBe("404 LINK_NOT_FOUND");
    const late = await m.institution();
    await m.settle();
    m.clock.advance(3 * DAY_MS);
    expect(codeOf(await post(m, "verify-email", { token: m.linkTo(late.email) }))).toBe("404 LINK_NOT_FOUND");
    expect(await isVerified(m, late.userId)).toBe(false);
  });

  test.each([
    ["pt", "Recado: Confirme seu e-mail", "Se você não pediu isto"],
    ["es", "Recado: Verifica tu correo", "Si no lo pediste"],
    ["en", "Recado: Verify your e-mail address", "If you did not ask for this"],
  ])("comes in the language that the user chose in the console: %s", async (language, subject, ignore) => {
    const { email, token, userId } = await m.institution();
    await m.settle();
    await m.app.env.db.write((tx) => putConsolePerson(tx, `user:${userId}`, { language }));
    made(await post(m, "request-verification", {}, token), 202);
    await m.settle();
    const mail = m.mailsTo(email).at(-1);
    expect([mail?.subject, mail?.text]).toEqual([subject, expect.stringContaining(ignore)]);
    made(await post(m, "verify-email", { token: m.linkTo(email) }), 204);
  });

  test("is asked for again three times in an hour at most; who is verified is sent nothing", async () => {
    const { email, token } = await m.institution();
    for (let n = 0; n < 5; n++)
      expect(await post(m, "request-verification", {}, token)).toMatchObject({
        status: 202,
        body: { status: "accepted" },
      });
    await m.settle();
    expect(m.mailsTo(email)).toHaveLength(3);
    m.clock.advance(HOUR_MS);
    made(await post(m, "request-verification", {}, token), 202);
    await m.settle();
    expect(m.mailsTo(email)).toHaveLength(4);
    made(await post(m, "verify-email", { token: m.linkTo(email) }), 204);
    made(await post(m, "request-verification", {}, token), 202);
    await m.settle();
    expect(m.mailsTo(email)).toHaveLength(4);
  });

  test("a link to choose a password verifies nothing, and the other way round", async () => {
    const { email } = await m.institution();
    await m.settle();
    expect(codeOf(await post(m, "reset-password", { token: m.linkTo(email), password: "password-2" }))).toBe(
      "404 LINK_NOT_FOUND",
    );
    made(await post(m, "forgot-password", { email }), 202);
    await m.settle();
    expect(codeOf(await post(m, "verify-email", { token: m.linkTo(email) }))).toBe("404 LINK_NOT_FOUND");
  });
});

describe("a forgotten password", () => {
  test("P-063 is reset by a mailed link, which ends all sessions, verifies the e-mail and signs in", async () => {
    const { email, userId, token, id } = await m.institution();
    made(await post(m, "forgot-password", { email: ` ${email.toUpperCase()} ` }), 202);
    await m.settle();
    const link = m.linkTo(email);
    const answer = await post(m, "reset-password", { token: link, password: "password-2" });
    expect([answer.status, answer.body]).toEqual([
      200,
      { token: expect.any(String), user: { id: userId, name: "A User", email } },
    ]);
    expect((await m.platform(`/v1/institutions/${id}/members`, { token: answer.body.token })).status).toBe(200);
    expect(codeOf(await m.platform("/v1/channels", { token }))).toBe("401 INVALID_TOKEN");
    expect([
      (await login(m, email, "password-1")).status,
      (await login(m, email, "password-2")).status,
      await isVerified(m, userId),
    ]).toEqual([401, 200, true]);
    expect(codeOf(await post(m, "reset-password", { token: link, password: "password-3" }))).toBe("404 LINK_NOT_FOUND");
  });

  test("its link is good for an hour, and no longer once the password was changed", async () => {
    const { email, token } = await m.institution();
    const forgotten = async () => {
      made(await post(m, "forgot-password", { email }), 202);
      await m.settle();
      return m.linkTo(email);
    };
    const first = await forgotten();
    m.clock.advance(HOUR_MS);
    expect(codeOf(await post(m, "reset-password", { token: first, password: "password-2" }))).toBe(
      "404 LINK_NOT_FOUND",
    );
    const second = await forgotten();
    made(await post(m, "change-password", { currentPassword: "password-1", newPassword: "password-3" }, token), 200);
    expect(codeOf(await post(m, "reset-password", { token: second, password: "password-2" }))).toBe(
      "404 LINK_NOT_FOUND",
    );
    expect((await login(m, email, "password-3")).status).toBe(200);
  });

  test("leads past the guesses of strangers: where it was chosen anew the user is known", async () => {
    const { email } = await m.institution();
    for (let n = 1; n <= 60; n++) await login(m, email, "guess", `2001:db8:${n.toString(16)}::1`);
    expect((await login(m, email, "password-1", "2001:db8:aaaa::1")).status).toBe(429);
    made(await post(m, "forgot-password", { email }), 202);
    await m.settle();
    const headers = { "x-forwarded-for": "2001:db8:bbbb::1" };
    made(
      await m.platform("/v1/auth/reset-password", {
        body: { token: m.linkTo(email), password: "password-2" },
        headers,
      }),
      200,
    );
    expect((await login(m, email, "password-2", "2001:db8:bbbb::1")).status).toBe(200);
  });

  test("a link of two that are used at the same moment works once", async () => {
    const { email } = await m.institution();
    made(await post(m, "forgot-password", { email }), 202);
    await m.settle();
    const token = m.linkTo(email);
    const answers = await Promise.all(
      ["password-2", "password-3"].map((password) => post(m, "reset-password", { token, password })),
    );
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", "404"]);
  });
});

describe("no answer shows whether an e-mail is a user's", () => {
  type Case = { path: string; body(email: string): object };
  /** TABLE: every public route that takes an e-mail. Registration shows it by the specification (P-049). */
  const CASES: Record<string, Case> = {
    "POST /v1/auth/login": { path: "login", body: (email) => ({ email, password: "guess-1234" }) },
    "POST /v1/auth/forgot-password": { path: "forgot-password", body: (email) => ({ email }) },
  };

  test("every route that takes an e-mail without a token is among these cases", async () => {
    const routes = (await documentedRoutes(m, "platform"))
      .filter(
        ({ operation: { security, requestBody } }) =>
          security?.length === 0 && JSON.stringify(requestBody ?? {}).includes('"email"'),
      )
      .map(nameOf);
    expect(routes.toSorted()).toEqual([...Object.keys(CASES), "POST /v1/auth/register"].toSorted());
  });

  test.each(Object.entries(CASES))(
    "P-067 %s: status, body, headers and passwords compared are the same",
    async (_, { path, body }) => {
      const { email } = await m.institution();
      await m.settle();
      const work = [spyOn(m.app.env.passwords, "check"), spyOn(m.app.env.passwords, "hash")];
      const enqueue = spyOn(m.app.env.jobs, "enqueue");
      const notified = async (to: string) => {
        const before = work.map(({ mock }) => mock.calls.length);
        const { status, text, headers } = await post(m, path, body(to));
        // which is for a job to do, later
        const enqueued = enqueue.mock.calls.map(([, kind]) => kind).filter((kind) => kind !== "mail.send");
        enqueue.mockClear();
        const kept = [...headers].filter(
          ([name]) => !["date", "x-request-id", "x-ratelimit-remaining", "ratelimit"].includes(name),
        );
        const done = work.map(({ mock }, n) => mock.calls.length - (before[n] ?? 0));
        await m.settle();
        return { status, text, kept, enqueued, done };
      };
      expect(await notified("nobody@example.com")).toEqual(await notified(email));
      for (const one of [...work, enqueue]) one.mockRestore();
    },
  );

  test("P-049 registration hashes the password of a known e-mail as of an unknown one", async () => {
    const { email } = await m.institution();
    const hashed = spyOn(m.app.env.passwords, "hash");
    for (const one of [email, "brand-new@example.com"])
      await post(m, "register", { name: "A", email: one, password: "password-1", institutionName: "B" });
    expect(hashed).toHaveBeenCalledTimes(2);
    hashed.mockRestore();
  });

  test("a stranger's e-mail is sent nothing", async () => {
    await m.settle();
    const before = m.sink.received.length;
    made(await post(m, "forgot-password", { email: "nobody@example.com" }), 202);
    await m.settle();
    expect(m.sink.received).toHaveLength(before);
  });
});

describe("without a mail server", () => {
  test("the answer says that nothing can be sent, alike for all e-mails; the operator makes the link", async () => {
    const { email, userId, token } = await w.institution();
    const [known, unknown] = [
      await post(w, "forgot-password", { email }),
      await post(w, "forgot-password", { email: "nobody@example.com" }),
    ];
    expect([codeOf(known), known.text]).toEqual(["409 MAIL_NOT_CONFIGURED", unknown.text]);
    expect(codeOf(await post(w, "request-verification", {}, token))).toBe("409 MAIL_NOT_CONFIGURED");
    const reset = (of: string) => w.gateway("/v1/admin/users/reset", { admin: true, body: { email: of } });
    expect((await reset("nobody@example.com")).body.error.code).toBe("USER_NOT_FOUND");
    const { link } = made(await reset(email), 201);
    made(await post(w, "reset-password", { token: tokenIn(link), password: "password-2" }), 200);
    expect([(await login(w, email, "password-2")).status, await isVerified(w, userId)]).toEqual([200, false]);
  });

  test("a user whom the operator has made has no password before it has chosen one; its e-mail is taken", async () => {
    const body = { name: "Ana", email: "Ana@Example.com", institutionName: "Padaria" };
    const { link, institutionId } = made(await w.gateway("/v1/admin/users", { admin: true, body }), 201);
    for (const password of ["", "password-1"]) expect((await login(w, "ana@example.com", password)).status).toBe(401);
    expect((await w.gateway("/v1/admin/users", { admin: true, body })).body.error.code).toBe("ALREADY_EXISTS");
    const { token } = made(await post(w, "reset-password", { token: tokenIn(link), password: "password-1" }), 200);
    expect(made(await w.platform("/v1/auth/institutions", { token }), 200).institutions).toEqual([
      { id: institutionId, name: "Padaria" },
    ]);
    for (const wrong of [
      { ...body, email: "none" },
      { ...body, name: " " },
    ])
      expect((await w.gateway("/v1/admin/users", { admin: true, body: wrong })).status).toBe(400);
  });
});

describe("a user who deletes itself", () => {
  test("is deleted with its sessions and links; its own institutions are closed, its assignments removed", async () => {
    const [owner, guest] = [await w.institution(), await w.institution()];
    const token = await joined(w, owner, guest);
    const key = await w.platformKey(guest.token);
    expect((await post(w, "delete-user", { password: "guess" }, token)).body.errors[0].path).toBe("password");
    expect((await post(w, "delete-user", { password: "password-1" }, token)).status).toBe(204);
    for (const ended of [token, guest.token])
      expect(codeOf(await w.platform("/v1/channels", { token: ended }))).toBe("401 INVALID_TOKEN");
    expect((await login(w, guest.email, "password-1")).status).toBe(401);
    expect(codeOf(await w.platform("/v1/channels", { key }))).toBe("403 ACCOUNT_INACTIVE");
    expect([(await rowsOf(w, owner.id))["members"], (await rowsOf(w, guest.id))["members"]]).toEqual([1, 0]);
    expect((await w.platform("/v1/channels", { token: owner.token })).status).toBe(200);
    made(
      await post(w, "register", { name: "Anew", email: guest.email, password: "password-1", institutionName: "Anew" }),
      201,
    );
  });

  test("stays while others would be left without an owner: 409 LAST_OWNER, and nothing changes", async () => {
    const [owner, guest] = [await w.institution(), await w.institution()];
    await joined(w, owner, guest, "ADMIN");
    made(await w.platform("/v1/institutions", { token: owner.token, body: { name: "Second" } }), 201);
    expect(codeOf(await post(w, "delete-user", { password: "password-1" }, owner.token))).toBe("409 LAST_OWNER");
    expect([
      (await rowsOf(w, owner.id))["members"],
      (await w.platform("/v1/auth/institutions", { token: owner.token })).body.institutions.length,
    ]).toEqual([2, 2]);
  });
});
