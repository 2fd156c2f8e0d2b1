import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hmacSha256 } from "../../../../../src/kernel/crypto.ts";
import { AppError } from "../../../../../src/kernel/errors.ts";
import {
  type Customer,
  holdBack,
  newCustomer,
  receivedBy,
  release,
  rowsOf,
  TO,
  tracesOf,
} from "../../../../support/customers/customer.ts";
import { pagerNetwork } from "../../../../support/networks/pager.ts";
import { gatewaySays } from "../../../../support/refusals.ts";
import { APP_SECRET, addWabaNumber, startWorld, VERIFY_TOKEN, type World } from "../../../../support/world.ts";

let w: World;
let c: Customer;
beforeAll(async () => {
  w = await startWorld();
  c = await newCustomer(w);
});
afterAll(() => w.stop());

const PATH = "/v1/upstream-webhook";

const post = (raw: string, headers: Record<string, string>, world = w) => world.gateway(PATH, { raw, headers });
const signed = (raw: string, secret = APP_SECRET) => ({
  "x-hub-signature-256": `sha256=${hmacSha256(secret, raw, "hex")}`,
});

/** A webhook with one text, as Meta posts it. */
const textFor = ({ phone }: Pick<Customer, "phone">, text: string, wamid = `wamid.${text}`) =>
  JSON.stringify({
    object: "whatsapp_business_account",
    entry: [
      {
        id: "1",
        changes: [
          {
            field: "messages",
            value: {
              metadata: { phone_number_id: phone.phoneNumberId },
              messages: [{ from: TO, id: wamid, timestamp: "1700000000", type: "text", text: { body: text } }],
            },
          },
        ],
      },
    ],
  });

describe("the handshake", () => {
  test("G-026 GAP-G62 answers the challenge to the server's verify token, as text and without an API key", async () => {
    expect(await w.graph.webhooks.verify(VERIFY_TOKEN)).toMatchObject({ isVerified: true, status: 200 });
    const answer = await w.gateway(`${PATH}?hub.mode=subscribe&hub.challenge=%3Cb%3E&hub.verify_token=${VERIFY_TOKEN}`);
    expect([answer.status, answer.text, answer.headers.get("content-type")]).toEqual([200, "<b>", "text/plain"]);
  });

  test("G-026 GAP-G62 answers it to the verify token of a phone too, which is thereby configured", async () => {
    const { number: _, ...credentials } = addWabaNumber(w.graph);
    const made = await w.gateway("/v1/phones", {
      key: c.key,
      body: { type: "WABA", label: "A phone", credentials: { ...credentials, verifyToken: "the-phones-own-token" } },
    });
    const isConfigured = async () =>
      (await w.gateway(`/v1/phones/${made.body.id}`, { key: c.key })).body.wabaWebhookConfigured;
    await w.settle();
    expect(await isConfigured()).toBe(false);
    expect(await w.graph.webhooks.verify("the-phones-own-token")).toMatchObject({ isVerified: true });
    expect(await isConfigured()).toBe(true);
  });

  test.each([
    "hub.mode=subscribe&hub.challenge=1&hub.verify_token=wrong",
    "hub.mode=subscribe&hub.challenge=1&hub.verify_token=",
    "hub.mode=subscribe&hub.challenge=1",
    `hub.challenge=1&hub.verify_token=${VERIFY_TOKEN}`,
    `hub.mode=unsubscribe&hub.challenge=1&hub.verify_token=${VERIFY_TOKEN}`,
    "",
  ])("GAP-G62 is refused: ?%s", async (query) => {
    expect(gatewaySays(await w.gateway(`${PATH}?${query}`))).toBe("403 FORBIDDEN");
  });
});

