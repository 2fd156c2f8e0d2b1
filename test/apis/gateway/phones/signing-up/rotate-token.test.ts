import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { SECOND_MS } from "../../../../../src/kernel/clock.ts";
import { type Customer, newCustomer, receivedBy, sendsOf, TO } from "../../../../support/customers/customer.ts";
import { COEXISTENT, ownNumber, signedUp, startSignupWorld, TROUBLES } from "../../../../support/customers/signup.ts";
import { fieldsOf, gatewaySays } from "../../../../support/refusals.ts";
import { everyRow } from "../../../../support/tenants/tenant.ts";
import { untilTrue } from "../../../../support/waiting.ts";
import { addWabaNumber, untilConnected, untilStatus, WEBHOOK_SECRET, type World } from "../../../../support/world.ts";

let w: World;
let c: Customer;
let businessAccountId: string;
beforeAll(async () => {
  w = await startSignupWorld({ logLevel: "debug" });
});
afterAll(() => w.stop());
beforeEach(async () => {
  c = await newCustomer(w);
  businessAccountId = (await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key })).body.wabaBusinessAccountId;
});

let tokens = 0;
/** A token that the network accepts for the customer's number. */
const newToken = (): string => {
  const token = `EAArotated${++tokens}`;
  w.graph.addToken({ token, businessAccountIds: [businessAccountId] });
  return token;
};
const rotate = (accessToken: unknown, id = c.phone.id) =>
  w.gateway(`/v1/phones/${id}/rotate-token`, { key: c.key, body: { accessToken } });
const status = async () => (await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key })).body.status;
const lastSender = () =>
  w.graph.journal.findLast(({ path }) => path.endsWith(`/${c.phone.phoneNumberId}/messages`))?.headers["authorization"];
const states = () => c.hook.arrived.flatMap(({ body }) => (body.type.startsWith("channel:") ? [body.type] : []));

describe("a token that is refused stays out", () => {
  for (const [why, token] of [
    ["is unknown to the network", () => "EAAunknown"],
    ["is for another business account", () => addWabaNumber(w.graph).accessToken],
    ["has expired", () => expired(newToken())],
    ["lacks the permission", () => withoutScope()],
  ] as const) {
    test(`G-260 EP-G04 one that ${why}: INVALID_TOKEN, and the old one goes on working`, async () => {
      const given = token();
      const before = await everyRow(w);
      expect(gatewaySays(await rotate(given))).toBe("400 INVALID_TOKEN");
      expect(await everyRow(w)).toEqual(before);
      const id = await c.sent();
      expect([await status(), (await c.message(id)).status, lastSender()]).toEqual([
        "CONNECTED",
        "SENT",
        `Bearer ${c.phone.accessToken}`,
      ]);
    });
  }

  for (const accessToken of [undefined, "", "two words", "naïve", 5, "x".repeat(4097), "EAA\r\nX-Evil: 1"]) {
    test(`G-260 what cannot be a token is refused before anybody is asked: ${JSON.stringify(accessToken)?.slice(0, 30)}`, async () => {
      const [before, asked] = [await everyRow(w), w.graph.journal.length];
      expect(fieldsOf(await rotate(accessToken))).toEqual(["accessToken"]);
      expect([await everyRow(w), w.graph.journal.length]).toEqual([before, asked]);
    });
  }

  test("EP-G04 phones that are unknown or another account's have no token to rotate, and one of another kind says so", async () => {
    const other = await newCustomer(w);
    const session = (await w.gateway("/v1/phones", { key: c.key, body: { type: "SESSION", label: "A phone" } })).body
      .id;
    const asked = w.graph.journal.length;
    for (const id of ["00000000-0000-4000-8000-000000000000", other.phone.id])
      expect(gatewaySays(await rotate(newToken(), id))).toBe("404 PHONE_NOT_FOUND");
    expect(gatewaySays(await rotate(newToken(), session))).toBe("400 CREDENTIALS_NOT_APPLICABLE");
    expect(w.graph.journal.length).toBe(asked);
  });

  for (const [why, failure] of Object.entries(TROUBLES)) {
    test(`GAP-G13 ${why}: nobody knows whether it is good, and nothing changes`, async () => {
      const before = await everyRow(w);
      w.graph.failNext(1, failure, { operation: "number.get", phoneNumberId: c.phone.phoneNumberId });
      expect(gatewaySays(await rotate(newToken()))).toBe("502 UPSTREAM_UNAVAILABLE");
      expect([await everyRow(w), c.hook.arrived]).toEqual([before, []]);
    });
  }
});

