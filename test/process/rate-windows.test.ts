import { expect, test } from "bun:test";
import { join } from "node:path";
import { MINUTE_MS } from "../../src/kernel/clock.ts";
import { openWriter } from "../../src/store/engine/connection.ts";
import { clientOf } from "../support/client.ts";
import { processes, type Server } from "../support/processes/process.ts";
import { ADMIN_TOKEN, WEBHOOK_SECRET } from "../support/world.ts";

const { dataDir, serve } = processes();

const PLAN_LIMIT = 20;
const KEY_LIMIT = 12;
const ACCOUNT_LIMIT = 10;

test.each(["SIGKILL", "SIGTERM"] as const)(
  "P-160 P-161 P-163 G-103 after %s every window goes on where it was: the institution's, the key's, the account's",
  async (signal) => {
    const settings = {
      RECADO_DATA_DIR: dataDir(),
      RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
      RECADO_TEST_CLOCK: "1",
      RECADO_GATEWAY_RATE: String(ACCOUNT_LIMIT),
      RECADO_ADDRESS_RATE: "1000",
    };
    const before = await serve(settings);
    const client = clientOf(before, ADMIN_TOKEN);
    const { token } = (
      await platform(before, "", "/v1/auth/register", {
        name: "A",
        email: "a@example.com",
        password: "password-1",
        institutionName: "B",
      })
    ).body;
    const { key } = (
      await platform(before, token, "/v1/api-keys", {
        name: "A key",
        permissions: ["channels.read", "bulk-send.read"],
        rateLimit: KEY_LIMIT,
      })
    ).body;
    const account = await client.account();
    await untilFreshMinute(client);

    for (let n = 0; n < 3; n++) await client.gateway("/v1/phones", account.key);
    // its answer is on disk when it comes, and so is what was counted before it
    await client.gateway("/v1/webhooks", account.key, {
      label: "shared",
      url: "https://example.com/",
      secret: WEBHOOK_SECRET,
    });
    for (let n = 0; n < 2; n++) await platform(before, token, "/v1/channels");
    for (let n = 0; n < 3; n++) await platform(before, key, "/v1/channels");
    expect((await platform(before, key, "/v1/bulk/none")).left).toEqual([KEY_LIMIT, KEY_LIMIT - 4]);
    before.signal(signal);
    await before.ended;

    const after = await serve(settings);
    expect((await platform(after, key, "/v1/channels")).left).toEqual([KEY_LIMIT, KEY_LIMIT - 5]);
    expect((await platform(after, token, "/v1/channels")).left).toEqual([PLAN_LIMIT, PLAN_LIMIT - 8]);
    const statuses: number[] = [];
    for (let n = 0; n < ACCOUNT_LIMIT - 3; n++)
      statuses.push((await fetch(`${after.url}/gateway/v1/phones`, { headers: { "x-api-key": account.key } })).status);
    expect(statuses).toEqual([...Array<number>(ACCOUNT_LIMIT - 4).fill(200), 429]);

    after.signal("SIGTERM");
    await after.ended;
    expect(await keysIn(settings.RECADO_DATA_DIR)).toEqual(["account", "institution", "key", "operation"]);
  },
);

// oxlint-disable-next-line typescript/no-explicit-any -- as in World: what tests look into
type Answered = { status: number; body: any; left: number[] };

const platform = async ({ url }: Server, bearer: string, path: string, body?: object): Promise<Answered> => {
  const answer = await fetch(`${url}/platform${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", ...(bearer === "" ? {} : { authorization: `Bearer ${bearer}` }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const left = ["x-ratelimit-limit", "x-ratelimit-remaining"].map((name) => Number(answer.headers.get(name)));
  return { status: answer.status, body: await answer.json(), left };
};

/** The test has a minute from now on. */
const untilFreshMinute = async ({ admin }: ReturnType<typeof clientOf>): Promise<void> => {
  const { now } = await admin<{ now: string }>("/clock", { advanceMs: 0 });
  await admin("/clock", { advanceMs: MINUTE_MS - (Date.parse(now) % MINUTE_MS) });
};

/** Of what kinds the windows on disk are. */
const keysIn = async (directory: string): Promise<string[]> => {
  const writer = openWriter(join(directory, "recado.db"));
  const keys = writer
    .prepare("SELECT DISTINCT substr(key, 1, instr(key, ':') - 1) FROM rate_windows ORDER BY 1")
    .rows([]);
  writer.close();
  return keys.flat() as string[];
};
