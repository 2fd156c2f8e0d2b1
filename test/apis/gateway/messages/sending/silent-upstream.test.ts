import { expect, test } from "bun:test";
import { newCustomer } from "../../../../support/customers/customer.ts";
import {
  COEXISTENT,
  DEDICATED,
  ownNumber,
  signedUp,
  signUp,
  startSignupWorld,
} from "../../../../support/customers/signup.ts";
import { gatewaySays } from "../../../../support/refusals.ts";
import { everyRow } from "../../../../support/tenants/tenant.ts";
import { WEBHOOK_SECRET } from "../../../../support/world.ts";

test("GAP-G13 an upstream that never answers is given up within seconds, on every call that somebody waits for, and nothing is stored", async () => {
  const w = await startSignupWorld();
  const c = await newCustomer(w);
  const numbers = [1, 2, 3].map(() => ownNumber(w, DEDICATED));
  const shared = await signedUp(w, c.key, ownNumber(w, COEXISTENT), {
    webhook: { url: c.hook.url, secret: WEBHOOK_SECRET },
  });
  const before = await everyRow(w);
  for (const operation of ["code.exchange", "number.list", "subscription.add"])
    w.graph.failNext(1, { kind: "hang" }, { operation });
  for (const operation of ["number.get", "number.update", "profile.get", "profile.update"])
    w.graph.failNext(
      operation === "number.get" ? 2 : 1,
      { kind: "hang" },
      { operation, phoneNumberId: c.phone.phoneNumberId },
    );
  w.graph.failNext(1, { kind: "hang" }, { operation: "number.sync" });
  const ask = (path: string, options: { method?: string; body?: object } = {}) =>
    w.gateway(`/v1/phones/${c.phone.id}/${path}`, { key: c.key, ...options });
  const answers = await Promise.all([
    ...numbers.map((owned) => signUp(w, c.key, owned, { phoneNumberId: owned.phoneNumberId })),
    ask("rotate-token", { body: { accessToken: "EAAnew" } }).then(() =>
      ask("rotate-token", { body: { accessToken: c.phone.accessToken } }),
    ),
    w.gateway(`/v1/phones/${shared.id}/contacts/sync`, { key: c.key, body: {} }),
    ask("name-change"),
    ask("name-change", { body: { displayName: "Padaria" } }),
    ask("business-profile"),
    ask("business-profile", { method: "PATCH", body: { about: "Pães" } }),
  ]);
  expect(answers.map(gatewaySays)).toEqual(answers.map(() => "502 UPSTREAM_UNAVAILABLE"));
  expect(await everyRow(w)).toEqual(before);
  await w.stop();
}, 120_000);
