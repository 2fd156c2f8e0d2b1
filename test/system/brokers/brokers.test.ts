import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { createBrokerTarget } from "../../../src/adapters/brokers/broker-target.ts";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { DAY_MS } from "../../../src/kernel/clock.ts";
import type { Random } from "../../../src/kernel/random.ts";
import { clientOf } from "../../support/client.ts";
import { addStrictPhone } from "../../support/customers/strict-phone.ts";
import { startGraph } from "../../support/graph/index.ts";
import { fencesOf, pageText } from "../../support/laws/pages.ts";
import { type Disk, readDatabase } from "../../support/processes/aftermath.ts";
import { retryWebhooks, settingsUnderFire } from "../../support/processes/burst.ts";
import { processes, quietPort } from "../../support/processes/process.ts";
import { settleWork } from "../../support/processes/under-faults.ts";
import { roundsOf } from "../../support/rounds.ts";
import { nextSeed } from "../../support/seeds.ts";
import { type ByteCutter, byteCutter } from "../../support/servers/byte-cutter.ts";
import { selfSigned } from "../../support/servers/certificate.ts";
import { realTime, untilTrue } from "../../support/waiting.ts";
import { ADMIN_TOKEN, startWorld, WEBHOOK_SECRET, type World } from "../../support/world.ts";
import { BROKER_KINDS, type BrokerKind, type Taken } from "./broker-kinds.ts";
import { type BrokerServer, PASSWORD } from "./broker-servers.ts";

setDefaultTimeout(120_000);

const TYPE = "message:received";

const delivery = (url: string, eventId = "an-event") => ({
  url,
  eventId,
  eventType: TYPE,
  orderingKey: "a-chat",
  headers: { "webhook-id": eventId },
  body: "{}",
});

describe.each(BROKER_KINDS.map((kind) => [kind.name, kind] as const))("%s", (_name, kind) => {
  describe("in plain text", () => {
    let broker: BrokerServer;
    let world: World;
    beforeAll(async () => {
      broker = await kind.start();
      world = await startWorld();
    });
    afterAll(() => Promise.all([broker.stop(), world.stop()]));

    test("an event arrives with the signatures and the id of HTTP, and the password is shown nowhere", async () => {
      const { key } = await world.account();
      const phone = await world.wabaPhone(key);
      const made = await world.gateway("/v1/webhooks", {
        key,
        body: {
          label: "A broker",
          url: kind.url(broker),
          secret: WEBHOOK_SECRET,
          events: [TYPE],
          allPhones: true,
          headers: { "X-Own": "a value" },
        },
      });
      expect(made.status).toBe(201);
      expect(made.body.url).toContain(":********@");
      await kind.prepare(broker);
      await world.graph.inbound.text({ to: phone.phoneNumberId, from: "5511999990200", text: "Olá" });
      await world.settle();
      const { body: attempted } = await world.gateway(`/v1/webhooks/${made.body.id}/attempts`, { key });
      expect(attempted.items).toMatchObject([{ status: "DELIVERED", statusCode: null }]);
      const taken = (await kind.read(broker)).at(-1);
      expectSigned(taken);
      expect(taken?.headers["X-Own"]).toBe("a value");
      const shown = JSON.stringify([made.text, attempted, world.logs]);
      expect([PASSWORD, encodeURIComponent(PASSWORD)].filter((secret) => shown.includes(secret))).toEqual([]);
    });

    test("a delivery whose confirmation is lost is sent again, under the same id", async () => {
      await kind.prepare(broker);
      const proxy = await byteCutter(`http://127.0.0.1:${broker.port}`);
      const target = createBrokerTarget({ http: httpTo("127.0.0.1"), extraCa: undefined });
      const url = urlThrough(proxy, kind);
      expect((await target.send(delivery(url, "the-first"))).failure).toBeNull();
      proxy.cutAfter("answer", 1);
      expect((await target.send(delivery(url, "a-repeat"))).failure).toBe("aborted");
      expect((await target.send(delivery(url, "a-repeat"))).failure).toBeNull();
      const ids = (await kind.read(broker)).map(({ id }) => id).slice(-3);
      const repeats = ["a-repeat", "a-repeat"].slice(kind.name === "NATS JetStream" ? 1 : 0); // which drops it
      expect(ids.slice(ids.lastIndexOf("the-first"))).toEqual(["the-first", ...repeats]);
      target.close();
      await proxy.close();
    });

    test("a wrong password is a failure", async () => {
      const target = createBrokerTarget({ http: httpTo("127.0.0.1"), extraCa: undefined });
      const outcome = await target.send(delivery(kind.url(broker, { password: "another-password" })));
      expect(outcome.failure).toBe(kind.name === "Redis" ? "connect" : "login");
      expect(outcome.error).not.toContain("another-password");
      target.close();
    });
  });

  describe("over TLS", () => {
    const certificate = selfSigned("broker.example", Date.now() + DAY_MS);
    let broker: BrokerServer;
    beforeAll(async () => {
      broker = await kind.start({ tls: certificate });
    });
    afterAll(() => broker.stop());

    /** Whether the connection came about: nothing takes the message then. */
    const outcomeAt = async (host: string, extraCa: string | undefined): Promise<string | null> => {
      const target = createBrokerTarget({ http: httpTo("127.0.0.1"), extraCa });
      const { failure } = await target.send(delivery(kind.url(broker, { host, isTls: true })));
      target.close();
      return failure;
    };

    test("the certificate must be for the name in the URL, and trusted", async () => {
      const reached = kind.name === "Redis" ? null : "unroutable";
      expect(await outcomeAt("broker.example", certificate.cert)).toBe(reached);
      expect(await outcomeAt("other.example", certificate.cert)).toBe("tls");
      expect(await outcomeAt("broker.example", undefined)).toBe("tls");
    });
  });
});

