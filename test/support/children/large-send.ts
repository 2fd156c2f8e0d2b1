// Sends the file behind a URL as a document, through a media host of the network, and prints the outcome and the memory
// that it took.
//   bun --smol large-send.ts URL MEDIA_HOST
import { sendingSession } from "../session/sending.ts";

const [, , mediaUrl = "", mediaHost = ""] = process.argv;
const mediaConnection = {
  tag: "iq",
  attrs: { type: "result" },
  content: [
    {
      tag: "media_conn",
      attrs: { auth: "x", ttl: "3600" },
      content: [{ tag: "host", attrs: { hostname: mediaHost } }],
    },
  ],
};

const session = await sendingSession();
session.net.faults.answerIq(({ attrs }) => (attrs["xmlns"] === "w:m" ? mediaConnection : undefined));
const ana = session.contact();
const to = `pn:${ana.pn}`;
await session.send({ type: "text", content: { text: "já vai" } }, { to });

Bun.gc(true);
const before = process.memoryUsage.rss();
let peak = before;
const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
const outcome = await session.send({ type: "document", content: { mediaUrl, filename: "tudo.zip" } }, { to });
clearInterval(watch);

const { message } = await ana.until(({ mediatype }) => mediatype === "document");
const { fileLength, fileEncSha256 } = message.documentMessage ?? {};
const hash = Buffer.from(fileEncSha256 ?? []).toString("base64url");
process.stdout.write(
  `${JSON.stringify({ ok: outcome.ok, size: Number(fileLength), hash, heldBytes: peak - before })}\n`,
);
await session.stop();
process.exit();
