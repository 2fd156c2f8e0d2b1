import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, iso, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { receivedBy, rowsOf } from "../../../support/customers/customer.ts";
import {
  consent,
  midsOf,
  newSocialCustomer,
  type SocialCustomer,
  type SocialWorld,
  sendsOf,
  startSocialWorld,
  tokenOf,
  untilAnswered,
} from "../../../support/networks/social.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { untilStatus } from "../../../support/world.ts";

const call = (s: SocialWorld, c: SocialCustomer, verb: string) =>
  s.w.gateway(`/v1/phones/${c.phoneId}/${verb}`, { key: c.key, method: "POST" });
const typesReceived = ({ hook }: SocialCustomer) =>
  hook.arrived.map(({ body }) => [body.type, ...(body.data.reason ? [body.data.reason] : [])]);

describe("a phone of the photo network", () => {
  let s: SocialWorld;
  let c: SocialCustomer;
  beforeAll(async () => {
    s = await startSocialWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
  });
  beforeEach(async () => {
    c = await newSocialCustomer(s);
    await untilAnswered(s, `/${c.igUserId}/subscribed_apps`, 2); // at the consent, and when it connected
  });
  afterAll(() => s.stop());

  /**
   * What the network was asked about the account after it was connected: its webhooks are asked for at every
   * connecting.
   */
  const subscriptions = () =>
    s.instagram.journal
      .filter(({ path }) => path.endsWith(`/${c.igUserId}/subscribed_apps`))
      .map(({ method }) => method);

  describe("logged out", () => {
    test("G-180 G-186 G-139 GAP-G24 is DISCONNECTED, which is published as LOGOUT; the network is not asked, and nothing is sent", async () => {
      const answer = await call(s, c, "logout");
      expect([answer.status, answer.body]).toEqual([202, { status: "logging_out" }]);
      await s.w.settle();
      expect(await c.phone()).toMatchObject({ status: "DISCONNECTED", disconnectedAt: iso(s.w.clock.now()) });
      expect(typesReceived(c)).toEqual([["channel:disconnected", "LOGOUT"]]);
      expect(gatewaySays(await c.send())).toBe("409 PHONE_NOT_CONNECTED");
      expect([subscriptions(), sendsOf(s, c)]).toEqual([["POST", "POST"], []]);
    });

    test("G-183 GAP-G24 a second time nothing more is published", async () => {
      for (let times = 0; times < 2; times++) expect((await call(s, c, "logout")).status).toBe(202);
      await s.w.settle();
      expect(typesReceived(c)).toEqual([["channel:disconnected", "LOGOUT"]]);
    });

    test("G-183 from TOKEN_EXPIRED too", async () => {
      s.instagram.expireToken(tokenOf(s, c));
      await c.sent();
      expect((await call(s, c, "logout")).status).toBe(202);
      expect((await c.phone()).status).toBe("DISCONNECTED");
    });
  });

  describe("reconnected", () => {
    test("G-199 GAP-G23 after a logout is CONNECTED with the token it has, which is published, and sends", async () => {
      await call(s, c, "logout");
      const { status, body } = await call(s, c, "reconnect");
      expect([status, body]).toEqual([202, { status: "reconnecting" }]);
      await untilStatus(s.w, c.phoneId, "CONNECTED");
      expect(await c.phone()).toMatchObject({ disconnectedAt: null, igWebhookConfigured: true });
      await c.sent();
      expect(typesReceived(c)).toEqual([["channel:disconnected", "LOGOUT"], ["channel:connected"], ["message:status"]]);
    });

    test("G-199 GAP-G23 while CONNECTED is left alone", async () => {
      expect((await call(s, c, "reconnect")).status).toBe(202);
      await c.sent();
      expect([subscriptions().length, typesReceived(c)]).toEqual([2, [["message:status"]]]);
    });

    test("G-199 GAP-G23 with a token that has expired is TOKEN_EXPIRED again, and nothing more is published", async () => {
      s.instagram.expireToken(tokenOf(s, c));
      const id = await c.sent();
      await call(s, c, "reconnect");
      await untilStatus(s.w, c.phoneId, "TOKEN_EXPIRED");
      expect(typesReceived(c)).toEqual([["channel:disconnected", "TOKEN_EXPIRED"]]);
      expect((await c.message(id)).status).toBe("QUEUED");
    });

    test("G-199 GAP-G23 GAP-G21 reads the token anew; without one it is FAILED, and with one again CONNECTED", async () => {
      await call(s, c, "logout");
      const vault = await rowsOf<{ field: string; sealed: string }>(
        s.w,
        "SELECT field, sealed FROM vault WHERE channel_id = ?1",
        [c.phoneId],
      );
      await s.w.app.env.db.write(async (tx) => tx.run("DELETE FROM vault WHERE channel_id = ?1", [c.phoneId]));
      await call(s, c, "reconnect");
      await untilStatus(s.w, c.phoneId, "FAILED");
      await s.w.app.env.db.write(async (tx) => {
        for (const { field, sealed } of vault)
          tx.run("INSERT INTO vault (channel_id, field, sealed) VALUES (?1, ?2, ?3)", [c.phoneId, field, sealed]);
      });
      await call(s, c, "reconnect");
      await untilStatus(s.w, c.phoneId, "CONNECTED");
    });

    test("G-136 GAP-G21 stays CONNECTING while the network does not answer, and is CONNECTED when it does", async () => {
      await call(s, c, "logout");
      s.instagram.failNext(1, { kind: "http", status: 503 }, { operation: "subscription.add", igUserId: c.igUserId });
      await call(s, c, "reconnect");
      await untilAnswered(s, `/${c.igUserId}/subscribed_apps`, 3);
      expect((await c.phone()).status).toBe("CONNECTING");
      for (let turn = 0; turn < 500 && (await c.phone()).status !== "CONNECTED"; turn++) await s.w.advance(MINUTE_MS);
      expect((await c.phone()).status).toBe("CONNECTED");
    });
  });

  describe("deleted", () => {
    test("G-144 G-146 G-625 is gone at once with its secrets; the account's webhooks are taken off, and that is published", async () => {
      const { status, text } = await s.w.gateway(`/v1/phones/${c.phoneId}`, { key: c.key, method: "DELETE" });
      expect([status, text]).toEqual([204, ""]);
      await s.w.settle();
      expect(gatewaySays(await s.w.gateway(`/v1/phones/${c.phoneId}`, { key: c.key }))).toBe("404 PHONE_NOT_FOUND");
      expect(subscriptions()).toEqual(["POST", "POST", "DELETE"]);
      expect(typesReceived(c)).toEqual([["channel:disconnected", "MANUAL_DELETE"]]);
      expect(await rowsOf(s.w, "SELECT field FROM vault WHERE channel_id = ?1", [c.phoneId])).toEqual([]);
    });

    test("receives nothing of its account any more", async () => {
      await s.w.gateway(`/v1/phones/${c.phoneId}`, { key: c.key, method: "DELETE" });
      await s.instagram.inbound.text({ to: c.igUserId, from: c.igsid, text: "oi" });
      await s.w.settle();
      expect(receivedBy(c.hook, "message:received")).toEqual([]);
    });

    test("goes although the network refuses the unsubscription", async () => {
      s.instagram.expireToken(tokenOf(s, c));
      expect((await s.w.gateway(`/v1/phones/${c.phoneId}`, { key: c.key, method: "DELETE" })).status).toBe(204);
      await s.w.settle();
      expect(typesReceived(c)).toEqual([["channel:disconnected", "MANUAL_DELETE"]]);
    });
  });

  test("sends and receives after a restart without being asked to connect", async () => {
    await s.restart();
    await s.instagram.inbound.text({ to: c.igUserId, from: c.igsid, text: "oi" });
    expect((await c.message(await c.sent())).status).toBe("SENT");
    expect(receivedBy(c.hook, "message:received")).toHaveLength(1);
    expect([midsOf(s, c).length, subscriptions().length]).toEqual([1, 2]);
  });
});

