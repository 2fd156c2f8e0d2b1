import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { moveWebhook } from "../../support/servers/moved-webhook.ts";
import {
  type Customer,
  changeWebhook,
  connect,
  connectedChannel,
  made,
  sendText,
  wabaChannel,
  webhookBody,
} from "../../support/tenants/platform.ts";
import { type Answer, startWorld, type World } from "../../support/world.ts";

const PASSWORD = "canary-password-5e1f";
const SECRET = "canary-webhook-secret-77ab";
const NEW_SECRET = "canary-second-secret-c09d";
const WRONG_PASSWORD = "canary-wrong-password-31";

let w: World;
let dir: string;
/** Every answer of the platform by what asked for it. */
const answers: { what: string; text: string }[] = [];
let secrets: Record<string, string>;

/** A life with everything in it that is secret, in successes, refusals and failures. */
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "recado-secrets-"));
  w = await startWorld({ logLevel: "debug", env: { RECADO_DATA_DIR: dir } });
  const recorded = recording(w);
  const person = { name: "Ana", email: "ana@example.com", password: PASSWORD, institutionName: "Padaria" };
  const { token, institution, user } = made(await recorded.platform("/v1/auth/register", { body: person }), 201);
  await recorded.platform("/v1/auth/register", { body: person });
  await recorded.platform("/v1/auth/login", { body: { email: person.email, password: WRONG_PASSWORD } });
  await recorded.platform("/v1/auth/login", { body: { email: person.email, password: [WRONG_PASSWORD] } });
  await recorded.platform("/v1/auth/login", { body: { email: person.email, password: PASSWORD } });
  made(
    await w.gateway(`/v1/admin/institutions/${institution.id}`, {
      admin: true,
      method: "PATCH",
      body: { plan: "ENTERPRISE" },
    }),
    200,
  );
  const key = await recorded.platformKey(token);
  const testKey = await recorded.platformKey(token, { environment: "test" });
  const who: Customer = { id: institution.id, userId: user.id, email: person.email, token, key, testKey };
  const channel = await channelsAndSends(recorded, who);
  await webhooksAndFailures(recorded, who, channel.id);
  secrets = {
    password: PASSWORD,
    "wrong password": WRONG_PASSWORD,
    "live key": key,
    "test key": testKey,
    "webhook secret": SECRET,
    "second webhook secret": NEW_SECRET,
    "access token": channel.accessToken,
    "user token": token,
  };
});
afterAll(async () => {
  await w.stop();
  rmSync(dir, { recursive: true, force: true });
});

test("P-051 P-108 P-261 a secret is in no answer but the one that gives it out", () => {
  expect(answers.length).toBeGreaterThan(30);
  for (const [name, secret] of Object.entries(secrets)) {
    const givenBy = answers.filter(({ text }) => text.includes(secret)).map(({ what }) => what);
    expect([name, givenBy]).toEqual([name, GIVEN_OUT_BY[name] ?? []]);
  }
});

test("no log line holds a secret, on the level that says most", () => {
  expect(w.logs.length).toBeGreaterThan(5);
  for (const [name, secret] of Object.entries(secrets))
    expect([name, w.logs.filter((line) => line.includes(secret))]).toEqual([name, []]);
});

test("no file of the data directory holds a secret in clear, neither while serving nor after the end", async () => {
  const inFiles = () =>
    readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  const leaks = () =>
    Object.entries(secrets).flatMap(([name, secret]) =>
      inFiles().some((bytes) => bytes.includes(secret)) ? [name] : [],
    );
  const seesData = () => inFiles().join("").includes("ana@example.com");
  expect([seesData(), leaks()]).toEqual([true, []]);
  await w.restart(); // its end writes the whole log into the database
  expect([seesData(), leaks()]).toEqual([true, []]);
});

/** Which requests may show what. */
const GIVEN_OUT_BY: Record<string, string[]> = {
  "live key": ["POST /v1/api-keys"],
  "test key": ["POST /v1/api-keys"],
  "webhook secret": ["POST /v1/webhooks", "POST /v1/webhooks"],
  "user token": ["POST /v1/auth/register"],
};

/** The world, noting what its platform answers. */
const recording = (world: World): World => {
  const platform: World["platform"] = async (path, call = {}) => {
    const answer: Answer = await world.platform(path, call);
    answers.push({ what: `${call.method ?? (call.body === undefined ? "GET" : "POST")} ${path}`, text: answer.text });
    return answer;
  };
  const platformKey: World["platformKey"] = async (token, { environment = "live" } = {}) => {
    const permissions = ["channels.read", "channels.write", "messages.send", "webhooks.read", "webhooks.write"];
    return made(
      await platform("/v1/api-keys", { token, body: { name: "A key", permissions, environment, rateLimit: 10_000 } }),
      201,
    ).key;
  };
  return { ...world, app: world.app, platform, platformKey };
};

const channelsAndSends = async (world: World, who: Customer) => {
  const channel = await connectedChannel(world, who);
  made(await sendText(world, who.key, channel.id), 202);
  made(await sendText(world, who.testKey, channel.id), 202);
  await world.settle();
  await world.advance(1000);
  await world.platform(`/v1/channels/${channel.id}`, { key: who.key });
  await world.platform("/v1/channels", { key: who.key });
  await world.platform("/v1/channels", {
    key: who.key,
    body: { name: "A", type: "CHAT_SESSION", credentials: { accessToken: channel.accessToken } },
  });
  await world.platform("/v1/channels", {
    key: who.key,
    body: { name: "A", type: "CHAT_WABA", credentials: { accessToken: channel.accessToken } },
  });
  // a number whose upstream fails in many ways
  const troubled = await wabaChannel(world, who.key);
  await connect(world, who, troubled.id);
  for (const code of [131_026, 131_047, 190]) {
    world.graph.failNext(1, { kind: "error", code }, { phoneNumberId: troubled.phoneNumberId });
    made(await sendText(world, who.key, troubled.id), 202);
    await world.settle();
  }
  return channel;
};

const webhooksAndFailures = async (world: World, who: Customer, channelId: string) => {
  const gone = world.receiver();
  await gone.stop();
  const { key, testKey, token } = who;
  const { id } = made(
    await world.platform("/v1/webhooks", { key, body: webhookBody({ secret: SECRET, url: gone.url }) }),
    201,
  ).data;
  const { id: moved } = made(
    await world.platform("/v1/webhooks", { key, body: webhookBody({ secret: SECRET }) }),
    201,
  ).data;
  await moveWebhook(world, moved, "https://127.0.0.2:1/");
  await changeWebhook(world, key, id, { secret: NEW_SECRET });
  await world.platform(`/v1/webhooks/${id}`, {
    key,
    method: "PATCH",
    body: { secret: NEW_SECRET, url: "http://example.com" },
  });
  made(await sendText(world, testKey, channelId), 202);
  await world.settle();
  for (const path of ["/v1/webhooks", `/v1/webhooks/${id}`, `/v1/webhooks/${id}/logs`, `/v1/none?key=${key}`])
    await world.platform(path, { key });
  await world.platform("/v1/webhooks", { key, raw: `{"secret":"${SECRET}"` });
  for (const path of ["/v1/api-keys", "/v1/auth/institutions", `/v1/institutions/${who.id}/members`])
    await world.platform(path, { token });
  for (const bad of [`${key}x`, `${token}x`]) await world.platform("/v1/channels", { key: bad });
  await world.platform("/openapi.json");
};
