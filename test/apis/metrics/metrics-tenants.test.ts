import { afterAll, beforeAll, expect, test } from "bun:test";
import { documentedRoutes } from "../../support/apis/open-api.ts";
import { parseMetrics, scrape } from "../../support/apis/prometheus.ts";
import { settingsFor } from "../../support/billing/billing.ts";
import { APP_ID } from "../../support/customers/signup.ts";
import { type SocialWorld, startSocialWorld } from "../../support/networks/social.ts";
import { startProcessor } from "../../support/processor/index.ts";
import { isStream } from "../../support/tenants/isolation.ts";
import { newTenant, type Tenant, wordsIn } from "../../support/tenants/tenant.ts";
import type { World } from "../../support/world.ts";

const processor = startProcessor();
let s: SocialWorld;
let w: World;
let tenant: Tenant;
beforeAll(async () => {
  s = await startSocialWorld({ env: { RECADO_META_APP_ID: APP_ID, ...settingsFor(processor) } });
  ({ w } = s);
  tenant = await newTenant(w, "victim");
});
afterAll(() => Promise.all([s.stop(), processor.stop()]));

/** Asks every route of both APIs for the tenant's things, well and badly. */
const askEverything = async () => {
  for (const api of ["gateway", "platform"] as const) {
    for (const { method, path, operation } of await documentedRoutes(w, api)) {
      if (isStream({ operation })) continue;
      const filled = path.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => (tenant.ids as Record<string, string>)[name] ?? tenant.ids.phoneId,
      );
      const key = api === "gateway" ? tenant.gatewayKey : tenant.key;
      await w[api](filled, {
        key,
        method,
        ...(method === "GET" ? {} : { body: { to: "5511999990001", url: tenant.hook.url } }),
      });
    }
  }
};

test("no figure names a tenant, a person, a number or an address, whatever is asked", async () => {
  await askEverything();
  await scrape(w);
  const text = await (await fetch(`${w.app.url}/metrics`)).text();
  expect(wordsIn(tenant, [{ text }])).toEqual([]);
  const values = [...parseMetrics(text).values()].flatMap(({ samples }) =>
    samples.flatMap(({ labels }) => Object.entries(labels)),
  );
  const unlikely = values.filter(
    ([name, value]) => name !== "commit" && (/\d{5}|https?:|@|[0-9a-f]{8}-/.test(value) || value.length > 80),
  );
  expect(unlikely).toEqual([]);
  expect(text.split("\n").length).toBeLessThan(12_000);
});
