import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { sha256 } from "../../../src/kernel/crypto.ts";
import { type Customer, newCustomer, TO } from "../../support/customer.ts";
import { mediaCalls, onlyMessage } from "../../support/media.ts";
import { startWorld, type World } from "../../support/world.ts";

const MIB = 1024 * 1024;
const SIZE_BYTES = 100 * MIB;
/** What is left lying about of the chunks of a file of any size; held in memory this one would take more. */
const ALLOWED_BYTES = 80 * MIB;

let network: Subprocess<"ignore", "pipe", "inherit">;
let url: string;
let w: World;
let c: Customer;
beforeAll(async () => {
  // in a process of its own, whose memory is not ours
  network = Bun.spawn([process.execPath, join(import.meta.dir, "../../support/children/large-network.ts"), String(SIZE_BYTES)], { stdin: "ignore", stdout: "pipe" });
  const { value } = await network.stdout.getReader().read();
  url = new TextDecoder().decode(value).trim();
  w = await startWorld({ env: { RECADO_META_GRAPH_URL: url, RECADO_GATEWAY_RATE: "100000" } });
  c = await newCustomer(w);
});
afterAll(async () => {
  await w.stop();
  network.kill();
});

/** How much more memory the process had at most while it did this. */
const growthWhile = async (work: () => Promise<unknown>): Promise<number> => {
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 1);
  await work();
  clearInterval(watch);
  return most - before;
};

test("a file of 100 MB is fetched, served and uploaded without being held in memory", async () => {
  const digest = sha256(new Uint8Array(SIZE_BYTES));
  const growth = { fetched: 0, served: 0, uploaded: 0 };
  growth.fetched = await growthWhile(async () => {
    await w.graph.inbound.document({ to: c.phone.phoneNumberId, from: TO, mediaId: "5", mimeType: "application/pdf", sha256: digest });
    await w.settle();
  });
  const { mediaId, sizeBytes } = onlyMessage(c).media;
  expect(sizeBytes).toBe(SIZE_BYTES);
  const link = await mediaCalls(w, c).link(mediaId);
  let readBytes = 0;
  growth.served = await growthWhile(async () => {
    for await (const chunk of (await fetch(link)).body as AsyncIterable<Uint8Array>) readBytes += chunk.length;
  });
  expect(readBytes).toBe(SIZE_BYTES);
  const body = { mediaUrl: `${url}/file`, mimeType: "application/pdf" };
  growth.uploaded = await growthWhile(() => w.gateway("/v1/media/upload", { key: c.key, body, headers: { "x-phone-id": c.phone.id } }));
  expect(await (await fetch(`${url}/taken`)).json()).toBeGreaterThan(SIZE_BYTES);
  console.log(JSON.stringify(Object.fromEntries(Object.entries(growth).map(([what, bytes]) => [`${what}MiB`, Math.round(bytes / MIB)]))));
  expect(Object.entries(growth).filter(([, bytes]) => bytes > ALLOWED_BYTES)).toEqual([]);
}, 60_000);