describe("the token of a phone", () => {
  let s: SocialWorld;
  let c: SocialCustomer;
  beforeEach(async () => {
    s = await startSocialWorld();
    c = await newSocialCustomer(s);
    await untilAnswered(s, `/${c.igUserId}/subscribed_apps`, 2);
  });
  afterEach(() => s.stop());

  const asked = () => s.instagram.journal.filter(({ path }) => path.endsWith("/refresh_access_token")).length;
  /** Lets days pass one by one, and everything that each brings. */
  const days = async (count: number) => {
    for (let n = 0; n < count; n++) {
      await s.w.advance(DAY_MS);
      await s.w.app.env.db.write(async () => {}); // after the timetable's own write
      await s.w.settle();
    }
  };
  const userWrites = () => s.instagram.inbound.text({ to: c.igUserId, from: c.igsid, text: "oi" });

  test("is renewed when 10 of its 60 days are left, and not before; the phone shows until when the new one is good, and sends with it", async () => {
    await days(49);
    expect(asked()).toBe(0);
    const old = tokenOf(s, c);
    await days(1);
    expect(asked()).toBe(1);
    expect(tokenOf(s, c)).not.toBe(old);
    await untilAnswered(s, "/refresh_access_token", 1);
    expect((await c.phone()).igTokenExpiresAt).toBe(iso(s.w.clock.now() + 60 * DAY_MS));
    s.instagram.expireToken(old);
    await userWrites();
    expect((await c.message(await c.sent())).status).toBe("SENT");
    await days(49);
    expect(asked()).toBe(1);
    await days(1);
    expect(asked()).toBe(2);
    expect(typesReceived(c).filter(([type]) => type?.startsWith("channel:"))).toEqual([]);
  });

  test("is asked for again the next day while the network does not answer", async () => {
    s.instagram.failNext(2, { kind: "http", status: 503 }, { operation: "token.refresh" });
    await days(52);
    expect([asked(), (await c.phone()).status]).toEqual([3, "CONNECTED"]);
    await days(5);
    expect(asked()).toBe(3);
  });

  test("G-646 G-625 that the network refuses to renew has expired: the phone is TOKEN_EXPIRED, which is published, and is not asked about again", async () => {
    s.instagram.invalidateToken(tokenOf(s, c));
    await days(50);
    await untilStatus(s.w, c.phoneId, "TOKEN_EXPIRED");
    await days(3);
    expect(asked()).toBe(1);
    expect(typesReceived(c)).toEqual([["channel:disconnected", "TOKEN_EXPIRED"]]);
    await consent(s, c);
    await userWrites();
    expect((await c.message(await c.sent())).status).toBe("SENT");
  });

  test("of a phone that is logged out is not renewed", async () => {
    await call(s, c, "logout");
    await days(60);
    expect(asked()).toBe(0);
  });
});
