import { afterEach, describe, expect, test } from "bun:test";
import { constants, createCipheriv, createDecipheriv, createHmac, privateDecrypt } from "node:crypto";
import { type Answered, errorOf, graphBench, listOf, NUMBER_ID, SECRET } from "../fixture.ts";
import { type Fields, fieldsOf } from "../shape.ts";
import { ENDPOINT_JSON, flowBench, keyPair } from "./fixture.ts";

const bench = graphBench();
const KEYS = keyPair();
const KEY_PATH = `/v25.0/${NUMBER_ID}/whatsapp_business_encryption`;
const codeOf = (answer: Answered) => errorOf(answer)["code"];

let stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops) await stop();
  stops = [];
});

/**
 * A business's endpoint as the documents describe one, written without any code of the simulator. It answers with the
 * result of `reply`.
 */
const endpoint = (reply: (request: Fields) => unknown, privateKey = KEYS.privateKey) => {
  const asked: Fields[] = [];
  const answerTo = async (request: Request): Promise<Response> => {
    const raw = await request.text();
    const signature = `sha256=${createHmac("sha256", SECRET).update(raw).digest("hex")}`;
    if (request.headers.get("x-hub-signature-256") !== signature) return new Response("", { status: 432 });
    try {
      const { key, iv, plain } = opened(JSON.parse(raw), privateKey);
      asked.push(plain);
      const answer = reply(plain);
      return answer instanceof Response
        ? answer
        : new Response(sealedAnswer(key, iv, answer), { headers: { "content-type": "text/plain" } });
    } catch {
      return new Response("", { status: 421 });
    }
  };
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answerTo });
  stops.push(() => server.stop(true));
  return { url: `http://127.0.0.1:${server.port}/flow`, asked };
};

