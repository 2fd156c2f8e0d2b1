import { describe, expect, test } from "bun:test";
import { customer, joined, made, rowsOf } from "../../../support/tenants/platform.ts";
import { type Access, isPermission, ROUTES, type Route } from "../../../support/tenants/platform-routes.ts";
import {
  callRoute,
  everything,
  isReading,
  sharedByRoutes,
  thingsOf,
} from "../../../support/tenants/platform-things.ts";
import { useWorld } from "../../../support/use-world.ts";

const w = useWorld();

const ROLES = ["OWNER", "ADMIN", "MEMBER", "VIEWER"] as const;
type Role = (typeof ROLES)[number];

const READING: readonly string[] = [
  "channels.read",
  "messages.read",
  "conversations.read",
  "contacts.read",
  "webhooks.read",
  "bulk-send.read",
  "members.read",
];
const WORKING = ["messages.send", "conversations.write", "contacts.write", "bulk-send.write"];
const ADMINISTERING = ["channels.write", "webhooks.write", "sandbox.write", "members.write", "keys.read", "keys.write"];
/** What each role may do, said here anew. */
const MAY: Record<Role, readonly string[]> = {
  OWNER: [...READING, ...WORKING, ...ADMINISTERING, "accounts.join"],
  ADMIN: [...READING, ...WORKING, ...ADMINISTERING],
  MEMBER: [...READING, ...WORKING],
  VIEWER: READING,
};

/** What a user may do about itself, or for itself, whatever its role. */
const FOR_EVERYBODY = ["GET /v1/account", "POST /v1/institutions"];

const neededFor = ({ access, power }: { access: Access; power?: string }): string | undefined =>
  isPermission(access) ? access : power;
const cases = Object.entries(ROUTES).filter(
  ([, { access, testOnly }]) => access !== "public" && access !== "pending" && !testOnly,
);
const guarded = cases.flatMap(([route, spec]): { route: string; spec: Route; needed: string }[] => {
  const needed = neededFor(spec);
  return needed === undefined ? [] : [{ route, spec, needed }];
});

test("GAP-P01 every route that a user's token opens for an institution asks for something of the role", () => {
  expect(cases.filter(([, spec]) => neededFor(spec) === undefined).map(([route]) => route)).toEqual(FOR_EVERYBODY);
});

describe.each(ROLES)("GAP-P01 the role %s", (role) => {
  /** A member with this role, and one of everything that it can name. */
  const membership = async (spec: Route) => {
    const who = await customer(w);
    const token = await joined(w, who, await w.institution(), role);
    return { who, token, things: await thingsOf(w, who, spec) };
  };
  /** For all that is refused or reads: nothing happens to it, or the test of that route fails. */
  const untouched = sharedByRoutes(membership);

  test.each(guarded)("at $route, which needs $needed", async ({ route, spec, needed }) => {
    const mayDo = MAY[role].includes(needed);
    const { who, token, things } = await (mayDo && !isReading(route) ? membership : untouched)(spec);
    const call = () => callRoute(w, [route, spec], things, { token });
    if (mayDo) return expect((await call()).status).toBe(spec.opens);
    const before = await everything(w, who, things);
    const answer = await call();
    expect([answer.status, answer.body.code ?? answer.body.error]).toEqual([403, "FORBIDDEN_PERMISSION"]);
    expect(await everything(w, who, things)).toEqual(before);
  });
});

const members = (id: string, userId = "") => `/v1/institutions/${id}/members${userId && `/${userId}`}`;
const change = (token: string, id: string, userId: string, role: string) =>
  w.platform(members(id, userId), { token, method: "PATCH", body: { role } });
const remove = (token: string, id: string, userId: string) =>
  w.platform(members(id, userId), { token, method: "DELETE" });
const codeOf = ({ status, body }: { status: number; body: { code?: string } | undefined }) =>
  `${status}${body?.code ? ` ${body.code}` : ""}`;

