import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Customer, customerOf, receivedBy } from "../customers/customer.ts";
import { made } from "../tenants/platform.ts";
import { empty } from "../use-world.ts";
import { attempts, untilTrue } from "../waiting.ts";
import { type Contact, type Phone, startWhatsApp, type WhatsApp } from "../whatsapp/index.ts";
import { startWorld, untilStatus, WEBHOOK_SECRET, type World } from "../world.ts";

/** A world whose sessions are on a simulated network. */
export type SessionWorld = { net: WhatsApp; w: World; contact(): Contact; phone(): Phone; stop(): Promise<void> };

export const sessionWorld = async (env: Record<string, string> = {}): Promise<SessionWorld> => {
  const net = await startWhatsApp();
  const folder = mkdtempSync(join(tmpdir(), "recado-session-world-"));
  const mediaCa = join(folder, "media-ca.pem");
  writeFileSync(mediaCa, net.mediaCa);
  const w = await startWorld({
    env: {
      RECADO_WHATSAPP_WEB_URL: net.url,
      RECADO_WHATSAPP_WEB_ROOT: net.root,
      RECADO_OUTBOUND_ALLOW: "127.0.0.1,localhost",
      RECADO_EXTRA_CA: mediaCa,
      RECADO_GATEWAY_RATE: "1000000",
      RECADO_GATEWAY_SEND_RATE: "1000000",
      ...env,
    },
  });
  let people = 0;
  const world: SessionWorld = {
    net,
    w,
    contact: () => net.contact({ pn: `55119111${String(++people).padStart(5, "0")}` }),
    phone: () => net.phone(`55119000${String(++people).padStart(5, "0")}`),
    async stop() {
      await w.stop();
      await net.stop();
      rmSync(folder, { recursive: true });
      empty(world);
    },
  };
  return world;
};

/** The QR code of a channel, once there is one. */
const qrOf = async (w: World, key: string, id: string): Promise<string> => {
  for (const checkLimit = attempts(); ; checkLimit()) {
    const answer = await w.gateway(`/v1/phones/${id}/qrcode`, { key });
    if (answer.status === 200) return answer.body.qr;
    if (answer.status !== 425) throw new Error(`${answer.status} ${answer.text}`);
  }
};

/** `account`: the account of an institution, with a key of the gateway. `more`: fields of the phone. */
type PairedOptions = { owner?: Phone; account?: { id: string; key: string }; more?: object };

/** A customer with a session that a phone has scanned. The events of connecting are removed. */
export const pairedPhone = async (
  { w, phone }: SessionWorld,
  { owner = phone(), account, more = {} }: PairedOptions = {},
): Promise<{ customer: Customer; hook: Customer["hook"]; owner: Phone }> => {
  const { id: accountId, key } = account ?? (await w.account());
  const hook = w.receiver();
  const body = { type: "SESSION", label: "A phone", webhook: { url: hook.url, secret: WEBHOOK_SECRET }, ...more };
  const { id } = made(await w.gateway("/v1/phones", { key, body }), 201);
  await owner.scan(await qrOf(w, key, id));
  await untilStatus(w, id, "CONNECTED");
  await owner.open();
  await hook.received(1);
  hook.arrived.length = 0;
  const named = { id, phoneNumberId: "", accessToken: "", number: owner.pn ?? "" };
  return { customer: customerOf(w, { accountId, key, hook, phone: named }), hook, owner };
};

/** The data of the events of a type. Waits for so many. */
export const untilEvents = async (w: World, hook: Customer["hook"], type: string, count = 1): Promise<any[]> => {
  await untilTrue(async () => {
    await w.settle();
    return receivedBy(hook, type).length >= count;
  });
  return receivedBy(hook, type);
};
