import { afterAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { clientOf } from "../../support/client.ts";
import { processes, type Server } from "../../support/processes/process.ts";
import { startReceiver } from "../../support/servers/receiver.ts";
import { fileServer } from "../../support/session/file-server.ts";
import { untilTrue } from "../../support/waiting.ts";
import { startWhatsApp } from "../../support/whatsapp/index.ts";
import { ADMIN_TOKEN, WEBHOOK_SECRET } from "../../support/world.ts";

const { dataDir, folder, serve } = processes();
const net = await startWhatsApp();
const hook = startReceiver();
afterAll(() => Promise.all([hook.stop(), net.stop()]));

test("a file on its way lies in the data directory alone, and what a kill -9 leaves of it is gone at the next start", async () => {
  const [dir, temporary] = [dataDir(), folder()];
  const settings = {
    RECADO_DATA_DIR: dir,
    RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
    RECADO_OUTBOUND_ALLOW: "127.0.0.1",
    RECADO_GATEWAY_RATE: "1000000",
    RECADO_WHATSAPP_WEB_URL: net.url,
    RECADO_WHATSAPP_WEB_ROOT: net.root,
    TMPDIR: temporary,
  };
  const stalled = Promise.withResolvers<void>();
  const endless = async function* () {
    yield new Uint8Array(1024 * 1024);
    stalled.resolve();
    await new Promise(() => {});
  };
  await using files = fileServer(
    () => new Response(endless as never, { headers: { "content-type": "application/pdf" } }),
  );
  const first = await serve(settings);
  const { key, id } = await phoneOf(first);
  const sent = { phoneId: id, to: "5511911110001", type: "document", content: { mediaUrl: files.url } };
  net.contact({ pn: "5511911110001" });
  await clientOf(first, ADMIN_TOKEN).gateway("/v1/messages", key, sent);
  await stalled.promise;
  const tempFiles = () => readdirSync(join(dir, "temp"));
  const elsewhere = () => readdirSync(temporary);
  await untilTrue(() => tempFiles().length + elsewhere().length !== 0);
  expect(elsewhere()).toEqual([]);
  first.signal("SIGKILL");
  await first.ended;
  expect(tempFiles()).toHaveLength(1);
  net.faults.silent(); // so that the next process does not begin anew
  await serve(settings);
  expect([tempFiles(), elsewhere()]).toEqual([[], []]);
}, 120_000);

/** A phone that is paired. */
const phoneOf = async (server: Server): Promise<{ key: string; id: string }> => {
  const client = clientOf(server, ADMIN_TOKEN);
  const { key } = await client.account();
  const { id } = await client.gateway<{ id: string }>("/v1/phones", key, {
    type: "SESSION",
    label: "A phone",
    webhook: { url: hook.url, secret: WEBHOOK_SECRET },
  });
  let qr: string | undefined;
  while (qr === undefined) {
    const answer = await fetch(`${server.url}/gateway/v1/phones/${id}/qrcode`, {
      headers: { "x-api-key": key },
      keepalive: false,
    });
    ({ qr } = (await answer.json()) as { qr?: string });
  }
  await net.phone("5511900000009").scan(qr);
  await hook.received(1);
  return { key, id };
};