/** Every name is this machine's. */
const httpTo = (address: string) =>
  createHttp({ allow: [address], extraCa: undefined, resolve: async () => [address] });

const expectSigned = (taken: Taken | undefined) => {
  const { id = "", headers = {}, body = "" } = taken ?? {};
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const secret = Buffer.from(WEBHOOK_SECRET).toString("base64");
  const atMs = Number(lower["webhook-timestamp"]) * 1000;
  expect(Math.abs(atMs)).toBeGreaterThan(0);
  expect(lower["webhook-id"]).toBe(id);
  expect(JSON.parse(body)).toMatchObject({ id, type: TYPE });
  const signed = new Webhook(secret).sign(id, new Date(atMs), body);
  expect(lower["webhook-signature"]).toBe(signed);
  expect(lower["x-gateway-signature"]).toMatch(/^sha256=[0-9a-f]{64}$/);
};

const ROUNDS = roundsOf(3);
const SEED = Number(process.env["RECADO_CRASH_SEED"] ?? nextSeed());
const CHATS = Array.from({ length: 5 }, (_, index) => `551199999030${index}`);
const PER_ROUND = 4;
/** The network breaks off after at most so many bytes of what passes: amid a message, or a confirmation. */
const MAX_BYTES = { request: 8000, answer: 400 };

/** The programs of docs/brokers.md, and what the one of each broker is started with. */
const PROGRAMS: Readonly<Record<string, (port: number) => { command: string[]; env: Record<string, string> }>> = {
  RabbitMQ: (port) => ({
    command: ["node", "consume-rabbitmq.mjs"],
    env: { BROKER: `amqp://guest:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}` },
  }),
  "NATS JetStream": (port) => ({
    command: ["node", "consume-nats.mjs"],
    env: { HOST: `127.0.0.1:${port}`, NATS_USER: "app", PASSWORD },
  }),
  Redis: (port) => ({
    command: [process.execPath, "consume-redis.mjs"],
    env: { BROKER: `redis://:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/0` },
  }),
};

describe("the program of the documentation", () => {
  const { folder } = processes();

  test.each(BROKER_KINDS.map((kind) => [kind.name, kind] as const))("reads events from %s", async (name, kind) => {
    const broker = await kind.start();
    const { command, env } = PROGRAMS[name]?.(broker.port) ?? { command: [], env: {} };
    const cwd = folder();
    const file = command.at(-1) ?? "";
    writeFileSync(join(cwd, file), fencesOf(pageText("docs/brokers.md")).find(({ info }) => info === file)?.text ?? "");
    symlinkSync(join(import.meta.dir, "../../../node_modules"), join(cwd, "node_modules"));
    const program = Bun.spawn(command, { cwd, env: { PATH: process.env["PATH"] ?? "", ...env }, stdout: "pipe" });
    const target = createBrokerTarget({ http: httpTo("127.0.0.1"), extraCa: undefined });
    const url = kind.url(broker).replace("stream=recado.{type}", "stream=recado");
    const sent = { ...delivery(url), body: JSON.stringify({ type: TYPE }) };
    await untilTrue(async () => (await target.send(sent)).failure === null); // the queue is made by the program
    const first = await program.stdout.getReader().read();
    expect(new TextDecoder().decode(first.value)).toContain(`an-event ${TYPE}`);
    program.kill();
    await program.exited;
    target.close();
    await broker.stop();
  });
});

