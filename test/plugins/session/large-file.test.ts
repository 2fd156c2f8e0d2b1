import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type Session, sendingSession } from "../../support/session/sending.ts";

const MIB = 1024 * 1024;
const SIZE = 96 * MIB;
/** What may lie in memory meanwhile: buffers of sockets and files, and what the collector has not taken yet. */
const MOST_HELD = 80 * MIB;

let session: Session;
beforeAll(async () => {
  session = await sendingSession();
});
afterAll(() => session.stop());

type Taken = { size: number; hash: string; name: string };

/** Both ends of the file in a process of their own, so that their memory is not measured. */
const endsOf = async (sizeBytes: number) => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "../../support/children/forgetful-media.ts"), String(sizeBytes)], { stdin: "ignore", stdout: "pipe" });
  const { value } = await child.stdout.getReader().read();
  const { url, host } = JSON.parse(Buffer.from(value ?? []).toString()) as { url: string; host: string };
  return {
    url,
    host,
    taken: async () => (await (await fetch(`${url}/taken`)).json()) as Taken[],
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
};

const mediaConnection = (hostname: string) => ({
  tag: "iq",
  attrs: { type: "result" },
  content: [{ tag: "media_conn", attrs: { auth: "x", ttl: "3600" }, content: [{ tag: "host", attrs: { hostname } }] }],
});

test("a large document goes from its URL to the network without lying in memory", async () => {
  await using ends = await endsOf(SIZE);
  session.net.faults.answerIq(({ attrs }) => (attrs["xmlns"] === "w:m" ? mediaConnection(ends.host) : undefined));
  const ana = session.contact();
  await session.send({ type: "text", content: { text: "já vai" } }, { to: `pn:${ana.pn}` });

  Bun.gc(true);
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
  const outcome = await session.send({ type: "document", content: { mediaUrl: `${ends.url}/f`, filename: "tudo.zip" } }, { to: `pn:${ana.pn}` });
  clearInterval(watch);

  expect(outcome).toMatchObject({ ok: true });
  const { message } = await ana.until(({ mediatype }) => mediatype === "document");
  expect(Number(message.documentMessage?.fileLength)).toBe(SIZE);
  const hash = Buffer.from(message.documentMessage?.fileEncSha256 ?? []).toString("base64url");
  expect(await ends.taken()).toEqual([{ size: SIZE + 16 + 10, hash, name: hash }]);
  expect(peak - before).toBeLessThan(MOST_HELD);
}, 30_000);
