import type { Receiver } from "../servers/receiver.ts";
import { untilTrue } from "../waiting.ts";
import { type Answer, untilStatus, WEBHOOK_SECRET, type World } from "../world.ts";
import type { Device } from "./scripted-pairing.ts";

export const NUMBER = "5511988887777";

/** An account with a session phone that waits to be paired, its webhook a receiver. */
export type SessionPhone = {
  accountId: string;
  key: string;
  id: string;
  hook: Receiver;
  device: Device;
  status(): Promise<string>;
  /** GET below /v1/phones/{id}. */
  ask(what: "qrcode" | "pairing-code"): Promise<Answer>;
  /** POST below /v1/phones/{id}. */
  order(what: "logout" | "reconnect"): Promise<Answer>;
  code(body: object): Promise<Answer>;
  until(status: string): Promise<void>;
  /** The QR code, once there is one. */
  qr(): Promise<{ qr: string; dataUrl: string }>;
  /** Scans and connects. Waits for the events of that, and removes them. */
  pair(): Promise<void>;
};

export const newScriptedPhone = async (w: World, { isQrHidden = false } = {}): Promise<SessionPhone> => {
  const { id: accountId, key } = await w.account();
  const hook = w.receiver();
  w.sessions.areQrHidden = isQrHidden;
  const made = await w.gateway("/v1/phones", {
    key,
    body: { type: "SESSION", label: "A phone", webhook: { url: hook.url, secret: WEBHOOK_SECRET } },
  });
  const { id } = made.body;
  const device = w.sessions.of(id);
  w.sessions.areQrHidden = false;
  const ask: SessionPhone["ask"] = (what) => w.gateway(`/v1/phones/${id}/${what}`, { key });
  const until: SessionPhone["until"] = async (status) => {
    await untilStatus(w, id, status);
    // ends after the write that changed the row, so that no request gets the old one
    await w.app.env.db.write(async () => {});
  };
  const qr: SessionPhone["qr"] = async () => {
    await ask("qrcode"); // the request starts the making of codes
    await untilTrue(() => device.showsQr());
    const { status, body, text } = await ask("qrcode");
    if (status !== 200) throw new Error(`no QR code: ${status} ${text}`);
    return body;
  };
  return {
    accountId,
    key,
    id,
    hook,
    device,
    status: async () => (await w.gateway(`/v1/phones/${id}`, { key })).body.status,
    ask,
    order: (what) => w.gateway(`/v1/phones/${id}/${what}`, { key, method: "POST" }),
    code: (body) => w.gateway(`/v1/phones/${id}/pairing-code`, { key, body }),
    until,
    qr,
    async pair() {
      await qr();
      const { length } = hook.arrived;
      await device.scan(NUMBER);
      device.open();
      await until("CONNECTED");
      await hook.received(length + 1);
      hook.arrived.length = 0;
    },
  };
};
