import { beforeEach, describe, expect, test } from "bun:test";
import { hmacSha256 } from "../../../../src/kernel/crypto.ts";
import { type Customer, newCustomer, rowsOf } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import type { Receiver } from "../../../support/servers/receiver.ts";
import { useWorld } from "../../../support/use-world.ts";
import { APP_SECRET, WEBHOOK_SECRET } from "../../../support/world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
let c: Customer;
/** The customer's endpoint for flows. */
let endpoint: Receiver;
beforeEach(async () => {
  c = await newCustomer(w);
  endpoint = w.receiver();
  endpoint.reply(() => Response.json({ screen: "NEXT", data: { nome: "São" } }));
});

const NOBODY = "00000000-0000-4000-8000-000000000000";
const makeKey = () => w.gateway(`/v1/phones/${c.phone.id}/flows-keypair`, { key: c.key, method: "POST" });
const makeFlow = async (more: object = { endpointUrl: endpoint.url }): Promise<string> =>
  (
    await w.gateway("/v1/flows", {
      key: c.key,
      body: { phoneId: c.phone.id, name: "Pesquisa", categories: ["SURVEY"], ...more },
    })
  ).body.id;
const urlOf = (id: string) => `${w.app.url}/gateway/v1/flows/data-exchange/${id}`;

type Exchange = ReturnType<typeof w.graph.flowClient>["exchange"];
/** What the network's app does with what a user entered. */
const exchange = (id: string, request: Parameters<Exchange>[1], options?: Parameters<Exchange>[2]) =>
  w.graph.flowClient(c.phone.phoneNumberId).exchange(urlOf(id), request, options);
const ENTERED = {
  action: "data_exchange",
  screen: "START",
  data: { nome: "Ana" },
  flow_token: "token-1",
  version: "3.0",
} as const;

describe("what users enter into a flow", () => {
  test("G-029 GAP-G63 a ping is answered here, sealed, without an API key", async () => {
    await makeKey();
    const answer = await exchange(await makeFlow({}), { action: "ping", version: "3.0" });
    expect(answer).toMatchObject({ status: 200, answer: { data: { status: "active" } } });
    expect(answer.contentType).toStartWith("text/plain");
    expect(endpoint.arrived).toEqual([]);
  });

  test("GAP-G63 everything else goes to the flow's endpoint, signed with the phone's secret, and comes back sealed", async () => {
    await makeKey();
    const id = await makeFlow();
    expect(await exchange(id, ENTERED)).toMatchObject({
      status: 200,
      answer: { screen: "NEXT", data: { nome: "São" } },
    });
    const [asked] = endpoint.arrived;
    expect(asked?.body).toEqual({ flowId: id, phoneId: c.phone.id, ...ENTERED });
    expect(asked?.headers["x-gateway-signature"]).toBe(`sha256=${hmacSha256(WEBHOOK_SECRET, asked?.raw ?? "", "hex")}`);
  });

  test("GAP-G63 a fault on the user's side is acknowledged where there is no endpoint", async () => {
    await makeKey();
    const answer = await exchange(await makeFlow({}), {
      action: "data_exchange",
      data: { error: "x", error_message: "y" },
      flow_token: "t",
    });
    expect(answer).toMatchObject({ status: 200, answer: { data: { acknowledged: true } } });
  });

  test("GAP-G63 an endpoint may say that the token is no longer valid: 427, sealed", async () => {
    await makeKey();
    endpoint.reply(() => Response.json({ error_msg: "Expirou" }, { status: 427 }));
    expect(await exchange(await makeFlow(), ENTERED)).toMatchObject({ status: 427, answer: { error_msg: "Expirou" } });
  });

  const BAD: [string, () => Response][] = [
    ["an error", () => new Response("no", { status: 500 })],
    ["a redirect", () => Response.redirect("https://example.com/")],
    ["no JSON", () => new Response("ok")],
    ["a list", () => Response.json([])],
    ["more than it may", () => new Response(`{"data":"${"x".repeat(70_000)}"}`)],
  ];
  test.each(BAD)("GAP-G63 an endpoint that answers %s is a failure that the network can see", async (_, answer) => {
    await makeKey();
    endpoint.reply(answer);
    const { status, answer: opened } = await exchange(await makeFlow(), ENTERED);
    expect([status, opened]).toEqual([502, undefined]);
  });

  test("GAP-G63 an endpoint that is not there, or private, is one too", async () => {
    await makeKey();
    const id = await makeFlow();
    await endpoint.stop();
    expect((await exchange(id, ENTERED)).status).toBe(502);
    await w.app.env.db.write(async (tx) =>
      tx.run("UPDATE flows SET endpoint_url = 'https://169.254.169.254/' WHERE id = ?1 RETURNING 1", [id]),
    );
    expect((await exchange(id, ENTERED)).status).toBe(502);
  });
});

