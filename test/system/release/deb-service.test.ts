import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { clientOf } from "../../support/client.ts";
import { TO } from "../../support/customers/customer.ts";
import { FILES } from "../../support/customers/media.ts";
import { startGraph } from "../../support/graph/index.ts";
import type { Ready } from "../../support/processes/process.ts";
import { startReceiver } from "../../support/servers/receiver.ts";
import { listenAt } from "../../support/servers/service-manager.ts";
import { untilTrue } from "../../support/waiting.ts";
import { ADMIN_TOKEN, APP_SECRET, addWabaNumber, WEBHOOK_SECRET } from "../../support/world.ts";
import { debian, FIRST } from "./deb.ts";

// What the unit asks for is had without systemd: its user without any right, its environment, a root that is read only,
// a /tmp of its own, a /proc that shows processes alone, its filter of system calls. Its watchdog and its credentials
// are systemd's own.

setDefaultTimeout(120_000);
const { ok, install, set, service } = debian();
const graph = startGraph();
const receiver = startReceiver();
afterAll(() => Promise.all([graph.stop(), receiver.stop()]));

const READY = /\{"event":"ready".*\}/;

/** The installed service, once it is ready. Throws with what it said when it ends before. */
const started = async (environment?: readonly string[]) => {
  const child = await service(undefined, environment);
  let out = "";
  const decoder = new TextDecoder();
  for (const reader = child.stdout.getReader(); !READY.test(out); ) {
    const { done, value } = await reader.read();
    if (done) throw new Error(await child.stderr.text());
    out += decoder.decode(value);
  }
  return { child, server: JSON.parse(READY.exec(out)?.[0] ?? "") as Ready };
};

test("serves, keeps a file that comes in and gives it out, and ends on SIGTERM; nothing is left in /tmp, nobody else may read its data", async () => {
  await install(FIRST);
  await set(
    "RECADO_LISTEN=127.0.0.1:0",
    `RECADO_ADMIN_TOKEN=${ADMIN_TOKEN}`,
    `RECADO_META_APP_SECRET=${APP_SECRET}`,
    `RECADO_META_GRAPH_URL=${graph.url}`,
  );
  await set("RECADO_OUTBOUND_ALLOW=127.0.0.1", "RECADO_GATEWAY_RATE=1000000");
  const { child, server } = await started();
  const client = clientOf(server, ADMIN_TOKEN);
  // a command of root's, beside the service
  const { key } = JSON.parse(await ok("recado", "account", "create", "--name", "Shop")) as { key: string };
  const { number: _, ...credentials } = addWabaNumber(graph);
  const webhook = { url: receiver.url, secret: WEBHOOK_SECRET, events: ["message:received"] };
  const phone = await client.gateway<{ id: string }>("/v1/phones", key, {
    type: "WABA",
    label: "A phone",
    credentials,
    webhook,
  });
  await untilTrue(
    async () => (await client.gateway<{ status: string }>(`/v1/phones/${phone.id}`, key)).status === "CONNECTED",
  );
  graph.webhooks.configure({ url: `${server.gatewayUrl}/v1/upstream-webhook`, appSecret: APP_SECRET });
  const mediaId = graph.addMedia({ bytes: FILES.png, mimeType: "image/png", phoneNumberId: credentials.phoneNumberId });
  await graph.inbound.image({ to: credentials.phoneNumberId, from: TO, mediaId, mimeType: "image/png" });
  const [arrived] = await receiver.received(1);
  const file = await fetch(arrived?.body.data.media.downloadUrl, { headers: { "x-api-key": key } });
  expect(await file.bytes()).toEqual(FILES.png);

  const person = { name: "Ana", email: "ana@shop.example", password: "a long enough phrase", institutionName: "Shop" };
  const registered = await fetch(`${server.platformUrl}/v1/auth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(person),
  });
  expect(registered.status).toBe(201);

  expect(await ok("find", "/tmp", "-mindepth", "1")).toBe("");
  const [data, cache] = ["/var/lib/recado", "/var/cache/recado"];
  expect(await ok("find", data, cache, "!", "-user", "recado", "-o", "-perm", "/077")).toBe("");
  // each add-on comes when it is first needed: this one with the first password
  expect(await ok("find", cache, "-type", "f")).toMatch(/^\S+\/argon2-\S+\.node$/);
  await ok("kill", "-TERM", String(server.pid));
  expect(await child.exited).toBe(0);
});

test("notifies systemd that it is ready, and then that it lives", async () => {
  await install(FIRST);
  await set("RECADO_LISTEN=127.0.0.1:0");
  const address = `@recado-test-${process.pid}`;
  const manager = await listenAt(address);
  const { child, server } = await started([`NOTIFY_SOCKET=${address}`, "WATCHDOG_USEC=300000"]);
  const ready = await manager.until((note) => note?.includes("READY=1") ?? false);
  expect(await manager.until((note) => note?.includes("WATCHDOG=1") ?? false)).toBeGreaterThan(ready);
  await ok("kill", "-TERM", String(server.pid));
  await child.exited;
  await manager.stop();
});

test("reads documents, though the filter of system calls keeps it from lowering its own priority", async () => {
  await install(FIRST);
  const reader = await service(["sh", "-c", "echo '<p>Opening hours</p>' | recado read-document html"]);
  expect([await reader.stdout.text(), await reader.stderr.text()]).toEqual([
    expect.stringContaining("Opening hours"),
    "",
  ]);
  const nice = await service(["nice", "--adjustment=5", "true"]);
  expect(await nice.stderr.text()).toContain("cannot set niceness");
});

test("makes a backup in the same way", async () => {
  await install(FIRST);
  const made = await service([
    "sh",
    "-c",
    "recado migrate >/dev/null && recado account create --name x >/dev/null && recado backup /var/lib/recado/copy.db --json",
  ]);
  expect([await made.stdout.text(), await made.stderr.text()]).toEqual([
    expect.stringContaining('"file":"/var/lib/recado/copy.db"'),
    "",
  ]);
});

test("can write nowhere but where its data and its cache lie, and sees nothing of the system in /proc", async () => {
  await install(FIRST);
  const tries =
    "for d in / /etc/recado /usr/bin /var/lib /var/lib/recado /var/cache/recado; do if touch $d/x 2>/dev/null; then echo $d; fi; done; ls /proc/meminfo /proc/sys /proc/1";
  const child = await service(["sh", "-c", tries]);
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect(out).toBe("/var/lib/recado\n/var/cache/recado\n");
  for (const path of ["/proc/meminfo", "/proc/sys", "/proc/1"]) expect(err).toContain(path);
});
