import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { SECOND_MS } from "../../../../../src/kernel/clock.ts";
import { type Customer, newCustomer, receivedBy, rowsOf } from "../../../../support/customers/customer.ts";
import {
  COEXISTENT,
  DEDICATED,
  ownNumber,
  signedUp,
  signUp,
  startSignupWorld,
} from "../../../../support/customers/signup.ts";
import { gatewaySays } from "../../../../support/refusals.ts";
import { type Between, startBetween } from "../../../../support/servers/between.ts";
import { WEBHOOK_SECRET, type World } from "../../../../support/world.ts";

let between: Between;
let w: World;
let c: Customer;
beforeAll(async () => {
  between = startBetween();
  w = await startSignupWorld({ env: { RECADO_META_GRAPH_URL: between.url } });
  between.leadTo(w.graph.url);
});
afterAll(async () => {
  await w.stop();
  await between.stop();
});
beforeEach(async () => {
  c = await newCustomer(w);
});

const remove = (id: string) => w.gateway(`/v1/phones/${id}`, { key: c.key, method: "DELETE" });
const rotate = (accessToken: string, id = c.phone.id) =>
  w.gateway(`/v1/phones/${id}/rotate-token`, { key: c.key, body: { accessToken } });
const during = (method: string, end: string, happens: () => Promise<unknown>) =>
  between.during((request) => request.method === method && request.path.endsWith(end), happens);
/** Secrets of channels that are gone. */
const orphans = () => rowsOf(w, "SELECT channel_id FROM vault WHERE channel_id NOT IN (SELECT id FROM channels)");
let tokens = 0;
const newToken = async (id: string): Promise<string> => {
  const { wabaBusinessAccountId } = (await w.gateway(`/v1/phones/${id}`, { key: c.key })).body;
  const token = `EAAraced${++tokens}`;
  w.graph.addToken({ token, businessAccountIds: [wabaBusinessAccountId] });
  return token;
};

describe("while the network is asked about another token", () => {
  test("G-260 G-152 the phone is deleted: not found, and no secret stays", async () => {
    const token = await newToken(c.phone.id);
    during("GET", `/${c.phone.phoneNumberId}`, () => remove(c.phone.id));
    expect(gatewaySays(await rotate(token))).toBe("404 PHONE_NOT_FOUND");
    expect(await orphans()).toEqual([]);
    await w.settle();
    expect(receivedBy(c.hook)).toMatchObject([{ reason: "MANUAL_DELETE" }]);
  });

  test("G-261 the phone is logged out: the token that was accepted connects it", async () => {
    const token = await newToken(c.phone.id);
    during("GET", `/${c.phone.phoneNumberId}`, () =>
      w.gateway(`/v1/phones/${c.phone.id}/logout`, { key: c.key, method: "POST" }),
    );
    expect((await rotate(token)).body.status).toBe("CONNECTED");
    await w.settle();
    expect(c.hook.arrived.map(({ body }) => body.type)).toEqual(["channel:disconnected", "channel:connected"]);
  });
});

describe("while a call with the old token is on its way", () => {
  test("G-261 G-646 a send that comes back refused after the rotation does not take the phone down, and goes out with the new token", async () => {
    const token = await newToken(c.phone.id);
    during("POST", `/${c.phone.phoneNumberId}/messages`, () => rotate(token));
    w.graph.expireToken(c.phone.accessToken);
    const id = await c.sent();
    expect([
      (await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key })).body.status,
      (await c.message(id)).status,
    ]).toEqual(["CONNECTED", "QUEUED"]);
    await w.advance(30 * SECOND_MS);
    expect((await c.message(id)).status).toBe("SENT");
    expect(c.hook.arrived.filter(({ body }) => body.type !== "message:status")).toEqual([]);
  });

  test("G-261 G-646 so does a profile that is read", async () => {
    const token = await newToken(c.phone.id);
    during("GET", "/whatsapp_business_profile", () => rotate(token));
    w.graph.expireToken(c.phone.accessToken);
    const read = () => w.gateway(`/v1/phones/${c.phone.id}/business-profile`, { key: c.key });
    expect([gatewaySays(await read()), gatewaySays(await read())]).toEqual(["500 WABA_TOKEN_INVALID", "200"]);
    await w.settle();
    expect(c.hook.arrived).toEqual([]);
  });
});

describe("while a number is signed up", () => {
  test("G-253 G-247 its phone is deleted: it gets another one, which works", async () => {
    const owned = ownNumber(w, DEDICATED);
    const first = await signedUp(w, c.key, owned, { phoneNumberId: owned.phoneNumberId });
    during("POST", `/${owned.wabaId}/subscribed_apps`, () => remove(first.id));
    const again = await signedUp(w, c.key, owned, { phoneNumberId: owned.phoneNumberId });
    expect([again.id === first.id, again.status, again.registration.reconnected]).toEqual([false, "CONNECTED", false]);
    expect(await orphans()).toEqual([]);
    // its deletion took the account's webhooks off after the sign-up had asked for them: the link asks again
    const subscriptions = w.graph.journal.flatMap(({ method, path }) =>
      path.endsWith(`/${owned.wabaId}/subscribed_apps`) ? [method] : [],
    );
    expect(subscriptions.at(-1)).toBe("POST");
  });

  test("GAP-G27 another account signs it up first: ALREADY_EXISTS, and nothing of ours is stored", async () => {
    const owned = ownNumber(w, DEDICATED);
    const other = await w.account();
    during("POST", `/${owned.phoneNumberId}/register`, () =>
      signUp(w, other.key, owned, { phoneNumberId: owned.phoneNumberId }),
    );
    expect(gatewaySays(await signUp(w, c.key, owned, { phoneNumberId: owned.phoneNumberId }))).toBe(
      "409 ALREADY_EXISTS",
    );
    expect(await rowsOf(w, "SELECT tenant_id FROM channels WHERE number_id = ?1", [owned.phoneNumberId])).toEqual([
      { tenant_id: other.id },
    ]);
    expect(await orphans()).toEqual([]);
  });

  test("G-249 the phone is deleted while the contacts are asked for: it is not found any more", async () => {
    const owned = ownNumber(w, COEXISTENT);
    during("POST", "/smb_app_data", async () => {
      const [{ id } = { id: "" }] = await rowsOf<{ id: string }>(w, "SELECT id FROM channels WHERE number_id = ?1", [
        owned.phoneNumberId,
      ]);
      await remove(id);
    });
    const answer = await signUp(w, c.key, owned, {
      webhook: { url: c.hook.url, secret: WEBHOOK_SECRET },
      sync: { contacts: true },
    });
    expect([gatewaySays(answer), await orphans()]).toEqual(["404 PHONE_NOT_FOUND", []]);
  });

  test("G-249 EP-G04 a sync whose phone is deleted meanwhile was asked for, and is not remembered", async () => {
    const owned = ownNumber(w, COEXISTENT);
    const { id } = await signedUp(w, c.key, owned, { webhook: { url: c.hook.url, secret: WEBHOOK_SECRET } });
    during("POST", "/smb_app_data", () => remove(id));
    const { status, body } = await w.gateway(`/v1/phones/${id}/contacts/sync`, { key: c.key, body: {} });
    expect([status, body.contacts]).toEqual([
      202,
      { ok: true, flagPersisted: false, requestId: expect.stringMatching(/^\d+$/) },
    ]);
  });
});
