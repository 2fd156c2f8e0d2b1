import { afterEach, beforeEach, expect, test } from "bun:test";
import { request } from "node:http";
import { CPF } from "../billing/billing.ts";
import { API_KEY, type Event, type SimulatedProcessor, startProcessor } from "./index.ts";

let processor: SimulatedProcessor;
beforeEach(() => {
  processor = startProcessor();
});
afterEach(() => processor.stop());

const HEADERS = { access_token: API_KEY, "user-agent": "a test", "content-type": "application/json" };
type Said = { status: number | undefined; body: any };
/** Over Node's client, which adds no header and sends a body with any method. */
const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = HEADERS): Promise<Said> =>
  new Promise((resolve, reject) => {
    const sent = request(`${processor.url}${path}`, { method, headers }, (answer) => {
      let text = "";
      answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
      answer.on("end", () => resolve({ status: answer.statusCode, body: JSON.parse(text) }));
    });
    sent.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
const says = ({ status, body }: Said): string => `${status} ${body.errors?.[0]?.code ?? body.object}`;

const charge = async (more: object = {}): Promise<Said> => {
  const { id: customer } = (await ask("POST", "/customers", { name: "Ana", cpfCnpj: CPF })).body;
  return ask("POST", "/payments", {
    customer,
    billingType: "PIX",
    value: 129.9,
    dueDate: "2026-11-21",
    externalReference: "r",
    ...more,
  });
};

test("it answers 200 to what it makes, and lists it by its reference until it is deleted", async () => {
  const { status, body } = await charge();
  expect([status, body.object, body.status]).toEqual([200, "payment", "PENDING"]);
  expect((await ask("GET", "/payments?externalReference=r")).body).toMatchObject({
    object: "list",
    totalCount: 1,
    data: [{ id: body.id }],
  });
  expect((await ask("DELETE", `/payments/${body.id}`)).body).toEqual({ deleted: true, id: body.id });
  expect((await ask("GET", "/payments?externalReference=r")).body.totalCount).toBe(0);
  expect((await ask("GET", `/payments/${body.id}`)).body).toMatchObject({ deleted: true });
});

test("it refuses what the real one refuses, in its shape", async () => {
  const { "user-agent": _, ...nameless } = HEADERS;
  expect(says(await ask("GET", "/payments", undefined, nameless))).toBe("400 invalid_user_agent");
  expect(says(await ask("GET", "/payments", undefined, { ...HEADERS, access_token: "wrong" }))).toBe(
    "401 invalid_access_token",
  );
  expect(says(await ask("GET", "/payments", {}, { ...HEADERS, "content-length": "2" }))).toBe("403 forbidden");
  expect(says(await ask("POST", "/customers", { name: "Ana", cpfCnpj: "24971563791" }))).toBe("400 invalid_object");
  for (const value of [0, -1, 1.999, "129.90", undefined])
    expect(says(await charge({ value }))).toBe("400 invalid_value");
  expect(says(await charge({ dueDate: "2026-11-19" }))).toBe("400 invalid_dueDate");
  expect(says(await charge({ billingType: "CASH" }))).toBe("400 invalid_billingType");
  expect(says(await charge({ customer: "cus_nobody" }))).toBe("400 invalid_customer");
  expect(says(await ask("GET", "/payments/pay_nobody"))).toBe("404 not_found");
});

test("days go by on its own clock: what is not paid becomes overdue after its day, and every event goes out once", async () => {
  const received: Event[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (incoming) => {
      expect(incoming.headers.get("asaas-access-token")).toBe("a token");
      received.push((await incoming.json()) as Event);
      return new Response();
    },
  });
  processor.webhook = { url: `http://127.0.0.1:${server.port}/`, token: "a token" };
  const [late, paid] = [(await charge()).body.id, (await charge()).body.id];
  await processor.pay(paid);
  await processor.advance(1);
  expect(processor.payments.get(late)?.status).toBe("PENDING");
  await processor.advance(2);
  expect([processor.payments.get(late)?.status, processor.payments.get(paid)?.status]).toEqual(["OVERDUE", "RECEIVED"]);
  expect(received.map(({ event }) => event)).toEqual([
    "PAYMENT_CREATED",
    "PAYMENT_CREATED",
    "PAYMENT_RECEIVED",
    "PAYMENT_OVERDUE",
  ]);
  expect(received.at(-1)).toMatchObject({
    id: expect.stringMatching(/^evt_\w+&\d+$/),
    dateCreated: "2026-11-22 09:00:00",
    payment: { id: late, status: "OVERDUE" },
  });
  await server.stop(true);
});