const expired = (token: string): string => {
  w.graph.expireToken(token);
  return token;
};
const withoutScope = (): string => {
  w.graph.addToken({
    token: "EAAmessaging",
    businessAccountIds: [businessAccountId],
    scopes: ["whatsapp_business_messaging"],
  });
  return "EAAmessaging";
};

describe("a good token", () => {
  test("G-261 G-646 brings a phone whose token had expired back: what waited goes out with the new one", async () => {
    // both wait for half a minute
    w.graph.failNext(1, { kind: "error", code: 130429 }, { phoneNumberId: c.phone.phoneNumberId });
    const waiting = [await c.sent(), await c.sent({ to: "5511999990002" })];
    w.graph.expireToken(c.phone.accessToken);
    await w.advance(30 * SECOND_MS);
    await untilStatus(w, c.phone.id, "TOKEN_EXPIRED");
    const token = newToken();
    const { status: said, body } = await rotate(token);
    expect([said, body.status, body.id, body.disconnectedAt, body.webhookUrl]).toEqual([
      200,
      "CONNECTED",
      c.phone.id,
      null,
      c.hook.url,
    ]);
    await w.settle();
    for (const id of waiting) expect((await c.message(id)).status).toBe("SENT");
    expect(lastSender()).toBe(`Bearer ${token}`);
    expect(states()).toEqual(["channel:disconnected", "channel:connected"]);
    expect(receivedBy(c.hook, "channel:connected")).toMatchObject([{ phoneNumber: c.phone.number }]);
  });

  test("G-261 in place of one that still works changes nothing that is published", async () => {
    const token = newToken();
    expect((await rotate(token)).body.status).toBe("CONNECTED");
    await c.sent();
    expect([lastSender(), states()]).toEqual([`Bearer ${token}`, []]);
    const subscribers = () =>
      w.graph.journal.flatMap(({ path, headers }) =>
        path.endsWith(`/${businessAccountId}/subscribed_apps`) ? [headers["authorization"]] : [],
      );
    await untilTrue(() => subscribers().length >= 2); // the link has asked for the account's webhooks anew
    expect(subscribers()).toEqual([`Bearer ${c.phone.accessToken}`, `Bearer ${token}`]);
  });

  test("G-261 it is there after a restart", async () => {
    const token = newToken();
    await rotate(token);
    await w.restart();
    await c.sent();
    expect(lastSender()).toBe(`Bearer ${token}`);
  });

  test("G-261 G-217 a phone that was made with a wrong token is connected by it, and says which number it is", async () => {
    const { number, ...credentials } = addWabaNumber(w.graph);
    const made = await w.gateway("/v1/phones", {
      key: c.key,
      body: {
        type: "WABA",
        label: "A phone",
        credentials: { ...credentials, accessToken: "EAAwrong" },
        webhook: { url: c.hook.url, secret: WEBHOOK_SECRET },
      },
    });
    await untilStatus(w, made.body.id, "TOKEN_EXPIRED");
    expect((await rotate(credentials.accessToken, made.body.id)).body).toMatchObject({
      status: "CONNECTED",
      phoneNumber: number,
    });
    await w.settle();
    expect(receivedBy(c.hook, "channel:connected")).toMatchObject([{ phoneNumber: number }]);
  });

  test("G-261 sends that are under way with the old token while it is replaced: the phone ends CONNECTED, and every message arrives once", async () => {
    for (let round = 0; round < 5; round++) {
      const old = round === 0 ? c.phone.accessToken : `EAArotated${tokens}`;
      const token = newToken();
      const accepted = await Promise.all(Array.from({ length: 6 }, () => c.send()));
      w.graph.invalidateToken(old);
      const [rotated] = await Promise.all([rotate(token), w.settle()]);
      expect(rotated?.status).toBe(200);
      await w.advance(30 * SECOND_MS);
      await untilConnected(w, c.phone.id);
      for (const { body } of accepted) expect((await c.message(body.messageId)).status).toBe("SENT");
      expect(
        accepted.map(
          ({ body }) => [...w.graph.sent.values()].filter(({ bizOpaque }) => bizOpaque === body.messageId).length,
        ),
      ).toEqual([1, 1, 1, 1, 1, 1]);
    }
    expect(states().filter((type) => type === "channel:disconnected").length).toBe(
      states().filter((type) => type === "channel:connected").length,
    );
  });
});