describe("crashes", () => {
  const { dataDir, serve } = processes();
  const graph = startGraph();
  const open: { stop?(): Promise<void>; close?(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await (one.stop ?? one.close)?.call(one);
  });
  afterAll(() => graph.stop());

  test.each(BROKER_KINDS.map((kind) => [kind.name, kind] as const))(
    `kill -9 of the server and of %s, and a cut network, lose nothing and keep the order (${ROUNDS} rounds, SEED=${SEED})`,
    async (_name, kind) => {
      const random = seededRandom(SEED);
      const broker = await kind.start();
      open.push(broker);
      await kind.prepare(broker);
      const proxy = await byteCutter(`http://127.0.0.1:${broker.port}`);
      open.push(proxy);
      const settings = {
        RECADO_DATA_DIR: dataDir(),
        RECADO_LISTEN: `127.0.0.1:${await quietPort()}`,
        ...settingsUnderFire(graph),
        RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
        RECADO_GATEWAY_RATE: "1000000",
      };
      let server = await serve(settings);
      const { phoneNumberId } = await addStrictPhone(clientOf(server, ADMIN_TOKEN), {
        graph,
        url: urlThrough(proxy, kind),
      });
      retryWebhooks(graph, server);
      for (let round = 0; round < ROUNDS; round++) {
        const posted = post(graph, phoneNumberId, round, () => cutSoon(proxy, random));
        await realTime(random.float() * 300);
        const isBroker = random.float() < 0.5 || round === 0;
        if (isBroker) await broker.kill();
        if (!isBroker || random.float() < 0.5) {
          server.signal("SIGKILL");
          await server.ended;
          server = await serve(settings);
        }
        await posted;
        if (isBroker) await broker.start();
      }
      await settleWork(graph, server, settings.RECADO_DATA_DIR);
      server.signal("SIGTERM");
      await server.ended;
      const disk = readDatabase(join(settings.RECADO_DATA_DIR, "recado.db"));
      const sent = disk.events.filter(({ type }) => type === TYPE);
      expect([sent.length, disk.discardedJobs]).toEqual([ROUNDS * CHATS.length * PER_ROUND, []]);
      expect(disk.deliveries.filter(({ status }) => status !== "DELIVERED")).toEqual([]);
      const taken = await kind.read(broker);
      expect(sent.filter(({ id }) => !taken.some((one) => one.id === id))).toEqual([]);
      expect(taken.filter(({ id, body }) => JSON.parse(body).id !== id)).toEqual([]);
      expect(chatsOutOfOrder(disk, taken)).toEqual([]);
      const attempted = disk.deliveries.reduce((sum, one) => sum + one.attempts, 0);
      expect(attempted).toBeGreaterThan(sent.length);
      console.log(JSON.stringify({ broker: kind.name, events: sent.length, attempted, taken: taken.length }));
    },
    ROUNDS * 40_000 + 120_000,
  );
});

const cutSoon = (proxy: ByteCutter, random: Random): void => {
  const direction = random.float() < 0.5 ? "request" : "answer";
  proxy.cutAfter(direction, Math.ceil(random.float() * MAX_BYTES[direction]));
};

const urlThrough = ({ url }: ByteCutter, kind: BrokerKind): string => kind.url({ port: Number(new URL(url).port) });

/** `cut` is called before each message. */
const post = (
  graph: ReturnType<typeof startGraph>,
  phoneNumberId: string,
  round: number,
  cut: () => void,
): Promise<unknown> =>
  Promise.all(
    CHATS.map(async (from) => {
      for (let n = 0; n < PER_ROUND; n++) {
        cut();
        await graph.inbound.text({ to: phoneNumberId, from, text: `${round}-${n}` });
      }
    }),
  );

/** The chats of which an event first arrived after a later one. Repeats have the id of what they repeat. */
const chatsOutOfOrder = ({ events }: Disk, taken: readonly Taken[]): string[] => {
  const seqOf = new Map(events.map(({ id, seq }) => [id, seq]));
  const firsts = new Map(taken.toReversed().map((one) => [one.id, one] as const));
  const arrived = taken.filter((one) => firsts.get(one.id) === one);
  return [...Map.groupBy(arrived, ({ body }) => JSON.parse(body).data.chat.canonicalKey as string)].flatMap(
    ([chat, of]) => {
      const seqs = of.map(({ id }) => seqOf.get(id) ?? Number.NaN);
      return seqs.every((seq, index) => index === 0 || seq > (seqs[index - 1] ?? 0))
        ? []
        : [`${chat}: ${seqs.join(" ")}`];
    },
  );
};
