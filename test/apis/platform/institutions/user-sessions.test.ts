import { expect, test } from "bun:test";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { claimsOf, made } from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";

const w = useWorld();

const login = async (email: string, headers: Record<string, string> = {}): Promise<string> =>
  made(await w.platform("/v1/auth/login", { body: { email, password: "password-1" }, headers }), 200).token;
const sessions = async (token: string) => made(await w.platform("/v1/auth/sessions", { token }), 200).data;
const end = (token: string, id: unknown) => w.platform(`/v1/auth/sessions/${String(id)}`, { token, method: "DELETE" });
const sessionOf = (token: string) => claimsOf(token)["jti"];

test("every login begins a session, which is listed with where it came from, the newest first", async () => {
  const { email, token } = await w.institution();
  w.clock.advance(1);
  const second = await login(email, { "x-forwarded-for": "203.0.113.7:4711", "user-agent": "x".repeat(300) });
  const [newest, oldest, ...more] = await sessions(second);
  expect(more).toEqual([]);
  expect(newest).toEqual({
    id: sessionOf(second),
    isCurrent: true,
    address: "203.0.113.7",
    userAgent: "x".repeat(200),
    createdAt: new Date(w.clock.now()).toISOString(),
    expiresAt: new Date(w.clock.now() + 7 * DAY_MS).toISOString(),
  });
  expect(oldest).toMatchObject({ id: sessionOf(token), isCurrent: false, address: "127.0.0.1" });
});

test("P-074 an ended session opens nothing from the next request on; the user's others stay", async () => {
  const { email, token } = await w.institution();
  const other = await login(email);
  expect((await end(token, sessionOf(other))).status).toBe(204);
  expect((await w.platform("/v1/channels", { token: other })).body.code).toBe("INVALID_TOKEN");
  expect((await w.platform("/v1/channels", { token })).status).toBe(200);
  expect(await sessions(token)).toHaveLength(1);
  expect((await end(token, sessionOf(other))).body.code).toBe("SESSION_NOT_FOUND");
  expect((await end(token, sessionOf(token))).status).toBe(204);
  expect((await end(token, sessionOf(token))).body.code).toBe("INVALID_TOKEN");
});

test("P-079 a token that was chosen with another is of the same session: both end together", async () => {
  const { email, token } = await w.institution();
  const second = made(await w.platform("/v1/institutions", { token, body: { name: "Second" } }), 201).id;
  const pending = await login(email);
  const chosen = made(
    await w.platform("/v1/auth/select-institution", { token: pending, body: { institutionId: second } }),
    200,
  ).token;
  expect(sessionOf(chosen)).toBe(sessionOf(pending));
  made(await end(token, sessionOf(pending)), 204);
  for (const one of [pending, chosen])
    expect((await w.platform("/v1/auth/institutions", { token: one })).body.code).toBe("INVALID_TOKEN");
});

test("a user has at most a hundred sessions: a further one ends the oldest", async () => {
  const { email, token } = await w.institution();
  let last = token;
  for (let n = 0; n < 100; n++) {
    w.clock.advance(1);
    last = await login(email);
  }
  expect(await sessions(last)).toHaveLength(100);
  expect((await w.platform("/v1/channels", { token })).body.code).toBe("INVALID_TOKEN");
});

test("sessions are forgotten a month after their end", async () => {
  const { userId } = await w.institution();
  const rows = () =>
    w.app.env.db.read((reader) => reader.rows("SELECT id FROM user_sessions WHERE user_id = ?1", [userId]));
  await w.advance(36 * DAY_MS);
  expect(await rows()).toHaveLength(1);
  await w.advance(2 * DAY_MS);
  expect(await rows()).toHaveLength(0);
});

const change = (token: string, currentPassword: string, newPassword: string) =>
  w.platform("/v1/auth/change-password", { token, body: { currentPassword, newPassword } });

test("a change of the password ends all the user's sessions; the answer has a token of the same kind", async () => {
  const { email, token, id } = await w.institution();
  const other = await login(email);
  const fresh = made(await change(token, "password-1", "password-2"), 200).token;
  for (const ended of [token, other])
    expect((await w.platform("/v1/channels", { token: ended })).body.code).toBe("INVALID_TOKEN");
  expect(claimsOf(fresh)["institutionId"]).toBe(id);
  expect(await sessions(fresh)).toHaveLength(1);
  const statusOf = async (password: string) =>
    (await w.platform("/v1/auth/login", { body: { email, password } })).status;
  expect([await statusOf("password-1"), await statusOf("password-2")]).toEqual([401, 200]);
  made(await w.platform("/v1/institutions", { token: fresh, body: { name: "Second" } }), 201);
  const pending = made(await w.platform("/v1/auth/login", { body: { email, password: "password-2" } }), 200).token;
  const stillPending = made(await change(pending, "password-2", "password-3"), 200).token;
  expect((await w.platform("/v1/channels", { token: stillPending })).status).toBe(403);
});

test("a change of the password needs the current one and 8 characters; wrong guesses are counted", async () => {
  const { email, token } = await w.institution();
  const answer = await change(token, "password-2", "password-3");
  expect([answer.status, answer.body.errors]).toEqual([
    400,
    [{ path: "currentPassword", message: "is not the user's password", validation: "pattern" }],
  ]);
  expect((await change(token, "password-1", "seven77")).body.errors[0].path).toBe("newPassword");
  for (let n = 0; n < 4; n++) await change(token, "guess", "password-3");
  expect(await change(token, "password-1", "password-3")).toMatchObject({
    status: 429,
    body: { code: "RATE_LIMIT_EXCEEDED" },
  });
  await w.advance(1000);
  expect(await login(email)).toBeString();
  expect(await sessions(token)).toHaveLength(2);
});

test("of two changes of the password at the same moment one succeeds", async () => {
  const { email, token } = await w.institution();
  const passwords = ["password-2", "password-3"];
  const answers = await Promise.all(passwords.map((password) => change(token, "password-1", password)));
  // the later one meets the ended session or the new password, as its check of the token ends before or after
  for (const { status } of answers) expect([200, 400, 401]).toContain(status);
  const changed = answers.map(({ status }) => status === 200);
  const logins = await Promise.all(
    passwords.map((password) => w.platform("/v1/auth/login", { body: { email, password } })),
  );
  expect(changed.filter(Boolean)).toHaveLength(1);
  expect(logins.map(({ status }) => status === 200)).toEqual(changed);
});
