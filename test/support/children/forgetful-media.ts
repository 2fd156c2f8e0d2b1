// A customer's file of so many bytes, and a media host of the network that keeps nothing of a file but its size and
// hash. Prints their addresses.
//   bun forgetful-media.ts SIZE_BYTES
import { createHash } from "node:crypto";
import { join } from "node:path";

const CHUNK = new Uint8Array(64 * 1024).fill(5);
const sizeBytes = Number(process.argv[2]);
const fixture = (name: string) => Bun.file(join(import.meta.dir, "../fixtures", name)).text();
const taken: { size: number; hash: string; name: string }[] = [];

const poured = async function* () {
  for (let sent = 0; sent < sizeBytes; sent += CHUNK.length) yield CHUNK.subarray(0, sizeBytes - sent);
};

const files = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: ({ url }) => (url.endsWith("/taken") ? Response.json(taken) : new Response(poured)),
});

const media = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  tls: { cert: await fixture("tls-hooks.pem"), key: await fixture("tls-hooks.key") },
  fetch: async ({ body, url }) => {
    const hash = createHash("sha256");
    let size = 0;
    for await (const chunk of body ?? []) {
      hash.update(chunk);
      size += chunk.length;
    }
    taken.push({ size, hash: hash.digest("base64url"), name: new URL(url).pathname.split("/").at(-1) ?? "" });
    return Response.json({ url: "https://mmg.whatsapp.net/v/f", direct_path: "/v/f" });
  },
});

process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${files.port}`, host: `localhost:${media.port}` })}\n`);
