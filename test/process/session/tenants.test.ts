import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { processes } from "../../support/processes/process.ts";
import { type Customer, patiently, type Said, startGateway } from "../../support/session/gateway-process.ts";
import type { Contact } from "../../support/whatsapp/index.ts";

const tools = processes(afterAll);
const gateway = await startGateway(tools, { RECADO_TEST_CLOCK: "1" });
const { net } = gateway;
afterAll(() => gateway.end());

let [one, other]: [Customer, Customer] = [] as never;
let ana: Contact;
let tests = 10;
beforeEach(async () => {
  tests += 2;
  [one, other] = [await gateway.customer(`55119000000${tests}`), await gateway.customer(`55119000000${tests + 1}`)];
  ana = net.contact({ pn: `55119111100${tests}` });
});
afterEach(async () => {
  for (const { id, key } of [one, other]) await gateway.client.remove(`/v1/phones/${id}`, key);
});
const pairBoth = () => Promise.all([one.pair(), other.pair()]);

const codeOf = ({ status, body }: Said): string => `${status} ${body.error?.code}`;
const NOT_FOUND = "404 PHONE_NOT_FOUND";

test("G-280 codes to pair with are for the account that owns the phone, and link that phone alone", async () => {
  const [qr, code] = [await one.qr(), await other.code()];
  for (const what of ["qrcode", "pairing-code"])
    expect(codeOf(await other.ask(`/phones/${one.id}/${what}`))).toBe(NOT_FOUND);
  for (const [what, body] of [
    ["pairing-code", { phoneNumber: other.device.pn }],
    ["logout", {}],
    ["reconnect", {}],
  ] as const)
    expect(codeOf(await other.ask(`/phones/${one.id}/${what}`, body))).toBe(NOT_FOUND);
  expect(await other.qr()).not.toBe(qr);
  await one.device.scan(qr);
  await one.until("CONNECTED");
  expect(await other.status()).toBe("PENDING_QR");
  await other.device.typeCode(code);
  await other.until("CONNECTED");
  for (const { device, ask, id } of [one, other])
    expect([device.devices.length, (await ask(`/phones/${id}`)).body.phoneNumber]).toEqual([1, device.pn]);
});

test("G-395 G-532 messages and files of two accounts with one contact do not cross, sent and received at once", async () => {
  await pairBoth();
  const texts = Array.from({ length: 10 }, (_, index) => `${index}`);
  await Promise.all(
    [one, other].flatMap((customer) =>
      texts.flatMap((text) => [
        customer.send(`${ana.pn}`, "text", { text: `to ana ${text}` }),
        ana.say(`to ${customer.device.pn} ${text}`, { to: customer.device }),
      ]),
    ),
  );
  await ana.sendMedia("image", new Uint8Array(2000), { to: one.device, mimetype: "image/jpeg" });
  const { data } = await one.untilReceived((event) => event.data.media?.mediaId);
  await gateway.settle();
  for (const customer of [one, other]) {
    const wanted = texts.map((text) => `to ${customer.device.pn} ${text}`);
    const arrived: string[] = customer.received("message:received").flatMap((event) => event.data.content.text ?? []);
    expect(arrived.toSorted()).toEqual(wanted);
    expect(new Set(customer.hook.arrived.map(({ body }) => `${body.accountId} ${body.phoneId}`))).toEqual(
      new Set([`${customer.accountId} ${customer.id}`]),
    );
    expect(ana.received.filter(({ from }) => from === customer.device.pn)).toHaveLength(texts.length);
    expect(new Set(customer.received("message:status").map((event) => event.data.messageId)).size).toBe(texts.length);
  }
  expect(ana.unread).toEqual([]);
  const read = async (customer: Customer) =>
    [await customer.ask(`/media/${data.media.mediaId}/info`), await customer.ask(`/messages/${data.messageId}`)].map(
      ({ status }) => status,
    );
  expect(await read(other)).toEqual([404, 404]);
  expect(
    (
      await fetch(`${gateway.server.gatewayUrl}/v1/media/${data.media.mediaId}`, {
        headers: { "x-api-key": other.key },
      })
    ).status,
  ).toBe(404);
});

test("G-567 G-573 lookups are the account's own: neither its phone, nor its tasks, nor what they found are there for another", async () => {
  await pairBoth();
  const numbers = [`${ana.pn}`, "5511999999999"];
  const { body } = await one.ask("/lookup", { phoneId: one.id, numbers });
  const results = await patiently(
    "the lookup does not end",
    async () => (await one.ask(`/lookup/${body.taskId}`)).body.results,
  );
  expect(results).toMatchObject([
    { phoneNumber: ana.pn, exists: true },
    { phoneNumber: "5511999999999", exists: false },
  ]);
  expect(codeOf(await other.ask("/lookup", { phoneId: one.id, numbers }))).toBe(NOT_FOUND);
  expect(codeOf(await other.ask(`/lookup/${body.taskId}`))).toBe("404 TASK_NOT_FOUND");
  expect((await one.ask("/lookup", { phoneId: one.id, numbers })).status).toBe(201);
  expect((await other.ask("/lookup", { phoneId: other.id, numbers })).status).toBe(202);
});

test("the end of one account's session is no matter of the other's", async () => {
  await pairBoth();
  one.device.unlink();
  await one.untilReceived((event) => event.type === "channel:disconnected" && event.data.reason === "LOGGED_OUT");
  await one.untilReceived((event) => event.type === "channel:qrcode");
  await other.send(`${ana.pn}`, "text", { text: "still here" });
  await ana.until(({ text, from }) => text === "still here" && from === other.device.pn);
  expect([await one.status(), await other.status()]).toEqual(["PENDING_QR", "CONNECTED"]);
  expect(
    other.hook.arrived.filter(
      ({ body }) =>
        body.type !== "message:received" && body.type !== "message:status" && body.type !== "channel:connected",
    ),
  ).toEqual([]);
});
