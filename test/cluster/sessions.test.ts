import { afterAll, afterEach, expect, test } from "bun:test";
import { type Cluster, type NodeName, startCluster } from "../support/processes/cluster.ts";
import { processes } from "../support/processes/process.ts";
import { type Receiver, startReceiver } from "../support/servers/receiver.ts";
import { type Customer, customerOf } from "../support/session/gateway-process.ts";
import { startWhatsApp } from "../support/whatsapp/index.ts";
import { untilTrue, WEBHOOK_SECRET } from "../support/world.ts";

// Two nodes and the session network: who has a channel, and who takes it over.

const { dataDir, serve } = processes();
const net = await startWhatsApp();
const clusters: Cluster[] = [];
const hooks: Receiver[] = [];
afterEach(async () => {
  for (const cluster of clusters.splice(0)) await cluster.end();
  for (const hook of hooks.splice(0)) await hook.stop();
});
afterAll(() => net.stop());

/** A lease lasts for 30 s; a look follows within 2 s, and a login. */
const LONG = 150_000;

let numbers = 0;

/**
 * Customers with a paired session each, made through the nodes named. What they ask goes to `asks`, which a test may
 * change.
 */
const pairedAt = async (...places: NodeName[]) => {
  const cluster = await startCluster({ dataDir, serve }, settings);
  clusters.push(cluster);
  const friend = net.contact({ pn: `55119222200${String(++numbers).padStart(2, "0")}` });
  const asks = { node: "a" as NodeName };
  const customers: Customer[] = [];
  for (const place of places) {
    const hook = startReceiver();
    hooks.push(hook);
    asks.node = place;
    const { id: accountId, key } = await cluster.client(place).account();
    const { id } = await cluster.client(place).gateway<{ id: string }>("/v1/phones", key, {
      type: "SESSION",
      label: "A phone",
      webhook: { url: hook.url, secret: WEBHOOK_SECRET },
    });
    const asked = {
      get server() {
        return cluster.nodes[asks.node];
      },
    };
    const customer = customerOf(asked, {
      accountId,
      key,
      id,
      hook,
      device: net.phone(`55119000001${String(++numbers).padStart(2, "0")}`),
    });
    await customer.pair();
    customers.push(customer);
  }
  return { cluster, customers, asks, friend };
};

/**
 * Has a message accepted as soon as it can be: for a moment after a take-over CONNECTED may still be the word of the
 * node before.
 */
const sends = (customer: Customer, to: string, text: string): Promise<void> =>
  untilTrue(() =>
    customer.send(to, "text", { text }).then(
      () => true,
      () => false,
    ),
  );

const settings = {
  RECADO_LOG_LEVEL: "warn",
  RECADO_WHATSAPP_WEB_URL: net.url,
  RECADO_WHATSAPP_WEB_ROOT: net.root,
  RECADO_OUTBOUND_ALLOW: "127.0.0.1",
  RECADO_SESSION_RATE: "100000",
  RECADO_SESSION_NEW_CHATS_A_DAY: "0",
  RECADO_GATEWAY_RATE: "1000000",
  RECADO_GATEWAY_SEND_RATE: "1000000",
};

const logins = (customers: readonly Customer[]): number[] =>
  customers.map(({ device }) => device.devices[0]?.logins ?? 0);
const isOpen = ({ device }: Customer): boolean => device.devices[0]?.isActive === true;

/** Each customer's session takes a message in and sends one out. */
const works = async (
  { customers, friend }: Pick<Awaited<ReturnType<typeof pairedAt>>, "customers" | "friend">,
  what: string,
): Promise<void> => {
  for (const [index, customer] of customers.entries()) {
    await customer.until("CONNECTED"); // what the network knows already
    await friend.say(`${what} in`, { to: customer.device });
    await customer.untilReceived(({ type, data }) => type === "message:received" && data.content.text === `${what} in`);
    await customer.send(friend.pn ?? "", "text", { text: `${what} out ${index}` });
    await friend.until(({ text }) => text === `${what} out ${index}`);
  }
};

const ownersOf = async (cluster: Cluster) =>
  new Set(
    (await cluster.rows<{ url: string }>("SELECT url FROM leases JOIN processes ON processes.id = leases.owner")).map(
      ({ url }) => url,
    ),
  );

test(
  "a session is served by the node that was asked for it; whatever the other is asked about it is done there",
  async () => {
    const all = await pairedAt("a");
    const { cluster, customers, asks } = all;
    const [customer] = customers as [Customer];
    asks.node = "b";
    expect(await ownersOf(cluster)).toEqual(new Set([cluster.nodes.a.url]));
    await works(all, "through the other");
    expect((await customer.askPhone("reconnect", {})).status).toBe(202);
    expect((await customer.askPhone("qrcode")).status).toBe(409); // connected, as its own node knows
    expect((await customer.askPhone("logout", {})).status).toBe(202);
    await customer.until("PENDING_QR");
    await customer.device.scan(await customer.qr());
    await customer.until("CONNECTED");
    await works(all, "paired through the other");
    expect(await ownersOf(cluster)).toEqual(new Set([cluster.nodes.a.url]));
    await cluster.client("b").remove(`/v1/phones/${customer.id}`, customer.key);
    await untilTrue(() => customer.device.devices.length === 0);
    expect(await cluster.rows("SELECT * FROM leases")).toEqual([]);
  },
  LONG,
);

