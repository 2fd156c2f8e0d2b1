import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { resolvedIn } from "../../../support/apis/open-api.ts";
import { receivedBy, rowsOf } from "../../../support/customers/customer.ts";
import { PAGER_TOKEN, type PagerNetwork, pagerNetwork, receivedPage } from "../../../support/networks/pager.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { startWorld, untilConnected, untilStatus, WEBHOOK_SECRET, type World } from "../../../support/world.ts";

let w: World;
let network: PagerNetwork;
beforeAll(async () => {
  network = pagerNetwork();
  w = await startWorld({ plugins: [network.plugin] });
});
afterAll(() => w.stop());

let tokens = 0;
/** A token that the network takes and no other channel has. */
const newToken = (): string => {
  const token = `pg-9${String(++tokens).padStart(6, "0")}`;
  network.tokens.add(token);
  return token;
};

const create = (key: string, fields: object = {}) =>
  w.gateway("/v1/phones", {
    key,
    body: { type: "PAGER", label: "Night shift", credentials: { token: PAGER_TOKEN }, ...fields },
  });

/** A customer with a connected pager and a receiver of its events. */
const newPager = async () => {
  const { id: accountId, key } = await w.account();
  const hook = w.receiver();
  const token = newToken();
  const { body: phone } = await create(key, {
    credentials: { token, zone: "north" },
    webhook: { url: hook.url, secret: WEBHOOK_SECRET },
  });
  await untilConnected(w, phone.id);
  return { accountId, key, hook, token, phone };
};

const rowCounts = async (accountId: string) =>
  (
    await rowsOf(
      w,
      "SELECT (SELECT count(*) FROM channels WHERE tenant_id = ?1) AS channels, (SELECT count(*) FROM vault) AS " +
        "secrets, (SELECT count(*) FROM messages) AS messages",
      [accountId],
    )
  )[0];

