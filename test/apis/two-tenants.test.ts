import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { documentedRoutes, nameOf } from "../support/apis/open-api.ts";
import { settingsFor } from "../support/billing/billing.ts";
import { APP_ID } from "../support/customers/signup.ts";
import { type SocialWorld, startSocialWorld } from "../support/networks/social.ts";
import { startProcessor } from "../support/processor/index.ts";
import {
  type Attempt,
  attemptsOf,
  type IsolatedRoute,
  isolatedRoutes,
  isStream,
} from "../support/tenants/isolation.ts";
import { TEXT } from "../support/tenants/isolation-fixtures.ts";
import { IDEMPOTENCY_KEY, type Ids, newTenant, rowsAbout, type Tenant, wordsIn } from "../support/tenants/tenant.ts";
import type { Answer, World } from "../support/world.ts";

const processor = startProcessor();
let s: SocialWorld;
let w: World;
let victim: Tenant;
let attacker: Tenant;
beforeAll(async () => {
  s = await startSocialWorld({
    env: { RECADO_META_APP_ID: APP_ID, ...settingsFor(processor), RECADO_GATEWAY_RATE: "100000" },
  });
  ({ w } = s);
  victim = await newTenant(w, "victim");
  attacker = await newTenant(w, "attacker");
});
afterAll(() => Promise.all([s.stop(), processor.stop()]));

const MINUTE_MS = 60_000;
const unknownIds = (): Ids =>
  Object.fromEntries(
    Object.keys(victim.ids).map((name, n) => [
      name,
      name === "email" ? "nobody@example.com" : `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
    ]),
  ) as Ids;

const call = (
  route: Pick<IsolatedRoute, "api" | "method" | "path">,
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

const credentialsOf = ({ gatewayKey, key, testKey, token }: Tenant, api: IsolatedRoute["api"]) =>
  api === "gateway" ? [{ key: gatewayKey }] : [{ key }, { key: testKey }, { token }];

/**
 * What an answer reveals besides the ids in it: must be the same for a foreign thing as for one that does not exist.
 */
const revealed = ({ status, text: said }: Answer, ids: Ids) => ({
  status,
  said: Object.values(ids).reduce((so, id) => so.replaceAll(id, "<id>"), said),
});

const attemptsAt = (route: IsolatedRoute, ids: Ids): Attempt[] =>
  route.isolation === "administrator" ? administrators(ids) : attemptsOf(route, ids, attacker.ids);

/** What is no page of one's own list is no page at all. */
const namesPage = ({ query = {} }: Attempt): boolean => "cursor" in query || "before" in query;

const administrators = ({ tenantId, gatewayKeyId }: Ids): Attempt[] => [
  { params: { id: tenantId }, body: { name: "Mine", plan: "FREE", accountId: tenantId, advanceMs: 1 } },
  { params: { id: gatewayKeyId } },
];

/** Asks for another tenant's thing, or what its route allows instead, and expects what any stranger would get. */
const tried = async (
  route: IsolatedRoute,
  { attempt, unknown }: { attempt: Attempt; unknown: Attempt },
  credentials: { key?: string; token?: string },
): Promise<Answer> => {
  const answer = await call(route, attempt, credentials);
  if (route.isolation === "administrator") expect(answer.status).toBe(403);
  else if (typeof route.isolation === "string" || attempt.namesNothing) expect(answer.status).not.toBe(404);
  else {
    expect(revealed(answer, victim.ids)).toEqual(revealed(await call(route, unknown, credentials), unknownIds()));
    if (!namesPage(attempt)) expect(answer.text).not.toContain("VALIDATION_ERROR"); // or nothing was tried
  }
  return answer;
};

for (const api of ["gateway", "platform"] as const) {
  test(`G-009 every route of the ${api}'s description has a case here`, async () => {
    const described = (await documentedRoutes(w, api)).map(nameOf);
    expect(isolatedRoutes(api).map(nameOf).toSorted()).toEqual(described.toSorted());
    // has a test of its own below
    expect(isolatedRoutes(api).filter(isStream).map(nameOf)).toEqual(
      api === "gateway" ? ["GET /v1/events/stream"] : [],
    );
  });

  describe(`the ${api} keeps tenants apart`, () => {
    for (const route of isolatedRoutes(api)) {
      if (isStream(route)) continue;
      test(`G-009 G-072 G-133 ${route.name}: another tenant's things are as if they did not exist, and nothing of them changes or shows`, async () => {
        for (const credentials of credentialsOf(attacker, api)) {
          await w.advance(MINUTE_MS); // a new rate window
          const before = { rows: await rowsAbout(w, victim), arrived: victim.hook.arrived.length };
          const answers: Answer[] = [];
          const unknowns = attemptsAt(route, unknownIds());
          for (const [n, attempt] of attemptsAt(route, victim.ids).entries())
            answers.push(await tried(route, { attempt, unknown: unknowns[n] ?? {} }, credentials));
          expect(answers.length).toBeGreaterThan(0);
          expect(answers.filter(({ status }) => status >= 500 || status === 429)).toEqual([]);
          expect(wordsIn(victim, answers)).toEqual([]);
          expect({ rows: await rowsAbout(w, victim), arrived: victim.hook.arrived.length }).toEqual(before);
        }
      });
    }
  });
}

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
