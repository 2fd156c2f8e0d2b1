import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { processes } from "../../support/processes/process.ts";
import { startGateway } from "../../support/session/gateway-process.ts";
import { watchRatchets } from "../../support/session/ratchet-positions.ts";
import type { Contact, GroupChat } from "../../support/whatsapp/index.ts";

const tools = processes(afterAll);
const gateway = await startGateway(tools, { RECADO_LOG_LEVEL: "error" });
const { net } = gateway;
afterAll(() => gateway.end());

const recado = async ({ dataDir }: { dataDir: string }, ...args: string[]): Promise<string> => {
  const { code, out, err } = await tools.run(args, { RECADO_DATA_DIR: dataDir });
  expect([code, err]).toEqual([0, ""]);
  return out;
};

test("a restored session needs no new pairing: both directions and groups work, and no key of before is used to encrypt", async () => {
  const ratchets = watchRatchets();
  net.faults.dropAcks((message) => {
    ratchets.saw(message);
    return false;
  });
  const customer = await gateway.customer("5511900000001");
  await customer.pair();
  const { device } = customer;
  const [ana, bia] = [
    net.contact({ pn: "5511911110001", devices: 2 }),
    net.contact({ pn: "5511911110002", addressing: "pn" }),
  ];
  const group = net.group({ subject: "Equipe", members: [device, ana, bia] });

  const toContact = async (contact: Contact, text: string) => {
    await customer.send(`${contact.pn}`, "text", { text });
    await contact.until((one) => one.text === text);
  };
  const toGroup = async (text: string) => {
    await customer.send(group.jid, "text", { text });
    await Promise.all([ana, bia].map((member) => member.until((one) => one.text === text)));
  };
  const fromContact = async (contact: Contact, text: string, to: typeof device | GroupChat = device) => {
    await contact.say(text, { to });
    await customer.untilReceived((event) => event.data.content?.text === text);
  };
  const talk = async (name: string, times: number) => {
    for (let n = 0; n < times; n++) {
      for (const [index, contact] of [ana, bia].entries()) {
        await toContact(contact, `${name} to ${index} ${n}`);
        await fromContact(contact, `${name} from ${index} ${n}`);
      }
      await toGroup(`${name} to all ${n}`);
      await fromContact(ana, `${name} from the group ${n}`, group);
    }
  };

  await talk("first", 2);
  const file = join(tools.folder(), "backup.db");
  await recado(gateway, "backup", file);
  await talk("after", 3);
  const dora = net.contact({ pn: "5511911110003" }); // takes a pre-key that the backup still has
  await fromContact(dora, "from dora");
  await toContact(dora, "to dora");
  const before = { ciphertexts: ratchets.count, preKeys: device.devices[0]?.preKeys ?? 0 };

  await gateway.stop();
  expect(await recado(gateway, "restore", file)).toContain("1 sessions make new keys for their chats");
  await gateway.restart();
  await device.open();
  await customer.until("CONNECTED");
  await net.until(() => (device.devices[0]?.preKeys ?? 0) > before.preKeys);

  await talk("restored", 2);
  await fromContact(dora, "from dora again");
  await toContact(dora, "to dora again");
  const eva = net.contact({ pn: "5511911110004" });
  await fromContact(eva, "from eva");
  await toContact(eva, "to eva");

  expect(device.devices.length).toBe(1);
  expect(ratchets.count).toBeGreaterThan(before.ciphertexts);
  expect(ratchets.reused).toEqual([]);
  expect([net.stat.unhandled, net.stat.refused]).toEqual([[], []]);
}, 120_000);

test("what waited in the backup and has been sent since goes out again under the same id, and is shown once", async () => {
  const slow = await startGateway(tools, {
    RECADO_TEST_CLOCK: "1",
    RECADO_SESSION_RATE: "5",
    RECADO_LOG_LEVEL: "error",
  });
  try {
    const customer = await slow.customer("5511900000002");
    await customer.pair();
    const ana = slow.net.contact({ pn: "5511911110005" });
    const texts = Array.from({ length: 8 }, (_, n) => `text ${n}`);
    for (const text of texts) await customer.send(`${ana.pn}`, "text", { text });
    await ana.until(({ text }) => text === "text 4"); // five at once, the others wait for their turn
    const file = join(tools.folder(), "backup.db");
    await recado(slow, "backup", file);
    await slow.settle();
    await ana.until(({ text }) => text === "text 7");
    const ids = ana.received.map(({ id }) => id);
    await slow.stop();
    const out = await recado(slow, "restore", file);
    expect(out).not.toContain("messages that wait");
    await slow.restart();
    await customer.device.open();
    await customer.until("CONNECTED");
    await slow.settle();
    await slow.net.until(() => ana.repeats.length >= 3);
    expect(ana.received.map(({ text }) => text).sort()).toEqual(texts);
    expect(ana.received.map(({ id }) => id)).toEqual(ids);
    expect(ids).toEqual(expect.arrayContaining(ana.repeats));
  } finally {
    await slow.end();
  }
}, 120_000);
