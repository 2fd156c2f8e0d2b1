import { copyFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clientOf } from "../client.ts";
import { type Disk, readDatabase, waitingJobs } from "../processes/aftermath.ts";
import type { processes, Server, Settings } from "../processes/process.ts";
import { type Arrived, type Receiver, startReceiver } from "../servers/receiver.ts";
import { pauses, realTime } from "../waiting.ts";
import { type Phone, startWhatsApp, type WhatsApp } from "../whatsapp/index.ts";
import { ADMIN_TOKEN, WEBHOOK_SECRET } from "../world.ts";

/** The content of any answer. */
export type Said = { status: number; body: any };

/** A customer of the process with a session phone, and the device of its owner. */
export type Customer = {
  accountId: string;
  key: string;
  /** The channel's id. */
  id: string;
  /** The webhook of the channel. */
  hook: Receiver;
  device: Phone;
  /** A GET, or with a body a POST, under `/v1`. */
  ask(path: string, body?: object): Promise<Said>;
  /** The same about the channel: `qrcode`, `logout`. */
  askPhone(what: string, body?: object): Promise<Said>;
  status(): Promise<string>;
  /** Resolves when the channel has this status. */
  until(status: string): Promise<void>;
  /** The QR code, once there is one. */
  qr(): Promise<string>;
  /** The code to type on the device, once there is one. */
  code(): Promise<string>;
  /** Scans, and waits until the session is open. */
  pair(): Promise<void>;
  /** Has a message accepted; its id. */
  send(to: string, type: string, content: object): Promise<string>;
  /** The events of one type so far. */
  received(type: string): any[];
  /** Resolves when an event that matches has arrived, once or more often. */
  untilReceived(matches: (event: any) => boolean): Promise<any>;
};

/**
 * A Recado on a simulated session network, in a separate process. It starts again with the same data each time that it
 * ends.
 */
export type Gateway = {
  readonly net: WhatsApp;
  readonly dataDir: string;
  readonly server: Server;
  readonly client: ReturnType<typeof clientOf>;
  /** The whole output of its processes so far. */
  printed(): string;
  /** Kills it at once; resolves when the network has also read all its sent bytes. */
  kill(): Promise<void>;
  /** The same when so many milliseconds have passed. */
  killAfter(ms: number): Promise<void>;
  restart(): Promise<void>;
  /** Ends it in an operator's way. */
  stop(): Promise<void>;
  /** The state of its disk. */
  disk(): Disk;
  /** Runs until no job is left: first due jobs, then waiting ones as time moves. Needs the test clock. */
  settle(): Promise<void>;
  /** A new account with a session phone. */
  customer(pn: string): Promise<Customer>;
};

type Processes = Pick<ReturnType<typeof processes>, "dataDir" | "folder" | "serve">;

/** The time that an expected result may take on a busy machine. */
const TIMEOUT_MS = 30_000;
const WAIT_MS = 61_000;