describe("owners", () => {
  test("GAP-P01 are made, changed and removed by owners alone", async () => {
    const [owner, second, admin] = [await w.institution(), await w.institution(), await w.institution()];
    await joined(w, owner, second, "OWNER");
    const token = await joined(w, owner, admin, "ADMIN");
    const before = await w.platform(members(owner.id), { token });
    for (const answer of [
      await change(token, owner.id, admin.userId, "OWNER"),
      await change(token, owner.id, second.userId, "VIEWER"),
      await remove(token, owner.id, second.userId),
      await w.platform(members(owner.id), { token, body: { email: "nobody@example.com", role: "OWNER" } }),
    ])
      expect(codeOf(answer)).toBe("403 FORBIDDEN_PERMISSION");
    expect((await w.platform(members(owner.id), { token })).text).toBe(before.text);
    expect(codeOf(await change(owner.token, owner.id, second.userId, "VIEWER"))).toBe("200");
    expect(codeOf(await change(owner.token, owner.id, admin.userId, "OWNER"))).toBe("200");
  });

  test("GAP-P01 the last one cannot be removed, change role or leave: 409 LAST_OWNER", async () => {
    const [owner, admin] = [await w.institution(), await w.institution()];
    await joined(w, owner, admin, "ADMIN");
    for (const role of ["ADMIN", "MEMBER", "VIEWER"])
      expect(codeOf(await change(owner.token, owner.id, owner.userId, role))).toBe("409 LAST_OWNER");
    expect(codeOf(await remove(owner.token, owner.id, owner.userId))).toBe("409 LAST_OWNER");
    expect(codeOf(await change(owner.token, owner.id, owner.userId, "OWNER"))).toBe("200");
    made(await change(owner.token, owner.id, admin.userId, "OWNER"), 200);
    expect(codeOf(await remove(owner.token, owner.id, owner.userId))).toBe("204");
  });

  test("GAP-P01 of two who take the role from each other at the same moment one stays an owner", async () => {
    const [a, b] = [await w.institution(), await w.institution()];
    const token = await joined(w, a, b, "OWNER");
    const answers = await Promise.all([
      change(a.token, a.id, b.userId, "VIEWER"),
      change(token, a.id, a.userId, "VIEWER"),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { data } = (await w.platform(members(a.id), { token: a.token })).body;
    expect(data.filter(({ role }: { role: string }) => role === "OWNER")).toHaveLength(1);
  });
});

test("GAP-P01 what a role loses it loses at the next request, with the token that it has", async () => {
  const [owner, guest] = [await w.institution(), await w.institution()];
  const token = await joined(w, owner, guest, "ADMIN");
  expect((await w.platform("/v1/api-keys", { token })).status).toBe(200);
  made(await change(owner.token, owner.id, guest.userId, "VIEWER"), 200);
  expect(codeOf(await w.platform("/v1/api-keys", { token }))).toBe("403 FORBIDDEN_PERMISSION");
  expect(codeOf(await w.platform("/v1/channels", { token, body: { name: "A channel", type: "CHAT_WABA" } }))).toBe(
    "403 FORBIDDEN_PERMISSION",
  );
  expect((await w.platform("/v1/channels", { token })).status).toBe(200);
  made(await remove(owner.token, owner.id, guest.userId), 204);
  expect(codeOf(await w.platform("/v1/channels", { token }))).toBe("401 INVALID_TOKEN");
});

test("GAP-P01 everybody may leave by themselves, also a viewer", async () => {
  const [owner, guest] = [await w.institution(), await w.institution()];
  const token = await joined(w, owner, guest, "VIEWER");
  expect(codeOf(await remove(token, owner.id, guest.userId))).toBe("204");
  expect((await rowsOf(w, owner.id))["members"]).toBe(1);
});

test("GAP-P01 a member may be what the roles are, and nothing else; who is none is USER_NOT_FOUND", async () => {
  const owner = await w.institution();
  for (const role of ["owner", "", null, 7, undefined, "SUPER"]) {
    const answer = await w.platform(members(owner.id, owner.userId), {
      token: owner.token,
      method: "PATCH",
      body: { role },
    });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: "role" }] } });
  }
  expect(codeOf(await change(owner.token, owner.id, "none", "VIEWER"))).toBe("404 USER_NOT_FOUND");
});
