import { beforeAll, describe, expect, test } from "bun:test";
import { NOT_JSON } from "../../../src/apis/shared/http/bodies.ts";
import { type Customer, customer, made, rowsOf } from "../../support/tenants/platform.ts";
import { addressed, isPermission, NOTHING, ROUTES } from "../../support/tenants/platform-routes.ts";
import { useWorld } from "../../support/use-world.ts";

/** What no route reads, and what is said of it. */
const UNREADABLE = [
  { raw: "{", says: "The body is not JSON: it ends too early, at line 1, column 2." },
  { raw: "{}", headers: { "content-type": "text/plain" }, says: NOT_JSON },
  { raw: "[".repeat(100), says: "The body is nested deeper than 64 levels." },
];

const w = useWorld();
let who: Customer;
beforeAll(async () => {
  who = await customer(w);
});

describe("a body that cannot be read", () => {
  const writing = Object.entries(ROUTES).filter(
    ([route, { access }]) => !route.startsWith("GET ") && access !== "public",
  );

  test.each(writing)(
    "GAP-C11 %s asks for permission before it is looked at, and nothing happens",
    async (route, { access }) => {
      const key = await w.platformKey(who.token, { permissions: ["contacts.read"] });
      const before = await rowsOf(w, who.id);
      const { method, path } = addressed(route, { ...NOTHING, institutionId: who.id });
      for (const { says: _, ...one } of UNREADABLE) {
        const answer = await w.platform(path, { key, method, ...one });
        expect([access, answer.status, answer.body]).toEqual([
          access,
          403,
          { message: expect.any(String), code: "FORBIDDEN_PERMISSION" },
        ]);
      }
      expect(await rowsOf(w, who.id)).toEqual(before);
    },
  );

  test.each(writing)(
    "GAP-C11 %s refuses it where the permission is there, before it looks for anything",
    async (route, { access, testOnly, shape }) => {
      const as = isPermission(access) ? { key: testOnly ? who.testKey : who.key } : { token: who.token };
      const before = await rowsOf(w, who.id);
      const { method, path } = addressed(route, NOTHING);
      for (const { says, ...one } of UNREADABLE) {
        const { status, body } = await w.platform(path, { ...as, method, ...one });
        expect([one, status, shape === "webhooks" ? body.error : body.code, body.message]).toEqual([
          one,
          400,
          "VALIDATION_ERROR",
          says,
        ]);
      }
      expect(await rowsOf(w, who.id)).toEqual(before);
    },
  );

  test("P-350 counts as a request of its operation", async () => {
    const { key } = await customer(w);
    for (let n = 0; n < 10; n++) expect((await w.platform("/v1/bulk", { key, raw: "{" })).status).toBe(400);
    expect(await w.platform("/v1/bulk", { key, raw: "{" })).toMatchObject({
      status: 429,
      body: { code: "RATE_LIMIT_EXCEEDED" },
    });
  });

  test("P-020 registration and login say so in their shape", async () => {
    for (const path of ["/v1/auth/register", "/v1/auth/login"])
      expect(await w.platform(path, { raw: "{" })).toMatchObject({ status: 400, body: { error: UNREADABLE[0]?.says } });
    expect(made(await w.platform("/v1/channels", { key: who.key }), 200).data).toEqual([]);
  });
});
