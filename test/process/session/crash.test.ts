import { afterAll, expect, test } from "bun:test";
import { clientOf } from "../../support/client.ts";
import { processes, type Server } from "../../support/processes/process.ts";
import { type Arrived, startReceiver } from "../../support/servers/receiver.ts";
import { pauses, untilTrue } from "../../support/waiting.ts";
import { startWhatsApp } from "../../support/whatsapp/index.ts";
import { ADMIN_TOKEN, WEBHOOK_SECRET } from "../../support/world.ts";

const { dataDir, serve } = processes();
const net = await startWhatsApp();
const hook = startReceiver();
afterAll(() => Promise.all([hook.stop(), net.stop()]));

/** What was published, each event once: a delivery that a crash interrupts is repeated. */
const received = (): string[] => {
  const events = new Map(
    hook.arrived.map(({ body }: Arrived) => [body.id, [body.type, body.data.reason].filter(Boolean).join(" ")]),
  );
  return [...events.values()];
};

test("G-181 G-182 kill -9 in the middle of a reset: the next process finishes it, publishes its QR code, and the phone can be paired anew", async () => {
  const settings = {
    RECADO_DATA_DIR: dataDir(),
    RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
    RECADO_OUTBOUND_ALLOW: "127.0.0.1",
    RECADO_GATEWAY_RATE: "1000000",
    RECADO_WHATSAPP_WEB_URL: net.url,
    RECADO_WHATSAPP_WEB_ROOT: net.root,
  };
  const owner = net.phone("5511900000009");
  const first = await serve(settings);
  const { key } = await clientOf(first, ADMIN_TOKEN).account();
  const webhook = { url: hook.url, secret: WEBHOOK_SECRET };
  const { id } = await clientOf(first, ADMIN_TOKEN).gateway<{ id: string }>("/v1/phones", key, {
    type: "SESSION",
    label: "A phone",
    webhook,
  });
  const qrOf = async ({ url }: Server): Promise<string> => {
    for (const pause = pauses(); ; await pause()) {
      const answer = await fetch(`${url}/gateway/v1/phones/${id}/qrcode`, {
        headers: { "x-api-key": key },
        keepalive: false,
      });
      const body = (await answer.json()) as { qr?: string };
      if (body.qr !== undefined) return body.qr;
    }
  };
  await owner.scan(await qrOf(first));
  await hook.received(1);

  const thaw = owner.freeze(); // the reset waits for the network, which says nothing
  await clientOf(first, ADMIN_TOKEN).gateway(`/v1/phones/${id}/logout`, key, {});
  await hook.received(2);
  expect(received()).toEqual(["channel:connected", "channel:disconnected PAIRING_RESET"]);
  first.signal("SIGKILL");
  await first.ended;
  thaw();

  const second = await serve(settings);
  const qr = await qrOf(second);
  await untilTrue(async () => {
    if (received().length >= 3) return true;
    await hook.received(hook.arrived.length + 1);
    return false;
  });
  expect(received()).toEqual(["channel:connected", "channel:disconnected PAIRING_RESET", "channel:qrcode"]);
  const before = owner.devices.map(({ jid }) => jid);
  await owner.scan(qr);
  await untilTrue(async () => {
    if (received().length >= 4) return true;
    await hook.received(hook.arrived.length + 1);
    return false;
  });
  const added = owner.devices.filter(({ jid }) => !before.includes(jid));
  expect([received().at(-1), added.length]).toEqual(["channel:connected", 1]);
  expect(first.out() + first.err() + second.out() + second.err()).not.toMatch(/privKey|rootKey|linked_devices#/);
}, 120_000);