/** Started once in a test file, and ended in `afterAll`. */
export const startGateway = async (
  { dataDir, folder, serve }: Processes,
  settings: Settings = {},
): Promise<Gateway & { end(): Promise<void> }> => {
  const net = await startWhatsApp();
  const mediaCa = join(folder(), "media-ca.pem");
  writeFileSync(mediaCa, net.mediaCa);
  const dir = dataDir();
  const all: Settings = {
    RECADO_DATA_DIR: dir,
    RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
    RECADO_WHATSAPP_WEB_URL: net.url,
    RECADO_WHATSAPP_WEB_ROOT: net.root,
    RECADO_OUTBOUND_ALLOW: "127.0.0.1,localhost",
    RECADO_EXTRA_CA: mediaCa,
    RECADO_SESSION_RATE: "100000",
    RECADO_SESSION_NEW_CHATS_A_DAY: "0",
    RECADO_GATEWAY_RATE: "1000000",
    RECADO_GATEWAY_SEND_RATE: "1000000",
    ...settings,
  };
  const hooks: Receiver[] = [];
  let server = await serve(all);
  const servers = [server];

  const finish = async (signal: "SIGKILL" | "SIGTERM"): Promise<number> => {
    server.signal(signal);
    return (await server.ended).code;
  };
  const gateway: Gateway = {
    net,
    dataDir: dir,
    get server() {
      return server;
    },
    get client() {
      return clientOf(server, ADMIN_TOKEN);
    },
    printed: () => servers.map(({ out, err }) => `${out()}\n${err()}`).join("\n"),
    async kill() {
      await finish("SIGKILL");
      await net.until(() => net.stat.connections === 0);
    },
    killAfter: (ms) => realTime(ms).then(() => gateway.kill()),
    async restart() {
      server = await serve(all);
      servers.push(server);
    },
    async stop() {
      const code = await finish("SIGTERM");
      if (code !== 0) throw new Error(`the server ended with ${code}: ${server.err()}`);
    },
    disk() {
      const copy = folder(); // opening the database itself could stop a server from starting
      for (const name of ["recado.db", "recado.db-wal"])
        if (existsSync(join(dir, name))) copyFileSync(join(dir, name), join(copy, name));
      return readDatabase(join(copy, "recado.db"));
    },
    async settle() {
      for (const pause = pauses(); ; await pause()) {
        const { now } = await gateway.client.admin<{ now: string }>("/clock", { advanceMs: 0 });
        const { all: left, due } = waitingJobs(join(dir, "recado.db"), Date.parse(now));
        if (left === 0) return;
        if (due === 0) await gateway.client.admin("/clock", { advanceMs: WAIT_MS });
      }
    },
    async customer(pn) {
      const hook = startReceiver();
      hooks.push(hook);
      const { id: accountId, key } = await gateway.client.account();
      const body = { type: "SESSION", label: "A phone", webhook: { url: hook.url, secret: WEBHOOK_SECRET } };
      const { id } = await gateway.client.gateway<{ id: string }>("/v1/phones", key, body);
      return customerOf(gateway, { accountId, key, id, hook, device: net.phone(pn) });
    },
  };
  return Object.assign(gateway, {
    end: () => Promise.all([net.stop(), ...hooks.map((hook) => hook.stop())]).then(() => {}),
  });
};

/** A customer's requests go to the present server of `gateway`. */
export const customerOf = (
  gateway: { readonly server: Pick<Server, "url"> },
  given: Pick<Customer, "accountId" | "key" | "id" | "hook" | "device">,
): Customer => {
  const { key, id, hook, device } = given;
  const ask = async (path: string, body?: object): Promise<Said> => {
    const answer = await fetch(`${gateway.server.url}/gateway/v1${path}`, {
      method: body ? "POST" : "GET",
      headers: { "content-type": "application/json", "x-api-key": key },
      keepalive: false, // a killed server's connection could make the client send a request twice
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const askPhone: Customer["askPhone"] = (what, body) => ask(`/phones/${id}/${what}`, body);
  const status = async () => (await ask(`/phones/${id}`)).body.status;
  const until: Customer["until"] = (wanted) =>
    patiently(`phone ${id} is not ${wanted}`, async () => ((await status()) === wanted ? true : undefined)).then(
      () => {},
    );
  const qr = () =>
    patiently(`phone ${id} shows no QR code`, async () => (await askPhone("qrcode")).body.qr as string | undefined);
  const code = async () => {
    const asked = await askPhone("pairing-code", { phoneNumber: device.pn });
    if (asked.status !== 202)
      throw new Error(`no pairing code can be asked for: ${asked.status} ${JSON.stringify(asked.body)}`);
    return patiently(
      `phone ${id} shows no pairing code`,
      async () => (await askPhone("pairing-code")).body.code as string | undefined,
    );
  };
  return {
    ...given,
    ask,
    askPhone,
    status,
    until,
    qr,
    code,
    async pair() {
      await device.scan(await qr());
      await device.open();
      await until("CONNECTED");
    },
    async send(to, type, content) {
      const { status: answered, body } = await ask("/messages", { phoneId: id, to, type, content });
      if (answered !== 202) throw new Error(`the message was not accepted: ${answered} ${JSON.stringify(body)}`);
      return body.messageId;
    },
    received: (type) => eventsIn(hook.arrived, type),
    async untilReceived(matches) {
      for (let seen = 0; ; ) {
        const arrived = await hook.received(seen + 1);
        const found = arrived.slice(seen).find(({ body }) => matches(body));
        if (found) return found.body;
        seen = arrived.length;
      }
    },
  };
};

const eventsIn = (arrived: readonly Arrived[], type: string): any[] =>
  arrived.map(({ body }) => body).filter((body) => body.type === type);

/** Asks until there is an answer. */
export const patiently = async <Answer>(complaint: string, ask: () => Promise<Answer | undefined>): Promise<Answer> => {
  for (const pause = pauses(TIMEOUT_MS, complaint); ; await pause()) {
    const answer = await ask();
    if (answer !== undefined) return answer;
  }
};
