import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { documentedRoutes, nameOf, type Route } from "../support/open-api.ts";
import { APP_ID } from "../support/signup.ts";
import { REDIRECT, type SocialWorld, startSocialWorld } from "../support/social.ts";
import { TEMPLATE } from "../support/templates.ts";
import { IDEMPOTENCY_KEY, type Ids, newTenant, rowsAbout, type Tenant, wordsIn } from "../support/tenant.ts";
import { type Answer, WEBHOOK_SECRET, type World } from "../support/world.ts";

let s: SocialWorld;
let w: World;
let victim: Tenant;
let attacker: Tenant;
beforeAll(async () => {
  s = await startSocialWorld({ env: { RECADO_META_APP_ID: APP_ID } });
  ({ w } = s);
  victim = await newTenant(w, "victim");
  attacker = await newTenant(w, "attacker");
});
afterAll(() => s.stop());

type Params = Record<string, string>;
type Attempt = { params?: Params; query?: Params; body?: object; headers?: Params };
/**
 * How a route is tried. `own`: it should name nothing that exists, so it is called as it is meant, and what it answers is searched. `foreign`: the ways
 * of naming something of another tenant in it. `admin`: only the administrator may. `stream`: has a test of its own.
 */
type Case = { own: (foreign: Ids) => Attempt } | { foreign: (ids: Ids, own: Ids) => Attempt[] } | "admin" | "stream";

const text = { type: "text", content: { text: "olá" }, to: "5511999990001" };
const webhook = { url: "https://hooks.example.com/mine", secret: WEBHOOK_SECRET };
const own = (attempt: Attempt = {}): Case => ({ own: () => attempt });
const byId = (pick: (ids: Ids) => string, rest: Attempt = {}): Case => ({ foreign: (ids) => [{ ...rest, params: { id: pick(ids) } }] });
const byChannel = (rest: Attempt = {}): Case => ({ foreign: ({ phoneId }) => [{ ...rest, params: { channelId: phoneId } }] });
const onMessage = (input: object): Case => ({
  foreign: ({ phoneId, messageId }, mine) => [
    { params: { id: messageId }, body: { ...input, phoneId } },
    { params: { id: messageId }, body: { ...input, phoneId: mine.phoneId } },
    { params: { id: mine.messageId }, body: { ...input, phoneId } },
  ],
});
const SOME_TIME = "2027-01-01T00:00:00Z";
const UPLOAD = { mediaUrl: "https://files.example.com/a.png", mimeType: "image/png" };
const throughPhone = (rest: Attempt): Case => ({ foreign: ({ phoneId }) => [{ ...rest, headers: { "x-phone-id": phoneId } }] });
const byEvent: Case = { foreign: ({ eventId, deliveryId, messageId }) => [eventId, deliveryId, messageId].map((id) => ({ params: { id } })) };

const flow = { name: "Mine", categories: ["SURVEY"] };
const sealed = { encrypted_flow_data: "AAAA", encrypted_aes_key: "AAAA", initial_vector: "AAAA" };

