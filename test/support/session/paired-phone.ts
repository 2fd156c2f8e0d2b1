import { type Customer, customerOf } from "../customers/customer.ts";
import { untilTrue } from "../waiting.ts";
import type { Phone, WhatsApp } from "../whatsapp/index.ts";
import { untilStatus, WEBHOOK_SECRET, type World } from "../world.ts";

let phones = 0;

/** A customer of the gateway with a session phone that is linked on a simulated network; nothing is received yet. */
export const pairedCustomer = async (w: World, net: WhatsApp): Promise<Customer & { owner: Phone }> => {
  const { id: accountId, key } = await w.account();
  const hook = w.receiver();
  const body = { type: "SESSION", label: "A phone", webhook: { url: hook.url, secret: WEBHOOK_SECRET } };
  const { id } = (await w.gateway("/v1/phones", { key, body })).body;
  const owner = net.phone(`551190000${String(++phones).padStart(4, "0")}`);
  let qr: string | undefined;
  await untilTrue(async () => {
    const { status, body: answer } = await w.gateway(`/v1/phones/${id}/qrcode`, { key });
    qr = status === 200 ? answer.qr : undefined;
    return qr !== undefined;
  });
  await owner.scan(qr ?? "");
  await untilStatus(w, id, "CONNECTED");
  await hook.received(1);
  hook.arrived.length = 0;
  const phone = { id, phoneNumberId: "", accessToken: "", number: owner.pn ?? "" };
  return { ...customerOf(w, { accountId, key, hook, phone }), owner };
};