describe("a posted webhook", () => {
  test("G-026 GAP-G62 is answered 200 once it is on disk, before it is read", async () => {
    await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text: "there is a queue from the first one on" });
    await w.settle();
    await holdBack(w, "upstream");
    const raw = textFor(c, "on disk");
    const answer = await post(raw, signed(raw));
    expect([answer.status, answer.body]).toEqual([200, { received: true }]);
    expect(await rowsOf(w, "SELECT body FROM upstream_envelopes WHERE body = ?1", [raw])).toHaveLength(1);
    await w.settle();
    const published = receivedBy(c.hook).length;
    await w.restart();
    await release(w, "upstream");
    expect(receivedBy(c.hook).slice(published)).toMatchObject([{ content: { text: "on disk" } }]);
  });

  const WRONG: [what: string, headers: (raw: string) => Record<string, string>][] = [
    ["no signature", () => ({})],
    ["an empty signature", () => ({ "x-hub-signature-256": "" })],
    ["the signature of another secret", (raw) => signed(raw, "another-secret")],
    ["the signature of other bytes", (raw) => signed(`${raw} `)],
    ["a signature without its prefix", (raw) => ({ "x-hub-signature-256": hmacSha256(APP_SECRET, raw, "hex") })],
    [
      "a signature in capitals",
      (raw) => ({ "x-hub-signature-256": `sha256=${hmacSha256(APP_SECRET, raw, "hex").toUpperCase()}` }),
    ],
    ["the signature of an empty secret", (raw) => signed(raw, "")],
    [
      "the older SHA-1 header alone",
      (raw) => ({ "x-hub-signature": `sha1=${hmacSha256(APP_SECRET, raw, "hex").slice(0, 40)}` }),
    ],
  ];
  test.each(WRONG)("GAP-G62 with %s is refused, and nothing is stored", async (what, headers) => {
    const before = await tracesOf(w, c);
    const raw = textFor(c, what);
    expect(gatewaySays(await post(raw, headers(raw)))).toBe("403 SIGNATURE_INVALID");
    expect(await tracesOf(w, c)).toEqual(before);
  });

  test.each(["", "{", "not json", '{"a":1} x'])(
    "GAP-G62 that is signed and no JSON is refused, and nothing is stored: %p",
    async (raw) => {
      const before = await tracesOf(w, c);
      expect(gatewaySays(await post(raw, signed(raw)))).toBe("400 VALIDATION_ERROR");
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/xml", ""])
        expect(gatewaySays(await post(raw, { ...signed(raw), "content-type": type }))).toBe("400 VALIDATION_ERROR");
      const untyped = { method: "POST", body: Buffer.from(raw), headers: signed(raw) };
      expect((await fetch(`${w.app.url}/gateway${PATH}`, untyped)).status).toBe(400);
      expect(await tracesOf(w, c)).toEqual(before);
    },
  );

  test("GAP-G62 is verified over the bytes as they came, whatever their spelling and content type", async () => {
    const raw = textFor(c, "Ação 🚚").replace('"object"', ' "object"').replaceAll("ç", String.raw`\u00e7`);
    expect((await post(raw, { ...signed(raw), "content-type": "text/plain" })).status).toBe(200);
    await w.settle();
    expect(receivedBy(c.hook).at(-1).content.text).toBe("Ação 🚚");
  });
});

test.each([
  ["begin with a byte order mark", (raw: string) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(raw)])],
  ["are not quite UTF-8", (raw: string) => Buffer.from(raw.replace("*", "\xff"), "latin1")],
])("GAP-G62 a webhook is verified over its bytes where they %s, and read", async (what, bytesOf) => {
  const bytes = bytesOf(textFor(c, `* ${what}`));
  const send = (signature: string) =>
    fetch(`${w.app.url}/gateway${PATH}`, {
      method: "POST",
      body: bytes,
      headers: { "content-type": "application/json", "x-hub-signature-256": signature },
    });
  const published = receivedBy(c.hook).length;
  expect((await send(`sha256=${hmacSha256(APP_SECRET, new TextDecoder().decode(bytes), "hex")}`)).status).toBe(403);
  await w.settle();
  expect(receivedBy(c.hook)).toHaveLength(published);
  expect((await send(`sha256=${hmacSha256(APP_SECRET, bytes, "hex")}`)).status).toBe(200);
  await w.settle();
  expect(
    receivedBy(c.hook)
      .slice(published)
      .map(({ content }) => content.text),
  ).toEqual([expect.stringContaining(what)]);
});

test("GAP-G62 any of several app secrets verifies a webhook", async () => {
  const other = await startWorld({ env: { RECADO_META_APP_SECRET: "first-secret,second-secret" } });
  const customer = await newCustomer(other);
  for (const secret of ["first-secret", "second-secret"]) {
    const raw = textFor(customer, secret);
    expect((await post(raw, signed(raw, secret), other)).status).toBe(200);
  }
  await other.settle();
  expect(receivedBy(customer.hook).map(({ content }) => content.text)).toEqual(["first-secret", "second-secret"]);
  const raw = textFor(customer, "third");
  expect(gatewaySays(await post(raw, signed(raw, "first-secret,second-secret"), other))).toBe("403 SIGNATURE_INVALID");
  await other.stop();
});

