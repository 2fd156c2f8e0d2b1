import { afterAll, expect, test } from "bun:test";
import { clientOf } from "../../support/client.ts";
import { processes } from "../../support/processes/process.ts";
import { startReceiver } from "../../support/servers/receiver.ts";
import { customerOf } from "../../support/session/gateway-process.ts";
import { startWhatsApp } from "../../support/whatsapp/index.ts";
import { ADMIN_TOKEN, WEBHOOK_SECRET } from "../../support/world.ts";

const { dataDir, serve, run } = processes();
const net = await startWhatsApp();
const [hook, operator] = [startReceiver(), startReceiver()];
afterAll(() => Promise.all([hook.stop(), operator.stop(), net.stop()]));

test("kill -9 while the operator is being notified: the next process sends the same message, and no other", async () => {
  const settings = {
    RECADO_DATA_DIR: dataDir(),
    RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
    RECADO_OUTBOUND_ALLOW: "127.0.0.1",
    RECADO_GATEWAY_RATE: "1000000",
    RECADO_TEST_CLOCK: "1",
    RECADO_WHATSAPP_WEB_URL: net.url,
    RECADO_WHATSAPP_WEB_ROOT: net.root,
    RECADO_ALERT_URL: operator.url,
  };
  let server = await serve(settings);
  const client = () => clientOf(server, ADMIN_TOKEN);
  const { id: accountId, key } = await client().account();
  const body = { type: "SESSION", label: "Reception", webhook: { url: hook.url, secret: WEBHOOK_SECRET } };
  const { id } = await client().gateway<{ id: string }>("/v1/phones", key, body);
  const device = net.phone("5511900000008");
  const gateway = {
    get server() {
      return server;
    },
  };
  const customer = customerOf(gateway, { accountId, key, id, hook, device });
  await customer.pair();
  device.unlink();
  await customer.until("PENDING_QR");

  const hangs = Promise.withResolvers<Response>();
  operator.reply(() => hangs.promise);
  await client().admin("/clock", { advanceMs: 61_000 });
  await operator.received(1);
  server.signal("SIGKILL");
  await server.ended;
  operator.reply(() => new Response("ok"));
  hangs.resolve(new Response("too late"));
  server = await serve(settings);
  await operator.received(2);
  for (const _ of [1, 2, 3]) await client().admin("/clock", { advanceMs: 61_000 });
  const seen = operator.arrived.map(({ body: { id: notice, type, data } }) => [notice, type, data.kind]);
  expect(seen).toEqual([seen[0] ?? [], seen[0] ?? []]);
  expect(seen[0]?.slice(1)).toEqual(["trouble.opened", "phone-unlinked"]);

  const tested = await run(["alerts", "test", "--json"], settings);
  expect([tested.code, JSON.parse(tested.out)]).toEqual([0, { sent: [{ way: "url", isSent: true, reason: null }] }]);
  server.signal("SIGTERM");
  await server.ended;
  operator.reply(() => new Response("no", { status: 404 }));
  const offline = await run(["alerts", "test"], settings);
  expect([offline.code, offline.out.trim()]).toEqual([1, "url: not sent: HTTP 404"]);
});
