import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { settingsFor } from "../support/billing.ts";
import { documentedRoutes, nameOf, type Route } from "../support/open-api.ts";
import { startProcessor } from "../support/processor/index.ts";
import { APP_ID } from "../support/signup.ts";
import { type SocialWorld, startSocialWorld } from "../support/social.ts";
import { IDEMPOTENCY_KEY, type Ids, newTenant, rowsAbout, type Tenant, wordsIn } from "../support/tenant.ts";
import { type Attempt, CASES, type Case, TEXT } from "../support/tenant-cases.ts";
import type { Answer, World } from "../support/world.ts";

const processor = startProcessor();
let s: SocialWorld;
let w: World;
let victim: Tenant;
let attacker: Tenant;
beforeAll(async () => {
  s = await startSocialWorld({ env: { RECADO_META_APP_ID: APP_ID, ...settingsFor(processor) } });
  ({ w } = s);
  victim = await newTenant(w, "victim");
  attacker = await newTenant(w, "attacker");
});
afterAll(() => Promise.all([s.stop(), processor.stop()]));

const unknownIds = (): Ids =>
  Object.fromEntries(
    Object.keys(victim.ids).map((name, n) => [
      name,
      name === "email" ? "nobody@example.com" : `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
    ]),
  ) as Ids;

const call = (
  route: Pick<Route, "api" | "method" | "path">,
  { params = {}, query, body, headers = {} }: Attempt,
  credentials: { key?: string; token?: string },
): Promise<Answer> => {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "missing");
  return w[route.api](`${path}${query ? `?${new URLSearchParams(query).toString()}` : ""}`, {
    ...credentials,
    method: route.method,
    headers,
    ...(body && route.method !== "GET" ? { body } : {}),
  });
};

const routeOf = (api: Route["api"], name: string): Pick<Route, "api" | "method" | "path"> => {
  const [method = "", path = ""] = name.split(" ");
  return { api, method, path };
};

const credentialsOf = ({ gatewayKey, key, testKey, token }: Tenant, api: Route["api"]) =>
  api === "gateway" ? [{ key: gatewayKey }] : [{ key }, { key: testKey }, { token }];

/**
 * What an answer reveals besides the ids in it: must be the same for a foreign thing as for one that does not exist.
 */
const revealed = ({ status, text: said }: Answer, ids: Ids) => ({
  status,
  said: Object.values(ids).reduce((so, id) => so.replaceAll(id, "<id>"), said),
});

for (const api of ["gateway", "platform"] as const) {
  test(`G-009 every route of the ${api}'s description has a case here`, async () => {
    expect((await documentedRoutes(w, api)).map(nameOf).toSorted()).toEqual(Object.keys(CASES[api]).toSorted());
  });

  describe(`the ${api} keeps tenants apart`, () => {
    for (const [name, tried] of Object.entries(CASES[api])) {
      if (tried === "stream") continue;
      test(`G-009 G-072 G-133 ${name}: another tenant's things are as if they did not exist, and nothing of them changes or shows`, async () => {
        const route = routeOf(api, name);
        const before = { rows: await rowsAbout(w, victim), arrived: victim.hook.arrived.length };
        const answers: Answer[] = [];
        for (const credentials of credentialsOf(attacker, api)) {
          const attempts = attemptsOf(tried, victim.ids);
          const unknowns = attemptsOf(tried, unknownIds());
          for (const [n, attempt] of attempts.entries()) {
            const answer = await call(route, attempt, credentials);
            answers.push(answer);
            if (tried === "admin") expect(answer.status).toBe(403);
            else if ("own" in tried) expect(answer.status).not.toBe(404);
            else
              expect(revealed(answer, victim.ids)).toEqual(
                revealed(await call(route, unknowns[n] ?? {}, credentials), unknownIds()),
              );
          }
        }
        expect(answers.length).toBeGreaterThan(0);
        expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
        expect(wordsIn(victim, answers)).toEqual([]);
        expect({ rows: await rowsAbout(w, victim), arrived: victim.hook.arrived.length }).toEqual(before);
      });
    }
  });
}

const attemptsOf = (tried: Exclude<Case, "stream">, ids: Ids): Attempt[] => {
  if (tried === "admin")
    return [
      { params: { id: ids.tenantId }, body: { name: "Mine", plan: "FREE", accountId: ids.tenantId, advanceMs: 1 } },
      { params: { id: ids.gatewayKeyId } },
    ];
  return "own" in tried ? [tried.own(ids)] : tried.foreign(ids, attacker.ids);
};

test("G-009 an idempotency key that another account used is still new to this one", async () => {
  const body = {
    ...TEXT,
    phoneId: attacker.ids.phoneId,
    content: { text: "attacker text" },
    idempotencyKey: IDEMPOTENCY_KEY,
  };
  const repeat = await w.gateway("/v1/messages", { key: attacker.gatewayKey, body });
  expect([repeat.status, repeat.body.messageId]).toEqual([200, attacker.ids.messageId]);
  const third = await newTenant(w, "third");
  expect(third.ids.messageId).not.toBe(attacker.ids.messageId);
});

test("G-009 G-597 the stream has the events of one's own account alone, whatever phone or event is named", async () => {
  const ending = new AbortController();
  const streams = await Promise.all(
    [
      { query: "", header: "" },
      { query: `?phoneId=${victim.ids.phoneId}`, header: victim.ids.eventId },
      { query: "", header: victim.ids.eventId },
    ].map(({ query, header }) =>
      fetch(`${w.app.url}/gateway/v1/events/stream${query}`, {
        headers: { "x-api-key": attacker.gatewayKey, ...(header ? { "last-event-id": header } : {}) },
        signal: ending.signal,
      }),
    ),
  );
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
  const texts = streams.map(() => "");
  const reading = streams.map(async (stream, n) => {
    for await (const chunk of stream.body ?? []) texts[n] += new TextDecoder().decode(chunk);
  });
  for (const one of [victim, attacker])
    await w.graph.inbound.text({ to: one.phoneNumberId, from: "5511999990003", text: `for ${one.ids.tenantId}` });
  await w.settle();
  for (let turn = 0; turn < 1000 && !texts[0]?.includes(attacker.ids.tenantId); turn++) await w.gateway("/health");
  expect(texts[0]).toContain(`for ${attacker.ids.tenantId}`);
  ending.abort();
  await Promise.allSettled(reading);
  expect(
    wordsIn(
      victim,
      texts.map((said) => ({ text: said })),
    ),
  ).toEqual([]);
});

test("G-009 what arrives at a tenant's webhooks is its own", async () => {
  await w.settle();
  for (const [one, other] of [
    [victim, attacker],
    [attacker, victim],
  ] as const) {
    const arrived = one.hook.arrived.map(({ raw }) => ({ text: raw }));
    expect(arrived.length).toBeGreaterThan(2);
    expect(wordsIn(other, arrived)).toEqual([]);
  }
});