const GATEWAY: Record<string, Case> = {
  "GET /health": own(),
  "GET /health/ready": own(),
  "GET /versao": own(),
  "GET /v1/upstream-webhook": own(),
  "POST /v1/upstream-webhook": own({ body: {} }),
  "POST /v1/phones": { own: ({ tenantId, sharedId }) => ({ body: { type: "SESSION", label: "Mine", accountId: tenantId, sharedWebhookId: sharedId } }) },
  "GET /v1/phones": { foreign: ({ tenantId }) => [{}, { query: { accountId: tenantId, tenantId } }] },
  "GET /v1/phones/{id}": byId((ids) => ids.phoneId),
  "PATCH /v1/phones/{id}": {
    foreign: ({ phoneId, sharedId }, mine) => [
      { params: { id: phoneId }, body: { webhook } },
      { params: { id: mine.phoneId }, body: { sharedWebhookId: sharedId } },
    ],
  },
  "DELETE /v1/phones/{id}": { foreign: ({ phoneId }) => [{ params: { id: phoneId } }, { params: { id: phoneId }, query: { deregister: "true" } }] },
  "GET /v1/phones/{id}/qrcode": byId((ids) => ids.phoneId),
  "GET /v1/phones/{id}/pairing-code": byId((ids) => ids.phoneId),
  "POST /v1/phones/{id}/pairing-code": byId((ids) => ids.phoneId, { body: { phoneNumber: "5511999990001" } }),
  "POST /v1/phones/{id}/logout": byId((ids) => ids.phoneId),
  "POST /v1/phones/{id}/reconnect": byId((ids) => ids.phoneId),
  "GET /v1/phones/{id}/identities/resolve": byId((ids) => ids.phoneId, { query: { key: "5511999990001" } }),
  "GET /v1/phones/waba/embedded-signup/config": own(),
  "POST /v1/phones/waba/embedded-signup": { own: () => ({ body: { code: "a code of nobody", wabaId: "1", phoneNumberId: victim.phoneNumberId } }) },
  "GET /v1/phones/social/oauth/config": own(),
  "POST /v1/phones/social/oauth": own({ body: { code: "a code of nobody", redirectUri: REDIRECT } }),
  "POST /v1/phones/{id}/rotate-token": byId((ids) => ids.phoneId, { body: { accessToken: "EAAtoken" } }),
  "GET /v1/phones/{id}/business-profile": byId((ids) => ids.phoneId),
  "PATCH /v1/phones/{id}/business-profile": byId((ids) => ids.phoneId, { body: { about: "Mine" } }),
  "POST /v1/phones/{id}/name-change": byId((ids) => ids.phoneId, { body: { displayName: "Mine" } }),
  "GET /v1/phones/{id}/name-change": byId((ids) => ids.phoneId),
  "POST /v1/phones/{id}/contacts/sync": byId((ids) => ids.phoneId, { body: {} }),
  "POST /v1/phones/{id}/flows-keypair": byId((ids) => ids.phoneId),
  "GET /v1/phones/{id}/flows-keypair": byId((ids) => ids.phoneId),
  "POST /v1/flows": { foreign: ({ phoneId }) => [{ body: { ...flow, phoneId } }] },
  "GET /v1/flows": { foreign: ({ phoneId, flowId }) => [{ query: { phoneId } }, { query: { cursor: flowId } }] },
  "GET /v1/flows/{id}": byId((ids) => ids.flowId),
  "PATCH /v1/flows/{id}": byId((ids) => ids.flowId, { body: flow }),
  "DELETE /v1/flows/{id}": byId((ids) => ids.flowId),
  "POST /v1/flows/{id}/publish": byId((ids) => ids.flowId),
  "POST /v1/flows/{id}/deprecate": byId((ids) => ids.flowId),
  "POST /v1/flows/{id}/sync": byId((ids) => ids.flowId),
  "POST /v1/flows/data-exchange/{flowId}": { own: ({ flowId }) => ({ params: { flowId }, body: sealed }) }, // the network names the flow; what is not sealed with its phone's key is refused
  "POST /v1/lookup": { foreign: ({ phoneId }) => [{ body: { phoneId, numbers: ["5511999990001"] } }] },
  "POST /v1/messages": {
    foreign: ({ phoneId, messageId }, mine) => [
      { body: { ...text, phoneId } },
      { body: { ...text, phoneId, idempotencyKey: IDEMPOTENCY_KEY } },
      { body: { ...text, phoneId: mine.phoneId, quotedMessageId: messageId } },
    ],
  },
  "GET /v1/messages/{id}": byId((ids) => ids.messageId),
  "POST /v1/templates": { foreign: ({ phoneId }) => [{ body: { ...TEMPLATE, phoneId } }, { body: { ...TEMPLATE, phoneId, name: "victim_template" } }] },
  "GET /v1/templates": { foreign: ({ phoneId }) => [{}, { query: { phoneId } }, { query: { name: "victim_template" } }] },
  "GET /v1/templates/{id}": byId((ids) => ids.templateId),
  "PATCH /v1/templates/{id}": { foreign: ({ templateId }) => [{ params: { id: templateId } }, { params: { id: templateId }, body: { category: "MARKETING" } }] },
  "DELETE /v1/templates/{id}": byId((ids) => ids.templateId),
  "POST /v1/templates/sync": { foreign: ({ phoneId }) => [{ body: { phoneId } }] },
  "POST /v1/messages/{id}/react": onMessage({ emoji: "👍" }),
  "POST /v1/messages/{id}/edit": onMessage({ text: "olá" }),
  "POST /v1/messages/{id}/read": onMessage({}),
  "POST /v1/messages/{id}/typing": onMessage({}),
  "DELETE /v1/messages/{id}": {
    foreign: ({ phoneId, messageId }, mine) => [
      { params: { id: messageId }, query: { phoneId } },
      { params: { id: messageId }, query: { phoneId: mine.phoneId } },
      { params: { id: mine.messageId }, query: { phoneId } },
    ],
  },
  "POST /v1/messages/scheduled": { foreign: ({ phoneId }) => [{ body: { scheduledAt: SOME_TIME, payload: { ...text, phoneId } } }] },
  "GET /v1/messages/scheduled": { foreign: ({ phoneId, scheduledId }) => [{}, { query: { phoneId } }, { query: { cursor: scheduledId } }] },
  "GET /v1/messages/scheduled/{id}": byId((ids) => ids.scheduledId),
  "PATCH /v1/messages/scheduled/{id}": byId((ids) => ids.scheduledId, { body: { scheduledAt: SOME_TIME } }),
  "DELETE /v1/messages/scheduled/{id}": byId((ids) => ids.scheduledId),
  "GET /v1/media/{id}": byId((ids) => ids.mediaId),
  "GET /v1/media/{id}/info": byId((ids) => ids.mediaId),
  "POST /v1/media/{id}/ack": byId((ids) => ids.mediaId),
  "POST /v1/media/upload": throughPhone({ body: UPLOAD }),
  "POST /v1/media/upload/resumable": throughPhone({ body: { ...UPLOAD, fileName: "a.png", appId: APP_ID } }),
  "DELETE /v1/media/upstream/{upstreamId}": throughPhone({ params: { upstreamId: "123" } }),
  "GET /files/{accountId}/{mediaId}": {
    foreign: ({ tenantId, mediaId }) => [{ params: { accountId: tenantId, mediaId } }, { params: { accountId: tenantId, mediaId }, query: { exp: "9999999999", sig: "x" } }],
  },
  "POST /v1/webhooks": own({ body: { ...webhook, label: "Mine" } }),
  "GET /v1/webhooks": own(),
  "GET /v1/webhooks/{id}": { foreign: ({ sharedId, webhookId }) => [sharedId, webhookId].map((id) => ({ params: { id } })) },
  "PATCH /v1/webhooks/{id}": { foreign: ({ sharedId, webhookId }) => [sharedId, webhookId].map((id) => ({ params: { id }, body: { ...webhook, label: "Mine" } })) },
  "DELETE /v1/webhooks/{id}": { foreign: ({ sharedId, webhookId }) => [sharedId, webhookId].map((id) => ({ params: { id } })) },
  "GET /v1/events": { foreign: ({ phoneId, eventId }) => [{ query: { phoneId } }, { query: { cursor: eventId } }] },
  "GET /v1/events/stream": "stream",
  "GET /v1/events/{id}": byEvent,
  "POST /v1/events/{id}/replay": byEvent,
  "POST /v1/admin/accounts": "admin",
  "GET /v1/admin/accounts": "admin",
  "GET /v1/admin/accounts/{id}": "admin",
  "PATCH /v1/admin/accounts/{id}": "admin",
  "PATCH /v1/admin/institutions/{id}": "admin",
  "POST /v1/admin/accounts/{id}/api-keys": "admin",
  "GET /v1/admin/accounts/{id}/api-keys": "admin",
  "POST /v1/admin/api-keys/{id}/revoke": "admin",
  "GET /v1/admin/dead-letters": "admin",
  "POST /v1/admin/dead-letters/replay": "admin",
  "POST /v1/admin/clock": "admin",
};

