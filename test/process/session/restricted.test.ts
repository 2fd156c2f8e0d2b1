import { afterAll, expect, test } from "bun:test";
import { processes } from "../../support/processes/process.ts";
import { startGateway } from "../../support/session/gateway-process.ts";

const tools = processes(afterAll);
const gateway = await startGateway(tools, { RECADO_LOG_LEVEL: "error" });
const { net } = gateway;
afterAll(() => gateway.end());

/** In seconds. */
const FAR = 4_000_000_000;

test("W26-4 a restriction survives kill -9: no stranger is written to before the network says it again", async () => {
  const customer = await gateway.customer("5511900000041");
  await customer.pair();
  const { device } = customer;
  const [ana, bia] = [net.contact({ pn: "5511911110041" }), net.contact({ pn: "5511911110042" })];
  await ana.say("oi", { to: device });
  await customer.untilReceived((event) => event.data.content?.text === "oi");
  device.restrict({ until: FAR, type: "RESTRICT_ALL_COMPANIONS" });
  await customer.until("RESTRICTED");
  await gateway.kill();
  net.faults.dropIq(({ attrs }) => attrs["xmlns"] === "w:mex");
  await gateway.restart();
  await device.open();
  await customer.until("RESTRICTED");
  const refused = await customer.send(`${bia.pn}`, "text", { text: "?" });
  await customer.untilReceived((event) => event.data.messageId === refused && event.data.status === "failed");
  await customer.send(`${ana.pn}`, "text", { text: "oi!" });
  await ana.until(({ text }) => text === "oi!");
  expect(bia.received).toEqual([]);
  // the kill may have come between a delivery and its note, after which the same event is delivered again
  expect(new Set(customer.received("channel:restricted").map(({ id }) => id)).size).toBe(1);
  device.unrestrict();
  await customer.until("CONNECTED");
  await customer.untilReceived((event) => event.type === "channel:unrestricted");
}, 120_000);

test("W26-4 a temporary ban survives kill -9: no login is tried before its end, and it is still shown", async () => {
  const customer = await gateway.customer("5511900000043");
  await customer.pair();
  const { device } = customer;
  net.faults.failLogin({ reason: "402", code: "101", expire: "7200" }, { phone: device });
  device.cut();
  await customer.until("DISCONNECTED");
  const banned = async () => {
    const { body } = await customer.ask(`/phones/${customer.id}`);
    return [body.status, body.stateReason, body.restriction];
  };
  const before = await banned();
  expect(before).toMatchObject(["DISCONNECTED", "BANNED", { reason: "TOO_MANY_STRANGERS", allows: "none" }]);
  const { length: refused } = net.stat.refused;
  await gateway.kill();
  await gateway.restart();
  // another phone that is started with it is open: what was to be tried at the start was tried
  const other = await gateway.customer("5511900000044");
  await other.pair();
  expect(await banned()).toEqual(before);
  expect(net.stat.refused).toHaveLength(refused);
}, 120_000);