describe("what is refused", () => {
  test("GAP-G63 unknown flows and phones without a key", async () => {
    const sealed = { encrypted_flow_data: "AA==", encrypted_aes_key: "AA==", initial_vector: "AA==" };
    expect(gatewaySays(await w.gateway(`/v1/flows/data-exchange/${NOBODY}`, { body: sealed }))).toBe(
      "404 FLOW_NOT_FOUND",
    );
    expect(gatewaySays(await w.gateway(`/v1/flows/data-exchange/${await makeFlow()}`, { body: sealed }))).toBe(
      "404 NO_PUBLIC_KEY",
    );
  });

  test("GAP-G63 a signed body that is no sealed request; of one that is not signed not a word is read", async () => {
    await makeKey();
    const id = await makeFlow();
    for (const raw of ["", "{", "[]", "{}", '{"encrypted_flow_data":1,"encrypted_aes_key":"","initial_vector":""}']) {
      const headers = { "x-hub-signature-256": `sha256=${hmacSha256(APP_SECRET, raw, "hex")}` };
      expect(gatewaySays(await w.gateway(`/v1/flows/data-exchange/${id}`, { raw, headers, method: "POST" }))).toBe(
        "400 VALIDATION_ERROR",
      );
      expect(gatewaySays(await w.gateway(`/v1/flows/data-exchange/${id}`, { raw, method: "POST" }))).toBe(
        "432 SIGNATURE_INVALID",
      );
    }
  });

  test("G-029 432 for a wrong signature, before anything is opened or forwarded", async () => {
    await makeKey();
    const id = await makeFlow();
    for (const signature of ["wrong", "none"] as const)
      expect((await exchange(id, ENTERED, { signature })).status).toBe(432);
    expect(endpoint.arrived).toEqual([]);
  });

  test("GAP-G63 421 for what was sealed for another key or altered on the way: the network fetches the key again", async () => {
    await makeKey();
    const id = await makeFlow();
    for (const corrupt of ["data", "key", "iv"] as const)
      expect((await exchange(id, ENTERED, { corrupt })).status).toBe(421);
    await makeKey();
    expect((await exchange(id, ENTERED, { key: "stale" })).status).toBe(421);
    expect((await exchange(id, ENTERED)).status).toBe(200);
    expect(endpoint.arrived).toHaveLength(1);
  });

  test("GAP-G63 after a key whose upload got no answer, what is sealed for either key opens", async () => {
    await makeKey();
    const id = await makeFlow();
    w.graph.failNext(1, { kind: "reset", isAccepted: true }, { operation: "key.set" });
    expect(gatewaySays(await makeKey())).toBe("502 UPSTREAM_UNAVAILABLE");
    expect((await exchange(id, ENTERED)).status).toBe(200);
    expect((await exchange(id, ENTERED, { key: "stale" })).status).toBe(200);
  });

  test("GAP-G63 a repeat that is refused loses neither: it gives the same key again", async () => {
    await makeKey();
    const id = await makeFlow();
    w.graph.failNext(1, { kind: "reset", isAccepted: true }, { operation: "key.set" });
    expect(gatewaySays(await makeKey())).toBe("502 UPSTREAM_UNAVAILABLE");
    w.graph.failNext(1, { kind: "error", code: 100 }, { operation: "key.set" });
    expect(gatewaySays(await makeKey())).toBe("400 UPSTREAM_BAD_REQUEST");
    expect((await exchange(id, ENTERED)).status).toBe(200);
    expect((await exchange(id, ENTERED, { key: "stale" })).status).toBe(200);
  });

  test("G-053 500 when the stored key pair cannot be read, to the network and to its owner", async () => {
    await makeKey();
    const id = await makeFlow();
    await w.app.env.db.write(async (tx) =>
      tx.run("UPDATE vault SET sealed = '1.x.y.z' WHERE channel_id = ?1 AND field = 'flowKey' RETURNING 1", [
        c.phone.id,
      ]),
    );
    expect((await exchange(id, ENTERED)).status).toBe(500);
    expect(gatewaySays(await w.gateway(`/v1/phones/${c.phone.id}/flows-keypair`, { key: c.key }))).toBe(
      "500 KEYPAIR_INVALID",
    );
    expect(await rowsOf(w, "SELECT count(*) AS n FROM flows WHERE id = ?1", [id])).toEqual([{ n: 1 }]);
  });
});