const PLATFORM: Record<string, Case> = {
  "POST /v1/auth/register": own({ body: { name: "Somebody", email: "somebody@example.com", password: "password-1", institutionName: "Some Company" } }),
  "POST /v1/auth/login": { foreign: ({ email }) => [{ body: { email, password: "password-of-another" } }] },
  "POST /v1/auth/select-institution": { foreign: ({ tenantId }) => [{ body: { institutionId: tenantId } }] },
  "GET /v1/auth/institutions": own(),
  "POST /v1/institutions": own({ body: { name: "Another Company" } }),
  "POST /v1/institutions/{institutionId}/members": { foreign: ({ tenantId }, mine) => [{ params: { institutionId: tenantId }, body: { email: mine.email } }] },
  "GET /v1/institutions/{institutionId}/members": { foreign: ({ tenantId }) => [{ params: { institutionId: tenantId } }] },
  "DELETE /v1/institutions/{institutionId}/members/{userId}": {
    foreign: ({ tenantId, userId }, mine) => [
      { params: { institutionId: tenantId, userId } },
      { params: { institutionId: mine.tenantId, userId } },
      { params: { institutionId: tenantId, userId: mine.userId } },
    ],
  },
  "POST /v1/api-keys": own({ body: { name: "Mine", permissions: ["channels.read"] } }),
  "GET /v1/api-keys": own(),
  "DELETE /v1/api-keys/{apiKeyId}": { foreign: ({ keyId, gatewayKeyId }) => [keyId, gatewayKeyId].map((apiKeyId) => ({ params: { apiKeyId } })) },
  "POST /v1/channels": own({ body: { name: "Mine", type: "CHAT_SESSION" } }),
  "GET /v1/channels": own(),
  "GET /v1/channels/{channelId}": byChannel(),
  "POST /v1/channels/{channelId}/connect": byChannel(),
  "POST /v1/channels/{channelId}/disconnect": byChannel(),
  "DELETE /v1/channels/{channelId}": byChannel(),
  "POST /v1/channels/{channelId}/messages/text": byChannel({ body: { to: "5511999990001", text: "olá" } }),
  "POST /v1/webhooks": own({ body: { ...webhook, name: "Mine", events: ["message.sent"] } }),
  "GET /v1/webhooks": own(),
  "GET /v1/webhooks/{id}": { foreign: ({ webhookId, sharedId }) => [webhookId, sharedId].map((id) => ({ params: { id } })) },
  "PATCH /v1/webhooks/{id}": byId((ids) => ids.webhookId, { body: { name: "Mine", active: false } }),
  "PUT /v1/webhooks/{id}": byId((ids) => ids.webhookId, { body: { name: "Mine", url: webhook.url } }),
  "DELETE /v1/webhooks/{id}": byId((ids) => ids.webhookId),
  "GET /v1/webhooks/{id}/logs": byId((ids) => ids.webhookId),
};

