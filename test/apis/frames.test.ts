import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { CLOUD_ENV, cloudClientOf } from "../support/apis/cloud.ts";
import { EVOLUTION_ENV } from "../support/apis/evolution.ts";
import { WAHA_ENV } from "../support/apis/waha.ts";
import { newCustomer } from "../support/customers/customer.ts";
import { customer as newInstitution } from "../support/tenants/platform.ts";
import { useWorld } from "../support/use-world.ts";

// All APIs check a request in one order, before its body is read: src/apis/shared/auth/frame.ts.

const w = useWorld({
  env: { ...CLOUD_ENV, ...EVOLUTION_ENV, ...WAHA_ENV, RECADO_GATEWAY_RATE: "6", RECADO_ADDRESS_RATE: "6" },
});

type Api = "gateway" | "platform" | "cloud" | "evolution" | "waha";
type Place = { url: string; good: () => Promise<Record<string, string>>; bad: Record<string, string> };

/** TABLE: where each API has its routes, and good and bad credentials for it. */
const PLACES: Record<Api, () => Place> = {
  gateway: () => ({
    url: `${w.app.url}/gateway/v1`,
    good: async () => ({ "x-api-key": (await newCustomer(w)).key }),
    bad: { "x-api-key": "ak_live_guess" },
  }),
  platform: () => ({
    url: `${w.app.url}/platform/v1`,
    good: async () => ({ authorization: `Bearer ${(await newInstitution(w)).key}` }),
    bad: { authorization: "Bearer oapi_sk_live_guess" },
  }),
  cloud: () => ({
    url: `${w.app.cloudUrl}/v23.0`,
    good: async () => ({ authorization: `Bearer ${(await cloudClientOf(w, await newCustomer(w))).token}` }),
    bad: { authorization: "Bearer ck_live_guess" },
  }),
  evolution: () => ({
    url: `${w.app.evolutionUrl}`,
    good: async () => ({ apikey: (await newCustomer(w)).key }),
    bad: { apikey: "guess" },
  }),
  waha: () => ({
    url: `${w.app.wahaUrl}`,
    good: async () => ({ "x-api-key": (await newCustomer(w)).key }),
    bad: { "x-api-key": "guess" },
  }),
};
const APIS = Object.keys(PLACES) as Api[];

const TOO_LARGE = "x".repeat(2 * 1024 * 1024);
/** A path with a NUL, and one without a fault; neither is a route's. */
const [MARRED, PLAIN] = ["/%00", "/none"];

let addresses = 0;
/** Asks from one new address, with a body that is too large. */
const askerFrom = ({ url }: Place) => {
  const from = `203.0.113.${++addresses}`;
  return (path: string, headers: Record<string, string>) =>
    fetch(url + path, { method: "POST", headers: { "x-forwarded-for": from, ...headers }, body: TOO_LARGE });
};

describe.each(APIS)("the frame of the %s API", (api) => {
  test("refuses bad credentials before a path that cannot be taken, and that before a body that is too large", async () => {
    const place = PLACES[api]();
    const ask = askerFrom(place);
    const good = await place.good();
    const statuses = [];
    for (const [path, headers] of [
      [MARRED, {}],
      [MARRED, place.bad],
      [MARRED, good],
      [PLAIN, good],
    ] as const)
      statuses.push((await ask(path, headers)).status);
    expect(statuses).toEqual([401, 401, 400, 413]);
  });

  test("refuses an address that has used up the minute of strangers before it looks at the credentials' fault, and says how long to wait", async () => {
    const place = PLACES[api]();
    const ask = askerFrom(place);
    for (let n = 0; n < 6; n++) expect((await ask(PLAIN, place.bad)).status).toBe(401);
    const refused = await ask(PLAIN, place.bad);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await ask(PLAIN, {})).status).toBe(429);
    expect((await ask(PLAIN, await place.good())).status).toBe(413);
  });
});

test("no API has a hook of its own before its routes, nor counts strangers or looks at paths by itself", async () => {
  const root = resolve(import.meta.dir, "../../src");
  const files = [
    ...new Bun.Glob("apis/{gateway,platform,cloud,evolution,waha,shared}/**/*.ts").scanSync({ cwd: root }),
  ];
  expect(files.length).toBeGreaterThan(100);
  const texts = await Promise.all(
    files.map(async (path) => ({ path, text: await Bun.file(resolve(root, path)).text() })),
  );
  const framing = texts.filter(({ text }) =>
    /\.onRequest\(|\ballowAddress\(|\bisPlainPath\(|\bnoteBodyTerms\(/.test(text),
  );
  expect(framing.map(({ path }) => path).sort()).toEqual(["apis/shared/auth/frame.ts"]);
});
