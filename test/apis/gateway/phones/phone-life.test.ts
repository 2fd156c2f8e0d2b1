import { beforeEach, describe, expect, test } from "bun:test";
import { MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { rowsOf } from "../../../support/customers/customer.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { useWorld } from "../../../support/use-world.ts";
import { addWabaNumber, untilStatus, WEBHOOK_SECRET } from "../../../support/world.ts";

const w = useWorld();

let key: string;
beforeEach(async () => {
  ({ key } = await w.account());
});

const remove = (id: string, query = "") => w.gateway(`/v1/phones/${id}${query}`, { key, method: "DELETE" });
const read = (id: string) => w.gateway(`/v1/phones/${id}`, { key });
const session = async () =>
  (await w.gateway("/v1/phones", { key, body: { type: "SESSION", label: "A phone" } })).body.id;
const calls = (method: string, end: string) =>
  w.graph.journal.filter((call) => call.method === method && call.path.endsWith(end)).length;

/** A phone made from these credentials, as soon as it has this status. */
const phoneWith = async (credentials: object, status: string, hook = w.receiver()) => {
  const { id } = (
    await w.gateway("/v1/phones", {
      key,
      body: { type: "WABA", label: "A phone", credentials, webhook: { url: hook.url, secret: WEBHOOK_SECRET } },
    })
  ).body;
  await untilStatus(w, id, status);
  return { id, hook };
};

/** As often as the upstream has been asked about a number. */
const untilAsked = async (phoneNumberId: string, times: number) => {
  for (let turn = 0; turn < 5000 && calls("GET", `/${phoneNumberId}`) < times; turn++) await w.gateway("/health");
  expect(calls("GET", `/${phoneNumberId}`)).toBe(times);
};

describe("deleting a phone", () => {
  test("G-144 G-146 G-155 a phone with nothing pending upstream is gone at once, and a second time it is not found", async () => {
    const id = await session();
    const { status, text } = await remove(id);
    expect({ status, text }).toEqual({ status: 204, text: "" });
    expect(gatewaySays(await read(id))).toBe("404 PHONE_NOT_FOUND");
    expect((await w.gateway("/v1/phones", { key })).body).toEqual([]);
    expect(gatewaySays(await remove(id))).toBe("404 PHONE_NOT_FOUND");
    expect(
      gatewaySays(
        await w.gateway("/v1/messages", {
          key,
          body: { phoneId: id, to: "5511999990001", type: "text", content: { text: "olá" } },
        }),
      ),
    ).toBe("404 PHONE_NOT_FOUND");
  });

  test("G-155 neither an unknown phone nor another account's can be deleted", async () => {
    const other = await w.account();
    const theirs = (await w.gateway("/v1/phones", { key: other.key, body: { type: "SESSION", label: "Theirs" } })).body
      .id;
    for (const id of [theirs, "00000000-0000-4000-8000-000000000000", "nonsense"])
      expect(gatewaySays(await remove(id))).toBe("404 PHONE_NOT_FOUND");
    expect((await w.gateway(`/v1/phones/${theirs}`, { key: other.key })).status).toBe(200);
  });

  for (const value of ["x", "", "1", "TRUE", "null"]) {
    test(`G-147 deregister is a boolean: "${value}" is refused, and the phone stays`, async () => {
      const { id } = await w.wabaPhone(key);
      const before = w.graph.journal.length;
      expect(fieldsOf(await remove(id, `?deregister=${value}`))).toEqual(["deregister"]);
      expect((await read(id)).body.status).toBe("CONNECTED");
      expect(w.graph.journal.length).toBe(before);
    });
  }

  for (const query of ["", "?deregister=false"]) {
    test(`G-147 without deregister the number stays registered upstream: DELETE${query}`, async () => {
      const { id, phoneNumberId } = await w.wabaPhone(key);
      expect((await remove(id, query)).status).toBe(204);
      expect(calls("POST", `/${phoneNumberId}/deregister`)).toBe(0);
    });
  }

  test("G-148 with deregister=true a dedicated number is deregistered upstream", async () => {
    const { id, phoneNumberId } = await w.wabaPhone(key);
    expect((await remove(id, "?deregister=true")).status).toBe(204);
    expect(calls("POST", `/${phoneNumberId}/deregister`)).toBe(1);
    expect(gatewaySays(await read(id))).toBe("404 PHONE_NOT_FOUND");
  });

  test("G-150 the business account is unsubscribed with its last number, not before", async () => {
    const [first, second] = [addWabaNumber(w.graph), addWabaNumber(w.graph)];
    const { businessAccountId } = first;
    w.graph.addNumber({
      phoneNumberId: `${second.phoneNumberId}9`,
      businessAccountId,
      displayPhoneNumber: `+${second.number}9`,
      tokens: [first.accessToken],
    });
    const phones = [];
    for (const phoneNumberId of [first.phoneNumberId, `${second.phoneNumberId}9`])
      phones.push(
        (await phoneWith({ phoneNumberId, businessAccountId, accessToken: first.accessToken }, "CONNECTED")).id,
      );
    expect(calls("POST", `/${businessAccountId}/subscribed_apps`)).toBeGreaterThan(0);
    expect((await remove(phones[0] ?? "")).status).toBe(204);
    expect(calls("DELETE", `/${businessAccountId}/subscribed_apps`)).toBe(0);
    expect((await remove(phones[1] ?? "")).status).toBe(204);
    expect(calls("DELETE", `/${businessAccountId}/subscribed_apps`)).toBe(1);
  });

  test("G-150 a claim to the business account that the network never confirmed does not keep it subscribed", async () => {
    const { number: _, ...credentials } = addWabaNumber(w.graph);
    const { businessAccountId } = credentials;
    const { id } = await phoneWith(credentials, "CONNECTED");
    const other = await w.account();
    const claimed = { phoneNumberId: "999999999999999", businessAccountId, accessToken: "EAAnotmine" };
    const claim = (
      await w.gateway("/v1/phones", { key: other.key, body: { type: "WABA", label: "Mine", credentials: claimed } })
    ).body.id;
    await untilStatus(w, claim, "TOKEN_EXPIRED");
    expect((await w.gateway(`/v1/phones/${claim}`, { key: other.key, method: "DELETE" })).status).toBe(204);
    expect(calls("DELETE", `/${businessAccountId}/subscribed_apps`)).toBe(0);
    const again = (
      await w.gateway("/v1/phones", { key: other.key, body: { type: "WABA", label: "Mine", credentials: claimed } })
    ).body.id;
    await untilStatus(w, again, "TOKEN_EXPIRED");
    expect((await remove(id)).status).toBe(204);
    expect(calls("DELETE", `/${businessAccountId}/subscribed_apps`)).toBe(1);
  });

  test("G-144 G-146 an upstream that refuses does not keep the phone alive", async () => {
    const { id, accessToken } = await w.wabaPhone(key);
    w.graph.invalidateToken(accessToken);
    expect((await remove(id, "?deregister=true")).status).toBe(204);
    expect(gatewaySays(await read(id))).toBe("404 PHONE_NOT_FOUND");
  });

  test("G-152 its credentials are erased", async () => {
    const { id } = await w.wabaPhone(key);
    const sealed = () => rowsOf(w, "SELECT field FROM vault WHERE channel_id = ?1", [id]);
    expect((await sealed()).length).toBe(3);
    await remove(id);
    expect(await sealed()).toEqual([]);
  });

  test("G-153 the messages that were sent stay for audit", async () => {
    const { id } = await w.wabaPhone(key);
    const { messageId } = (
      await w.gateway("/v1/messages", {
        key,
        body: { phoneId: id, to: "5511999990001", type: "text", content: { text: "para sempre" } },
      })
    ).body;
    await w.settle();
    await remove(id);
    await w.settle();
    expect(await rowsOf(w, "SELECT id, status FROM messages WHERE channel_id = ?1", [id])).toEqual([
      { id: messageId, status: "SENT" },
    ]);
    expect((await w.gateway(`/v1/messages/${messageId}`, { key })).body.status).toBe("SENT");
  });

  test("G-144 what still waits to be sent fails, and nothing more goes out", async () => {
    const { id } = await w.wabaPhone(key);
    w.graph.failNext(1, { kind: "error", code: 2 });
    const { messageId } = (
      await w.gateway("/v1/messages", {
        key,
        body: { phoneId: id, to: "5511999990001", type: "text", content: { text: "zu spät" } },
      })
    ).body;
    await w.settle();
    const status = async () => (await w.gateway(`/v1/messages/${messageId}`, { key })).body.status;
    expect(await status()).toBe("QUEUED");
    const sentBefore = calls("POST", "/messages");
    await remove(id);
    await w.advance(10 * MINUTE_MS);
    expect(await status()).toBe("FAILED");
    expect(calls("POST", "/messages")).toBe(sentBefore);
    const failed = (await w.gateway("/v1/events?type=message:status", { key })).body.items[0].id;
    expect((await w.gateway(`/v1/events/${failed}`, { key })).body.data).toMatchObject({ messageId, status: "failed" });
  });

  test("G-154 its webhook receives channel:disconnected with the reason MANUAL_DELETE, once", async () => {
    const hook = w.receiver();
    const { id } = await w.wabaPhone(key, { webhook: { url: hook.url, secret: WEBHOOK_SECRET } });
    await remove(id);
    await w.settle();
    await remove(id);
    await w.settle();
    const [, ...gone] = hook.arrived.map(({ body }) => body);
    expect(gone.length).toBe(1);
    expect(gone[0]).toMatchObject({ type: "channel:disconnected", phoneId: id, data: { reason: "MANUAL_DELETE" } });
  });

  test("G-154 a phone that was never connected publishes its end too", async () => {
    const hook = w.receiver();
    const id = (
      await w.gateway("/v1/phones", {
        key,
        body: { type: "SESSION", label: "A phone", webhook: { url: hook.url, secret: WEBHOOK_SECRET } },
      })
    ).body.id;
    await remove(id);
    await w.settle();
    expect(hook.arrived.map(({ body }) => [body.type, body.phoneId, body.data.reason])).toEqual([
      ["channel:disconnected", id, "MANUAL_DELETE"],
    ]);
  });
});

describe("validating an official phone", () => {
  for (const [why, spoil] of Object.entries({
    "has expired": "expireToken",
    "is not valid any more": "invalidateToken",
  } as const)) {
    test(`G-212 a token that ${why} ends it as TOKEN_EXPIRED, which no event calls a connection lost`, async () => {
      const { number: _, ...credentials } = addWabaNumber(w.graph);
      w.graph[spoil](credentials.accessToken);
      const { id, hook } = await phoneWith(credentials, "TOKEN_EXPIRED");
      expect((await read(id)).body).toMatchObject({ status: "TOKEN_EXPIRED", phoneNumber: null, disconnectedAt: null });
      expect(
        gatewaySays(
          await w.gateway("/v1/messages", {
            key,
            body: { phoneId: id, to: "5511999990001", type: "text", content: { text: "olá" } },
          }),
        ),
      ).toBe("409 PHONE_NOT_CONNECTED");
      expect(hook.arrived).toEqual([]);
    });
  }

  test("G-136 G-212 a refusal for another reason ends it as FAILED", async () => {
    const { number: _, ...credentials } = addWabaNumber(w.graph);
    const { id } = await phoneWith({ ...credentials, phoneNumberId: "999999999999999" }, "FAILED");
    expect((await read(id)).body).toMatchObject({ status: "FAILED", disconnectedAt: null });
  });

  test("G-217 an upstream that is down is asked again after 2, 10 and 30 seconds, until the phone is CONNECTED; a restart does not stop that", async () => {
    const { number, ...credentials } = addWabaNumber(w.graph);
    const hook = w.receiver();
    w.graph.fail({ failure: { kind: "http", status: 503 }, operation: "number.get", count: 3 });
    const { id } = (
      await w.gateway("/v1/phones", {
        key,
        body: { type: "WABA", label: "A phone", credentials, webhook: { url: hook.url, secret: WEBHOOK_SECRET } },
      })
    ).body;
    await untilAsked(credentials.phoneNumberId, 1);
    expect((await read(id)).body.status).toBe("PENDING_WEBHOOK");
    await w.restart();
    await untilAsked(credentials.phoneNumberId, 2);
    await retryAfter(2 * SECOND_MS, credentials.phoneNumberId, 3);
    expect(hook.arrived).toEqual([]);
    await retryAfter(10 * SECOND_MS, credentials.phoneNumberId, 4);
    await untilStatus(w, id, "CONNECTED");
    expect((await read(id)).body.phoneNumber).toBe(number);
    expect(hook.arrived.map(({ body }) => [body.type, body.data.phoneNumber])).toEqual([["channel:connected", number]]);
  });

  test("G-136 G-139 a token that is refused while sending takes a connected phone to TOKEN_EXPIRED, and says since when and why", async () => {
    const hook = w.receiver();
    const { id, accessToken } = await w.wabaPhone(key, {
      webhook: { url: hook.url, secret: WEBHOOK_SECRET, events: ["channel:disconnected"] },
    });
    w.graph.expireToken(accessToken);
    await w.advance(7 * SECOND_MS);
    await w.gateway("/v1/messages", {
      key,
      body: { phoneId: id, to: "5511999990001", type: "text", content: { text: "olá" } },
    });
    await w.settle();
    await untilStatus(w, id, "TOKEN_EXPIRED");
    expect((await read(id)).body).toMatchObject({
      status: "TOKEN_EXPIRED",
      disconnectedAt: new Date(w.clock.now()).toISOString(),
    });
    expect(hook.arrived.map(({ body }) => [body.type, body.data.reason])).toEqual([
      ["channel:disconnected", "TOKEN_EXPIRED"],
    ]);
  });
});

/** The link arms its next try a moment after the upstream's answer: moves the clock once that is so. */
const retryAfter = async (ms: number, phoneNumberId: string, times: number) => {
  const timers = w.clock.pendingTimers;
  for (let turn = 0; turn < 100 && w.clock.pendingTimers === timers; turn++) await w.gateway("/health");
  await w.advance(ms);
  await untilAsked(phoneNumberId, times);
};