describe("a phone of a kind that an adapter brings", () => {
  test("is made with its adapter's credentials, connects, and shows what its adapter declares", async () => {
    const { key, phone, hook, token } = await newPager();
    expect(phone).toMatchObject({ type: "PAGER", status: "CONNECTING", label: "Night shift" });
    const { body } = await w.gateway(`/v1/phones/${phone.id}`, { key });
    expect(body).toMatchObject({ type: "PAGER", status: "CONNECTED", pagerZone: "north" });
    expect(body).not.toHaveProperty("wabaPhoneNumberId");
    expect(JSON.stringify((await w.gateway("/v1/phones", { key })).body)).not.toContain(token);
    expect(receivedBy(hook, "connection:connected").length + receivedBy(hook).length).toBeGreaterThan(0);
    expect(
      await rowsOf(w, "SELECT kind, holds_connection AS holds, number_id AS number FROM channels WHERE id = ?1", [
        phone.id,
      ]),
    ).toEqual([{ kind: "PAGER", holds: 1, number: token.slice(3) }]);
  });

  test.each([
    ["a field that is missing", { zone: "north" }, "token"],
    ["a field of another form", { token: "secret-canary" }, "token"],
    ["a field that is too long", { token: PAGER_TOKEN, zone: "x".repeat(21) }, "zone"],
  ])("is refused for %s by the field's name, and nothing is stored", async (_, credentials, field) => {
    const { id, key } = await w.account();
    const before = await rowCounts(id);
    const answer = await create(key, { credentials });
    expect(gatewaySays(answer)).toBe("400 VALIDATION_ERROR");
    expect(answer.body.error.details.fieldErrors).toEqual({
      credentials: [expect.stringMatching(new RegExp(`^${field} `))],
    });
    expect(answer.text).not.toContain("canary");
    expect(await rowCounts(id)).toEqual(before);
  });

  test("is refused without credentials, and a kind that there is not is refused with those that there are", async () => {
    const { id, key } = await w.account();
    const before = await rowCounts(id);
    expect(gatewaySays(await create(key, { credentials: undefined }))).toBe("400 VALIDATION_ERROR");
    const answer = await create(key, { type: "TELEX" });
    expect([gatewaySays(answer), fieldsOf(answer)]).toEqual(["400 VALIDATION_ERROR", ["type"]]);
    for (const kind of ["SESSION", "WABA", "PAGER"]) expect(answer.text).toContain(kind);
    expect(await rowCounts(id)).toEqual(before);
  });

  test("sends a text to an id of its network, and every status reaches the webhook", async () => {
    const { key, phone, hook } = await newPager();
    const { status, body } = await w.gateway("/v1/messages", {
      key,
      body: { phoneId: phone.id, to: "anna.7", type: "text", content: { text: "wake up" } },
    });
    expect(status).toBe(202);
    await w.settle();
    expect(network.sent.at(-1)).toMatchObject({ channelId: phone.id, to: "uid:anna.7", text: "wake up" });
    await network.notify(phone.id, {
      kind: "receipt",
      key: network.sent.at(-1)?.key ?? ("" as never),
      at: 0,
      status: "read",
    });
    await w.settle();
    expect((await w.gateway(`/v1/messages/${body.messageId}`, { key })).body).toMatchObject({ status: "READ" });
    // of receipts that imply the ones before
    expect(receivedBy(hook, "message:status").map(({ status: said }) => said)).toEqual(["sent", "delivered", "read"]);
  });

  test.each([
    [
      "a type that it does not declare",
      { type: "video", content: { mediaUrl: "https://example.com/a.mp4" } },
      "400 UNSUPPORTED_TYPE",
    ],
    ["a template", { type: "template", content: { name: "hello" } }, "400 UNSUPPORTED_TYPE"],
    ["a text beyond its network's limit", { content: { text: "x".repeat(201) } }, "400 CAPTION_TOO_LARGE"],
    ["somebody whom its network cannot have", { to: "5511999990001" }, "400 INVALID_TO"],
  ])("refuses %s, and nothing is queued", async (_, fields, said) => {
    const { accountId, key, phone } = await newPager();
    const before = [await rowCounts(accountId), network.sent.length];
    expect(
      gatewaySays(
        await w.gateway("/v1/messages", {
          key,
          body: { phoneId: phone.id, to: "anna.7", type: "text", content: { text: "x" }, ...fields },
        }),
      ),
    ).toBe(said);
    await w.settle();
    expect([await rowCounts(accountId), network.sent.length]).toEqual(before);
  });

  test("takes in what comes over its connection and over its own address, whose caller shows the channel's secret", async () => {
    const { key, phone, hook, token } = await newPager();
    await network.notify(phone.id, receivedPage({ id: "in-1", from: "bert.3", text: "over the connection" }));
    const path = `/v1/upstream-webhook/${phone.id}`;
    expect(network.webhookUrl(phone.id)).toBe(`${w.app.gatewayUrl}${path}`);
    const page = { id: "in-2", from: "bert.3", text: "by webhook" };
    expect((await w.gateway(path, { body: page, headers: { "x-pager-token": token } })).status).toBe(200);
    expect((await w.gateway(path, { body: page, headers: { "x-pager-token": token } })).status).toBe(200); // a repeat
    await w.settle();
    const published = receivedBy(hook, "message:received");
    expect(published.map(({ content }) => content.text)).toEqual(["over the connection", "by webhook"]);
    expect(published[0].from).toMatchObject({ canonicalKey: "uid:bert.3", type: "uid", pn: null });
    const known = await w.gateway(`/v1/phones/${phone.id}/identities/resolve?key=uid:bert.3`, { key });
    expect([known.status, known.body?.canonicalKey]).toEqual([200, "uid:bert.3"]);
  });

  test("receives nothing from a stranger at its address", async () => {
    const { accountId, phone } = await newPager();
    const envelopes = () => rowsOf(w, "SELECT count(*) AS n FROM upstream_envelopes");
    const before = [await rowCounts(accountId), await envelopes()];
    const path = `/v1/upstream-webhook/${phone.id}`;
    const other = await newPager();
    const strangers: Record<string, string>[] = [{}, { "x-pager-token": "pg-0000" }, { "x-pager-token": other.token }];
    for (const headers of strangers)
      expect(gatewaySays(await w.gateway(path, { body: { id: "x", from: "eve.1", text: "x" }, headers }))).toBe(
        "403 SIGNATURE_INVALID",
      );
    for (const id of ["4d2ad5a7-3c1c-4a3e-9b0f-000000000000", "x"])
      expect(
        gatewaySays(
          await w.gateway(`/v1/upstream-webhook/${id}`, { body: {}, headers: { "x-pager-token": other.token } }),
        ),
      ).toBe("403 SIGNATURE_INVALID");
    await w.settle();
    expect([(await rowCounts(accountId))?.["messages"], await envelopes()]).toEqual([
      before[0] && (before[0] as Record<string, number>)["messages"],
      before[1],
    ]);
  });

  test("of one account is visible to and used by no other", async () => {
    const mine = await newPager();
    const other = await newPager();
    expect(gatewaySays(await w.gateway(`/v1/phones/${mine.phone.id}`, { key: other.key }))).toBe("404 PHONE_NOT_FOUND");
    const sent = network.sent.length;
    expect(
      gatewaySays(
        await w.gateway("/v1/messages", {
          key: other.key,
          body: { phoneId: mine.phone.id, to: "anna.7", type: "text", content: { text: "x" } },
        }),
      ),
    ).toBe("404 PHONE_NOT_FOUND");
    await network.notify(mine.phone.id, receivedPage({ id: "in-1", from: "bert.3", text: "for mine alone" }));
    await w.settle();
    expect(network.sent.length).toBe(sent);
    expect(receivedBy(other.hook, "message:received")).toEqual([]);
    expect(receivedBy(mine.hook, "message:received")).toHaveLength(1);
    expect((await w.gateway("/v1/phones", { key: other.key })).body.map(({ id }: { id: string }) => id)).toEqual([
      other.phone.id,
    ]);
  });

  test("whose token its network refuses is FAILED and says why; a code to scan there is none", async () => {
    const { key } = await w.account();
    const { body } = await create(key, { credentials: { token: "pg-4444" } });
    await untilStatus(w, body.id, "FAILED");
    expect((await w.gateway(`/v1/phones/${body.id}`, { key })).body).toMatchObject({
      status: "FAILED",
      stateReason: "TOKEN_REFUSED",
    });
    expect(gatewaySays(await w.gateway(`/v1/phones/${body.id}/qrcode`, { key }))).toBe("400 QR_NOT_APPLICABLE");
  });

  test("has its connection back after a restart, is counted, measured and billed under its kind, and stands in the API's description", async () => {
    const { key, phone } = await newPager();
    await w.gateway("/v1/messages", {
      key,
      body: { phoneId: phone.id, to: "anna.7", type: "text", content: { text: "x" } },
    });
    await w.settle();
    expect((await w.gateway("/v1/usage", { key })).body.breakdown).toMatchObject({
      PAGER: { sent: 1, received: 0 },
      SESSION: { sent: 0, received: 0 },
    });
    expect(await w.app.env.scrape()).toMatch(/recado_send_attempts_total\{[^}]*kind="PAGER"[^}]*\} [1-9]/);
    await w.restart();
    await untilConnected(w, phone.id);
    await network.notify(phone.id, receivedPage({ id: "after", from: "bert.3", text: "x" }));
    const { body: description } = await w.gateway("/openapi.json");
    const body = JSON.stringify(resolvedIn(description, description.paths["/v1/phones"].post.requestBody));
    for (const said of ["PAGER", "the token of the pager account", "phoneNumberId"]) expect(body).toContain(said);
    expect(JSON.stringify(description.components.schemas.Phone)).toContain("pagerZone");
  });
});