const opened = (body: Record<string, string>, privateKey: string) => {
  const part = (name: string) => Buffer.from(body[name] ?? "", "base64");
  const key = privateDecrypt(
    { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" },
    part("encrypted_aes_key"),
  );
  const [iv, data] = [part("initial_vector"), part("encrypted_flow_data")];
  const decipher = createDecipheriv("aes-128-gcm", key, iv).setAuthTag(data.subarray(-16));
  const plain: Fields = JSON.parse(
    Buffer.concat([decipher.update(data.subarray(0, -16)), decipher.final()]).toString(),
  );
  return { key, iv, plain };
};

const sealedAnswer = (key: Buffer, iv: Buffer, answer: unknown) => {
  const cipher = createCipheriv("aes-128-gcm", key, Buffer.from(iv.map((byte) => ~byte)));
  return Buffer.concat([cipher.update(JSON.stringify(answer)), cipher.final(), cipher.getAuthTag()]).toString("base64");
};

/** The number with its key uploaded, and webhooks configured with the app secret. */
const ready = async () => {
  const all = { ...bench(), ...flowBench(bench()) };
  all.receive();
  await all.setKey(KEYS.publicKey);
  return { ...all, phone: all.graph.flowClient(NUMBER_ID) };
};

describe("a number's public key", () => {
  test("is a public RSA key of 2048 bits in PEM, shown with its status, which a registration ends", async () => {
    const { call, setKey } = { ...bench(), ...flowBench(bench()) };
    expect((await call("GET", KEY_PATH)).body).toEqual({ data: [] });
    expect((await setKey(KEYS.publicKey)).body).toEqual({ success: true });
    expect((await call("GET", KEY_PATH)).body).toEqual({
      data: [{ business_public_key: KEYS.publicKey, business_public_key_signature_status: "VALID" }],
    });
    await call("POST", `/v25.0/${NUMBER_ID}/register`, { messaging_product: "whatsapp", pin: "123456" });
    expect(listOf((await call("GET", KEY_PATH)).body["data"])[0]).toMatchObject({
      business_public_key_signature_status: "MISMATCH",
    });
  });

  const REFUSED: [why: string, key: unknown][] = [
    ["nothing", undefined],
    ["no text", 7],
    ["no key", "a key"],
    ["a cut key", KEYS.publicKey.slice(0, 200)],
    ["a private key", KEYS.privateKey],
    ["a key of 1024 bits", keyPair(1024).publicKey],
    ["a key of 4096 bits", keyPair(4096).publicKey],
  ];
  test.each(REFUSED)("is refused when it is %s", async (_why, business_public_key) => {
    const { call } = bench();
    expect(codeOf(await call("POST", KEY_PATH, { business_public_key }))).toBe(100);
    expect((await call("GET", KEY_PATH)).body).toEqual({ data: [] });
  });
});

describe("a phone with a flow open", () => {
  test("asks the endpoint encrypted and signed, and reads its answer", async () => {
    const { phone } = await ready();
    const { url, asked } = endpoint(({ screen }) => ({ screen: "DONE", data: { from: screen, greeting: "olá 😀" } }));
    const request = {
      action: "data_exchange",
      screen: "WELCOME",
      data: { name: "Zé" },
      flow_token: "t1",
      version: "3.0",
    } as const;
    const { status, contentType, answer } = await phone.exchange(url, request);
    expect([status, contentType, answer]).toEqual([
      200,
      "text/plain",
      { screen: "DONE", data: { from: "WELCOME", greeting: "olá 😀" } },
    ]);
    expect(asked).toEqual([request]);
  });

  test("pings with nothing but action and version, and uses no key or vector twice", async () => {
    const { phone } = await ready();
    const { url, asked } = endpoint(() => ({ data: { status: "active" } }));
    const answers = [await phone.exchange(url, { action: "ping" }), await phone.exchange(url, { action: "ping" })];
    expect(asked).toEqual([
      { version: "3.0", action: "ping" },
      { version: "3.0", action: "ping" },
    ]);
    expect(answers[0]?.answer).toEqual({ data: { status: "active" } });
    expect(answers[0]?.body).not.toBe(answers[1]?.body ?? "");
  });

  const CORRUPT = ["data", "key", "iv"] as const;
  test.each(CORRUPT)("whose %s was altered on the way is not understood (421)", async (corrupt) => {
    const { phone } = await ready();
    const { url, asked } = endpoint(() => ({}));
    expect((await phone.exchange(url, { action: "INIT" }, { corrupt })).status).toBe(421);
    expect(asked).toEqual([]);
  });

  const SIGNATURES = ["wrong", "altered", "none"] as const;
  test.each(SIGNATURES)("is refused with a signature that is %s (432)", async (signature) => {
    const { phone } = await ready();
    const { url, asked } = endpoint(() => ({}));
    expect((await phone.exchange(url, { action: "INIT" }, { signature })).status).toBe(432);
    expect(asked).toEqual([]);
  });

  test("with a stale key is not understood (421) and comes again with the new one; there must have been two", async () => {
    const { phone, setKey } = await ready();
    const renewed = keyPair();
    const { url, asked } = endpoint(() => ({ data: { status: "active" } }), renewed.privateKey);
    expect(await phone.exchange(url, { action: "ping" }, { key: "stale" }).then(String, String)).toContain(
      "no stale public key",
    );
    await setKey(renewed.publicKey);
    expect((await phone.exchange(url, { action: "ping" }, { key: "stale" })).status).toBe(421);
    expect((await phone.exchange(url, { action: "ping" })).answer).toEqual({ data: { status: "active" } });
    expect(asked.length).toBe(1);
  });

  test("may say anything at all, well encrypted", async () => {
    const { phone } = await ready();
    const { url, asked } = endpoint(() => ({}));
    expect((await phone.exchange(url, { action: "INIT" }, { plaintext: "no JSON" })).status).toBe(421);
    await phone.exchange(url, { action: "INIT" }, { plaintext: '{"version":"3.0","data":{"error":"timeout_error"}}' });
    expect(asked).toEqual([{ version: "3.0", data: { error: "timeout_error" } }]);
  });

  test("gets no answer out of what is not for it, of a plain refusal, of nobody", async () => {
    const { phone } = await ready();
    const { url: foreign } = endpoint(() => new Response(Buffer.alloc(64).toString("base64")));
    const { url: expired } = endpoint(() =>
      Response.json({ error_msg: "The order has already been placed" }, { status: 427 }),
    );
    const wrong = await phone.exchange(foreign, { action: "ping" });
    expect([wrong.status, wrong.answer, typeof wrong.fault]).toEqual([200, undefined, "string"]);
    expect(await phone.exchange(expired, { action: "INIT" })).toMatchObject({
      status: 427,
      body: '{"error_msg":"The order has already been placed"}',
      fault: expect.any(String),
    });
    for (const stop of stops) await stop();
    expect(await phone.exchange(foreign, { action: "ping" })).toMatchObject({
      status: null,
      fault: expect.any(String),
    });
  });

  test("calls this machine only, and needs a key and the app secret", async () => {
    const { graph, setKey } = { ...bench(), ...flowBench(bench()) };
    const ask = (url: string) => graph.flowClient(NUMBER_ID).exchange(url, { action: "ping" }).then(String, String);
    expect(await ask("http://127.0.0.1:1/")).toContain("no app secret");
    bench().receive();
    expect(await ask("http://127.0.0.1:1/")).toContain("no current public key");
    await setKey(KEYS.publicKey);
    expect(await ask("https://example.com/")).toContain("this machine only");
  });

  test("can be driven over HTTP", async () => {
    const { graph } = await ready();
    const { url } = endpoint(() => ({ data: { status: "active" } }));
    const order = (trouble: Fields) =>
      fetch(`${graph.url}/_sim/flows/exchange`, {
        method: "POST",
        body: JSON.stringify({ phoneNumberId: NUMBER_ID, url, request: { action: "ping" }, trouble }),
      }).then((answer) => answer.json());
    expect(await order({})).toMatchObject({ result: { status: 200, answer: { data: { status: "active" } } } });
    expect(await order({ signature: "wrong" })).toMatchObject({ result: { status: 432 } });
    expect(await order({ corrupt: "everything" })).toHaveProperty("error");
  });
});

describe("publishing a flow whose endpoint is asked first", () => {
  test("is refused (4233014) until the endpoint answers the ping", async () => {
    const { graph, made, call, publish } = await ready();
    graph.configure({ isEndpointPinged: true });
    let isUp = false;
    const { url, asked } = endpoint(() => (isUp ? { data: { status: "active" } } : { data: {} }));
    const id = await made({ flow_json: JSON.stringify(ENDPOINT_JSON), endpoint_uri: url });
    expect(errorOf(await publish(id))).toMatchObject({ code: 139002, error_subcode: 4233014 });
    expect(fieldsOf((await call("GET", `/v25.0/${id}`)).body)).toMatchObject({ status: "DRAFT" });
    isUp = true;
    expect((await publish(id)).status).toBe(200);
    expect(asked).toEqual([
      { version: "3.0", action: "ping" },
      { version: "3.0", action: "ping" },
    ]);
  });
});