const CASES = { gateway: GATEWAY, platform: PLATFORM };

const unknownIds = (): Ids =>
  Object.fromEntries(Object.keys(victim.ids).map((name, n) => [name, name === "email" ? "nobody@example.com" : `00000000-0000-4000-8000-00000000000${n.toString(16)}`])) as Ids;

const call = (
  route: Pick<Route, "face" | "method" | "path">,
  { params = {}, query, body, headers = {} }: Attempt,
  credentials: { key?: string; token?: string },
): Promise<Answer> => {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "missing");
  return w[route.face](`${path}${query ? `?${new URLSearchParams(query).toString()}` : ""}`, {
    ...credentials,
    method: route.method,
    headers,
    ...(body && route.method !== "GET" ? { body } : {}),
  });
};

const routeOf = (face: Route["face"], name: string): Pick<Route, "face" | "method" | "path"> => {
  const [method = "", path = ""] = name.split(" ");
  return { face, method, path };
};

const credentialsOf = ({ gatewayKey, key, token }: Tenant, face: Route["face"]) => (face === "gateway" ? [{ key: gatewayKey }] : [{ key }, { token }]);

/** What an answer tells apart from the ids in it: must be the same for a foreign thing as for one that does not exist. */
const told = ({ status, text: said }: Answer, ids: Ids) => ({ status, said: Object.values(ids).reduce((so, id) => so.replaceAll(id, "<id>"), said) });

for (const face of ["gateway", "platform"] as const) {
  test(`G-009 every route of the ${face}'s description has a case here`, async () => {
    expect((await documentedRoutes(w, face)).map(nameOf).toSorted()).toEqual(Object.keys(CASES[face]).toSorted());
  });

  describe(`the ${face} keeps tenants apart`, () => {
    for (const [name, tried] of Object.entries(CASES[face])) {
      if (tried === "stream") continue;
      test(`G-009 G-072 G-133 ${name}: another tenant's things are as if they did not exist, and nothing of them changes or shows`, async () => {
        const route = routeOf(face, name);
        const before = { rows: await rowsAbout(w, victim), arrived: victim.hook.arrived.length };
        const answers: Answer[] = [];
        for (const credentials of credentialsOf(attacker, face)) {
          const attempts = attemptsOf(tried, victim.ids);
          const unknowns = attemptsOf(tried, unknownIds());
          for (const [n, attempt] of attempts.entries()) {
            const answer = await call(route, attempt, credentials);
            answers.push(answer);
            if (tried === "admin") expect(answer.status).toBe(403);
            else if ("own" in tried) expect(answer.status).not.toBe(404);
            else expect(told(answer, victim.ids)).toEqual(told(await call(route, unknowns[n] ?? {}, credentials), unknownIds()));
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
    return [{ params: { id: ids.tenantId }, body: { name: "Mine", plan: "FREE", accountId: ids.tenantId, advanceMs: 1 } }, { params: { id: ids.gatewayKeyId } }];
  return "own" in tried ? [tried.own(ids)] : tried.foreign(ids, attacker.ids);
};

test("G-009 an idempotency key that another account used is still new to this one", async () => {
  const body = { ...text, phoneId: attacker.ids.phoneId, idempotencyKey: IDEMPOTENCY_KEY };
  const repeat = await w.gateway("/v1/messages", { key: attacker.gatewayKey, body });
  expect([repeat.status, repeat.body.messageId]).toEqual([200, attacker.ids.messageId]);
  const third = await newTenant(w, "third");
  expect(third.ids.messageId).not.toBe(attacker.ids.messageId);
});

test("G-009 G-597 the stream tells of one's own account alone, whatever phone or event is named", async () => {
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
  for (const one of [victim, attacker]) await w.graph.inbound.text({ to: one.phoneNumberId, from: "5511999990003", text: `for ${one.ids.tenantId}` });
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
