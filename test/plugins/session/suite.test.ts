import sharp from "sharp";
import { sessionPlugin } from "../../../plugins/session/plugin.ts";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { recordingHost } from "../../../src/conformance/recording-host.ts";
import type { Http, HttpOpen } from "../../../src/contract/ports/http.ts";
import { MINUTE_MS } from "../../../src/kernel/clock.ts";
import { exercise, type Pupil } from "../../support/networks/channel-suite.ts";
import { OPUS, WEBP } from "../../support/session/file-server.ts";
import { startWhatsApp } from "../../support/whatsapp/index.ts";

const OWNER = "5511900000001";
const RECIPIENT = "5511987654321";
const UNKNOWABLE = "5511987650001";
/** What a session asks for once its owner's phone has shared the keys of its chats. */
const COLLECTIONS = 5;
const IMAGE = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#25d366" } })
  .jpeg()
  .toBuffer();

/** What lies behind the addresses in the samples. */
const FILES: Readonly<Record<string, { type: string; bytes: Uint8Array }>> = {
  "https://files.example.com/a.jpg": { type: "image/jpeg", bytes: IMAGE },
  "https://files.example.com/a.mp4": { type: "video/mp4", bytes: new Uint8Array(500) },
  "https://files.example.com/a.ogg": { type: "audio/ogg; codecs=opus", bytes: OPUS },
  "https://files.example.com/a.pdf": { type: "application/pdf", bytes: new Uint8Array(500) },
  "https://files.example.com/a.webp": { type: "image/webp", bytes: WEBP },
};

/** Everything but the files of the samples is asked for where it is. */
const withFiles = (http: Http): Http => {
  const guardedStream: HttpOpen = async (request) => {
    const file = FILES[request.url];
    if (!file) return http.guardedStream(request);
    return {
      ok: true,
      status: 200,
      headers: { "content-type": file.type, "content-length": String(file.bytes.length) },
      body: (async function* () {
        yield file.bytes;
      })(),
    };
  };
  return { ...http, guardedStream };
};

exercise(
  "session",
  { hasUpstream: true, hasReceiver: false, linkEmits: true, refusesToken: false },
  async (): Promise<Pupil> => {
    const net = await startWhatsApp();
    const client = createHttp({ allow: ["127.0.0.0/8", "::1", "localhost"], extraCa: net.mediaCa });
    const http = withFiles(client);
    const plugin = sessionPlugin({ url: net.url, root: net.root, perMinute: 20 });
    const phone = net.phone(OWNER);
    const contact = net.contact({ pn: RECIPIENT });
    net.contact({ pn: UNKNOWABLE });
    const secrets: string[] = [];
    const collectionsAsked = () => net.stat.iqs["w:sync:app:state"] ?? 0;
    let isUp = true;
    const stop = async () => {
      if (isUp) await net.stop();
      isUp = false;
    };

    return {
      plugin,
      http,
      vault: {},
      secrets,
      // every host is a device of its own of the same phone
      async newKeyStore() {
        const host = recordingHost({ http, vault: {} });
        const link = plugin.open(host);
        link.connect();
        const qr = await link.pairing?.nextQr(MINUTE_MS);
        await phone.scan(qr?.text ?? "");
        await host.until(() => host.reports.at(-1)?.state === "CONNECTED");
        const asked = collectionsAsked();
        await phone.appState.share();
        await net.until(() => collectionsAsked() >= asked + COLLECTIONS);
        await link.close();
        secrets.push(...keysIn(host.keyRows.get("creds/creds") ?? ""));
        return host.keyRows;
      },
      recipient: RECIPIENT,
      makeUnknowable() {
        net.faults.dropAcks(
          () => {
            phone.cut();
            return true;
          },
          { times: 1 },
        );
        return UNKNOWABLE;
      },
      makeUnreachable: stop,
      async provoke(link, host) {
        link.connect();
        await host.until(() => host.reports.at(-1)?.state === "CONNECTED");
        await contact.say("oi", { to: phone, id: "3A00000000000000001A", time: 1_795_000_000 });
        await contact.say("tudo bem?", { to: phone, id: "3A00000000000000001B", time: 1_795_000_001 });
        await host.until(() => host.events.length === (host.isHeld ? 1 : 2));
      },
      acknowledged: () => net.stat.receipts.filter(({ id }) => id.startsWith("3A0000")).length,
      async close() {
        await stop();
        client.close();
      },
    };
  },
);

/** The private parts of an identity, as they are kept. */
const keysIn = (creds: string): string[] =>
  [...creds.matchAll(/"private":\{"type":"Buffer","data":"([^"]+)"|"advSecretKey":"([^"]+)"/g)].map(
    ([, key, secret]) => key ?? secret ?? "",
  );