test(
  "groups, newsletters and calls of a session are asked about at the node that has it, whichever node is asked",
  async () => {
    const { cluster, customers, asks, friend } = await pairedAt("a");
    const [customer] = customers as [Customer];
    await customer.until("CONNECTED");
    asks.node = "b";
    const made = await customer.ask("/groups", { phoneId: customer.id, subject: "Equipe", participants: [friend.pn] });
    expect([made.status, made.body.subject]).toEqual([201, "Equipe"]);
    const link = await customer.ask(`/groups/${made.body.id}/invite-link`);
    expect([link.status, link.body.inviteLink]).toEqual([200, expect.stringContaining("https://")]);
    expect((await customer.ask(`/groups?phoneId=${customer.id}&refresh=true`)).status).toBe(200);
    expect((await customer.ask(`/newsletters?phoneId=${customer.id}`)).body).toEqual({ items: [] });
    const { call } = friend.call(customer.device);
    const { data } = await customer.untilReceived(({ type }) => type === "call:ringing");
    const rejected = await customer.ask(`/calls/${data.callId}/reject`, {});
    expect([rejected.status, rejected.body.status, call.end]).toEqual([200, "REJECTED", "rejected"]);
    expect((await customer.ask(`/calls/${crypto.randomUUID()}/reject`, {})).status).toBe(404);
    expect(await ownersOf(cluster)).toEqual(new Set([cluster.nodes.a.url]));
  },
  LONG,
);

test(
  "a node that is killed loses its sessions to the other within a minute; what came and was sent meanwhile arrives, once",
  async () => {
    const all = await pairedAt("a", "b", "a", "b");
    const { cluster, customers, asks, friend } = all;
    await works(all, "before");
    const before = logins(customers);
    await cluster.kill("a");
    asks.node = "b";
    const [first] = customers as [Customer];
    await first.send(friend.pn ?? "", "text", { text: "accepted while its node was dead" });
    await friend.say("said while its node was dead", { to: first.device });
    const refused = await first.askPhone("logout", {});
    // its node does not answer, and has it still
    expect([refused.status, refused.body.error.code]).toEqual([503, "OVERLOADED"]);

    await net.until(
      () =>
        customers.every(isOpen) &&
        logins(customers).join() === before.map((count, index) => (index % 2 === 0 ? count + 1 : count)).join(),
    );
    await first.untilReceived(
      ({ type, data }) => type === "message:received" && data.content.text === "said while its node was dead",
    );
    await friend.until(({ text }) => text === "accepted while its node was dead");
    await works(all, "after");
    expect(friend.received.filter(({ text }) => text === "accepted while its node was dead")).toHaveLength(1);

    await cluster.start("a");
    asks.node = "a";
    await works(all, "back");
    // what went over stays there
    expect(logins(customers)).toEqual(before.map((count, index) => (index % 2 === 0 ? count + 1 : count)));
  },
  LONG,
);

test(
  "a node that ends hands its sessions over",
  async () => {
    const all = await pairedAt("a", "a");
    const { cluster, customers, asks } = all;
    const before = logins(customers);
    cluster.nodes.a.signal("SIGTERM");
    expect((await cluster.nodes.a.ended).code).toBe(0);
    asks.node = "b";
    await net.until(
      () => customers.every(isOpen) && logins(customers).every((count, index) => count === (before[index] ?? 0) + 1),
    );
    await works(all, "handed over");
  },
  LONG,
);

test(
  "a node that stood still for longer than its lease lets go of everything when it wakes, and ends; the other is not disturbed",
  async () => {
    const all = await pairedAt("a", "b");
    const { cluster, customers, asks, friend } = all;
    await works(all, "before");
    const before = logins(customers);
    cluster.nodes.a.signal("SIGSTOP");
    asks.node = "b";
    await net.until(() => customers.every(isOpen) && logins(customers)[0] === (before[0] ?? 0) + 1);
    const [first] = customers as [Customer];
    await sends(first, friend.pn ?? "", "sent by the successor");
    await friend.until(({ text }) => text === "sent by the successor");

    cluster.nodes.a.signal("SIGCONT");
    const ended = await cluster.nodes.a.ended;
    expect([ended.code, ended.err.includes("other nodes have taken over")]).toEqual([1, true]);
    await works(all, "after");
    expect(logins(customers)).toEqual([(before[0] ?? 0) + 1, before[1] ?? 0]);
    expect(friend.received.filter(({ text }) => text === "sent by the successor")).toHaveLength(1);
    expect(await first.status()).toBe("CONNECTED");
    expect(first.received("channel:disconnected")).toEqual([]);
  },
  LONG,
);

test(
  "while the database is away no node keeps a session for longer than its lease, and each has its own again when it is back",
  async () => {
    const all = await pairedAt("a", "b");
    const { cluster, customers } = all;
    await works(all, "before");
    cluster.server.pause();
    const [first] = customers as [Customer];
    const asked = [
      first.ask("/phones"),
      first.ask(`/phones/${first.id}/logout`, {}),
      first.ask("/messages", { phoneId: first.id, to: "5511999990001", type: "text", content: { text: "no" } }),
    ];
    expect((await Promise.all(asked)).map(({ status, body }) => [status, body.error.code])).toEqual(
      Array(3).fill([503, "OVERLOADED"]),
    );
    await net.until(() => !customers.some(isOpen));
    await untilTrue(() =>
      Object.values(cluster.nodes).every((node) => node.out().includes("its links are closed until it can be")),
    );
    cluster.server.resume();
    await net.until(() => customers.every(isOpen));
    await works(all, "after");
    expect((await cluster.rows<{ n: number }>("SELECT count(*) AS n FROM processes"))[0]?.n).toBe(2);
  },
  LONG,
);