test("GAP-G62 without an app secret nothing can be verified, so everything is refused and nothing stored", async () => {
  const other = await startWorld({ env: { RECADO_META_APP_SECRET: "" } });
  for (const headers of [{}, signed("{}", ""), signed("{}")])
    expect(gatewaySays(await post("{}", headers, other))).toBe("503 UPSTREAM_APP_NOT_CONFIGURED");
  expect(await rowsOf(other, "SELECT id FROM upstream_envelopes")).toEqual([]);
  await other.stop();
});

test("GAP-G62 a receiver of another network that answers late holds up no webhook of the official API", async () => {
  const late = () => new Promise<never>(() => {});
  const { plugin } = pagerNetwork();
  const receiver = { isConfigured: true, isSigned: late, isFor: late, verify: late, handshake: late, parse: () => [] };
  const other = await startWorld({ plugins: [{ ...plugin, receiver }] });
  const customer = await newCustomer(other);
  const raw = textFor(customer, "in time");
  expect((await post(raw, signed(raw), other)).status).toBe(200);
  expect(await other.graph.webhooks.verify(VERIFY_TOKEN)).toMatchObject({ isVerified: true });
  await other.settle();
  expect(receivedBy(customer.hook).map(({ content }) => content.text)).toEqual(["in time"]);
  await other.stop();
});

describe("while a receiver of another network is slow", () => {
  /** A world whose other receiver answers `verify` with `answer`, and takes no handshake. */
  const startBeside = (answer: Promise<boolean>, env: Record<string, string> = {}) => {
    const { plugin } = pagerNetwork();
    const receiver = {
      isConfigured: true,
      isSigned: () => false,
      isFor: () => false,
      verify: () => answer,
      parse: () => [],
    };
    return startWorld({ plugins: [{ ...plugin, receiver }], env });
  };
  const LONG = "x".repeat(100_000);

  test("a long forged webhook that waits for it holds up no long webhook of the official API", async () => {
    const { promise: answer, resolve } = Promise.withResolvers<boolean>();
    const other = await startBeside(answer);
    const customer = await newCustomer(other);
    const forgeries = [1, 2, 3].map((n) => {
      const raw = textFor(customer, `forged ${n} ${LONG}`, `wamid.forged${n}`);
      return post(raw, signed(raw, "another-secret"), other);
    });
    const raw = textFor(customer, LONG, "wamid.long");
    expect((await post(raw, signed(raw), other)).status).toBe(200);
    resolve(false);
    expect((await Promise.all(forgeries)).map(gatewaySays)).toEqual(Array(3).fill("403 SIGNATURE_INVALID"));
    await other.stop();
  });

  test("forged webhooks get 503 and count against their address", async () => {
    const answer = Promise.reject(new AppError("OVERLOADED"));
    answer.catch(() => {});
    const other = await startBeside(answer, { RECADO_ADDRESS_RATE: "3" });
    const says = async (raw: string, headers: Record<string, string>) => gatewaySays(await post(raw, headers, other));
    const forgeries = await Promise.all([1, 2, 3].map((n) => says(`{"n":${n}}`, signed(`{"n":${n}}`, "another"))));
    expect(forgeries).toEqual(Array(3).fill("503 OVERLOADED"));
    expect(await says("{}", signed("{}", "another"))).toBe("429 RATE_LIMITED");
    await other.stop();
  });
});

describe("one number in two accounts", () => {
  /** A phone of another account with the same number, its token known to the network or not. */
  const sameNumberOf = async (other: { key: string }, { phone }: Customer, accessToken: string) => {
    const { wabaBusinessAccountId: businessAccountId } = (await w.gateway(`/v1/phones/${phone.id}`, { key: c.key }))
      .body;
    const credentials = { phoneNumberId: phone.phoneNumberId, businessAccountId, accessToken };
    return (await w.gateway("/v1/phones", { key: other.key, body: { type: "WABA", label: "The same", credentials } }))
      .body.id as string;
  };
  const eventsReceivedBy = async (key: string) =>
    (await w.gateway("/v1/events?type=message:received", { key })).body.items.length;

  test("GAP-G62 an account without a right to the number receives nothing of it, and the one with it receives all", async () => {
    const stranger = await w.account();
    const id = await sameNumberOf(stranger, c, "a token that nobody issued");
    await w.settle();
    const raw = textFor(c, "for the owner alone");
    expect((await post(raw, signed(raw))).status).toBe(200);
    await w.settle();
    expect((await w.gateway(`/v1/phones/${id}`, { key: stranger.key })).body.status).not.toBe("CONNECTED");
    expect([await eventsReceivedBy(stranger.key), receivedBy(c.hook, "message:received").at(-1)?.content.text]).toEqual(
      [0, "for the owner alone"],
    );
  });
});
