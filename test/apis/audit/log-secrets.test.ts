import { afterAll, beforeAll, expect, test } from "bun:test";
import { settingsFor, WEBHOOK_TOKEN } from "../../support/billing/billing.ts";
import { rowsOf } from "../../support/customers/customer.ts";
import { arrives } from "../../support/customers/media.ts";
import { startLlm } from "../../support/llm/index.ts";
import { giveAgent } from "../../support/llm/world.ts";
import { startProcessor } from "../../support/processor/index.ts";
import { ADMIN_TOKEN, APP_SECRET, startWorld, VERIFY_TOKEN, type World } from "../../support/world.ts";

const processor = startProcessor();
const llm = startLlm();
let w: World;
beforeAll(async () => {
  w = await startWorld({
    logLevel: "debug",
    env: { ...settingsFor(processor), RECADO_LLM_URL: llm.url, RECADO_GATEWAY_RATE: "100000" },
  });
});
afterAll(() => Promise.all([w.stop(), processor.stop(), llm.stop()]));

const HOOK_SECRET = "canary-secret-of-a-webhook";
const LLM_KEY = "sk-canary-of-a-provider";
const PASSWORD = "canary-password-1";
const EMAIL = "canary.person@example.com";
const TEXT = "canary words of a customer";
const NUMBER = "5511987650001";

/** Everything that a log must not hold, by what it is. */
const secrets = new Map<string, string>([
  ["admin token", ADMIN_TOKEN],
  ["webhook secret", HOOK_SECRET],
  ["key of a provider", LLM_KEY],
  ["password", PASSWORD],
  ["e-mail", EMAIL],
  ["text", TEXT],
  ["number", NUMBER],
  ["app secret", APP_SECRET],
  ["verify token", VERIFY_TOKEN],
  ["key of the processor", processor.apiKey],
  ["token of the processor", WEBHOOK_TOKEN],
]);
const keep = (name: string, value: string): string => {
  if (value.length < 8) throw new Error(`${name} is no secret: ${value}`);
  secrets.set(name, value);
  return value;
};

/** A customer of the gateway who does well at first, and then whatever can go wrong with it. */
const useGateway = async () => {
  const { key } = await w.account();
  keep("API key", key);
  const hook = w.receiver();
  const phone = await w.wabaPhone(key, { webhook: { url: hook.url, secret: HOOK_SECRET } });
  keep("access token", phone.accessToken);
  const call = (path: string, body?: object, method?: string) =>
    w.gateway(path, { key, ...(body ? { body } : {}), ...(method ? { method } : {}) });
  await call("/v1/account/integrations/llm", { apiKey: LLM_KEY }, "PATCH");
  await giveAgent(w, { key, phone });
  await call("/v1/webhooks", { label: "Shared", url: hook.url, secret: HOOK_SECRET });
  const send = () => call("/v1/messages", { phoneId: phone.id, to: NUMBER, type: "text", content: { text: TEXT } });
  await send();
  await arrives(w, { phone }, { caption: TEXT });
  await w.settle();
  hook.reply(() => new Response(`you sent ${TEXT}`, { status: 500 }));
  w.graph.failNext(1, { kind: "error", code: 190, details: TEXT }, { phoneNumberId: phone.phoneNumberId });
  await send();
  await w.settle();
  await call("/v1/messages", { phoneId: phone.id, to: NUMBER, type: "text", content: { text: TEXT, [TEXT]: 1 } });
  await w.gateway("/v1/messages", {
    key,
    raw: `{"to":"${NUMBER}", "text": "${TEXT}`,
    headers: { "content-type": "application/json" },
  });
  await w.gateway("/v1/phones", { key: `${key}x` });
  await w.gateway("/v1/admin/accounts", { headers: { "x-admin-token": `${ADMIN_TOKEN}x` } });
  await w.gateway("/v1/upstream-webhook?hub.mode=subscribe&hub.challenge=1&hub.verify_token=" + VERIFY_TOKEN);
  await w.gateway("/v1/payment-webhook", {
    body: { event: TEXT },
    headers: { "asaas-access-token": `${WEBHOOK_TOKEN}x` },
  });
};

/** A user of the platform, the same. */
const usePlatform = async () => {
  const { body } = await w.platform("/v1/auth/register", {
    body: { name: "Canary", email: EMAIL, password: PASSWORD, institutionName: "Canary" },
  });
  const token = keep("user token", body.token);
  await w.platform("/v1/auth/login", { body: { email: EMAIL, password: `${PASSWORD}x` } });
  const key = keep("platform key", await w.platformKey(token));
  const hook = w.receiver();
  await w.platform("/v1/webhooks", {
    key,
    body: { name: "Hook", url: hook.url, events: ["message.received"], secret: HOOK_SECRET },
  });
  await w.platform("/v1/contacts", { key, body: { name: TEXT, phoneNumber: NUMBER, email: EMAIL } });
  await w.platform("/v1/channels", { key: `${key}x` });
  await w.platform("/v1/channels", { token: `${token}x` });
};

/** What nobody has foreseen: a table is gone. */
const breakTables = async () => {
  const { key } = await w.account();
  const { token } = await w.institution();
  const platformKey = await w.platformKey(token);
  const [phone] = await rowsOf<{ id: string }>(w, "SELECT id FROM channels LIMIT 1");
  for (const table of ["messages", "contacts"])
    await w.app.env.db.write(async (tx) => tx.run(`ALTER TABLE ${table} RENAME TO ${table}_gone`));
  const undescribed = "the server is broken on purpose";
  const failed = await w.gateway(`/v1/messages/${phone?.id}`, { key, undescribed });
  const failedThere = await w.platform("/v1/contacts", {
    key: platformKey,
    body: { name: TEXT, phoneNumber: NUMBER, email: EMAIL },
    undescribed,
  });
  return [failed, failedThere];
};

test("whatever is done through both APIs, the log holds no secret, no text and no number; what fails there is logged with the request's id", async () => {
  await useGateway();
  await usePlatform();
  const failures = await breakTables();
  const log = w.logs.join("");
  expect(w.logs.length).toBeGreaterThan(20);
  expect([...secrets].filter(([, secret]) => log.includes(secret)).map(([name]) => name)).toEqual([]);
  const received = w.logs
    .map((line) => JSON.parse(line) as { msg: string; requestId?: string; method?: string; route?: string })
    .filter(({ msg }) => msg === "request failed");
  expect(failures.map(({ status }) => status)).toEqual([500, 500]);
  expect(received.map(({ requestId, method, route }) => [requestId, method, route])).toEqual([
    [failures[0]?.headers.get("x-request-id") ?? "none", "GET", "/gateway/v1/messages/:id"],
    [failures[1]?.headers.get("x-request-id") ?? "none", "POST", "/platform/v1/contacts/"],
  ]);
});