describe("a token that any call meets with 190 has expired", () => {
  const flow = { name: "Pesquisa", categories: ["SURVEY"] };
  const CALLS: Record<string, (id: string) => [path: string, call?: { method?: string; body?: object }]> = {
    "reading the profile": (id) => [`/v1/phones/${id}/business-profile`],
    "changing the profile": (id) => [`/v1/phones/${id}/business-profile`, { method: "PATCH", body: { about: "Pães" } }],
    "asking for a name": (id) => [`/v1/phones/${id}/name-change`, { body: { displayName: "Padaria" } }],
    "asking what became of it": (id) => [`/v1/phones/${id}/name-change`],
    "making a flow": (id) => ["/v1/flows", { body: { phoneId: id, ...flow } }],
    "making a flow's key": (id) => [`/v1/phones/${id}/flows-keypair`, { method: "POST" }],
    "rotating to the very same": (id) => [
      `/v1/phones/${id}/rotate-token`,
      { body: { accessToken: c.phone.accessToken } },
    ],
  };
  const call = (name: string) => {
    const [path, options] = CALLS[name]?.(c.phone.id) ?? [""];
    return w.gateway(path, { key: c.key, ...options });
  };

  for (const name of Object.keys(CALLS)) {
    test(`G-646 G-136 ${name}: TOKEN_EXPIRED, published once; sends wait`, async () => {
      w.graph.expireToken(c.phone.accessToken);
      expect(gatewaySays(await call(name))).toBe(
        name.startsWith("rotating") ? "400 INVALID_TOKEN" : "500 WABA_TOKEN_INVALID",
      );
      await untilStatus(w, c.phone.id, "TOKEN_EXPIRED");
      await call(name);
      expect(gatewaySays(await c.send())).toBe("409 PHONE_NOT_CONNECTED");
      await w.settle();
      expect(receivedBy(c.hook)).toMatchObject([{ reason: "TOKEN_EXPIRED" }]);
      expect(states()).toEqual(["channel:disconnected"]);
    });
  }

  test("G-646 all of them at once, and a send: one event", async () => {
    w.graph.expireToken(c.phone.accessToken);
    await Promise.all([c.send(), ...Object.keys(CALLS).map(call)]);
    await untilStatus(w, c.phone.id, "TOKEN_EXPIRED");
    await w.settle();
    expect(states()).toEqual(["channel:disconnected"]);
  });

  test("G-646 the sync of the business app's contacts too", async () => {
    const owned = ownNumber(w, COEXISTENT);
    const { id } = await signedUp(w, c.key, owned, { webhook: { url: c.hook.url, secret: WEBHOOK_SECRET } });
    w.graph.failNext(1, { kind: "error", code: 190 }, { operation: "number.sync", phoneNumberId: owned.phoneNumberId });
    expect(gatewaySays(await w.gateway(`/v1/phones/${id}/contacts/sync`, { key: c.key, body: {} }))).toBe(
      "500 WABA_TOKEN_INVALID",
    );
    await untilStatus(w, id, "TOKEN_EXPIRED");
    await w.settle();
    expect(receivedBy(c.hook, "channel:disconnected")).toMatchObject([{ reason: "TOKEN_EXPIRED" }]);
  });

  test("G-646 G-154 deleting a phone with it publishes only the deletion", async () => {
    w.graph.expireToken(c.phone.accessToken);
    await w.gateway(`/v1/phones/${c.phone.id}?deregister=true`, { key: c.key, method: "DELETE" });
    await w.settle();
    expect(receivedBy(c.hook)).toMatchObject([{ reason: "MANUAL_DELETE" }]);
  });
});

test("G-260 G-261 no answer, event or log line shows a token, old or new, good or refused", async () => {
  const [good, bad] = [newToken(), "EAAbad token".replace(" ", "-")];
  const from = w.logs.length;
  const answers = [await rotate(bad), await rotate(good), await c.send()];
  await w.settle();
  w.graph.failNext(
    1,
    { kind: "error", code: 100, details: `Malformed access token ${good}` },
    { operation: "profile.get", phoneNumberId: c.phone.phoneNumberId },
  );
  answers.push(
    await w.gateway(`/v1/phones/${c.phone.id}/business-profile`, { key: c.key }),
    await w.gateway("/v1/events", { key: c.key }),
  );
  const said = [...answers.map(({ text }) => text), ...c.hook.arrived.map(({ raw }) => raw), ...w.logs.slice(from)];
  expect(sendsOf(w, c)[0]).toMatchObject({ to: TO });
  expect(w.logs.length).toBeGreaterThan(from);
  for (const secret of [good, bad, c.phone.accessToken])
    expect(said.filter((text) => text.includes(secret))).toEqual([]);
});
