// A network that keeps nothing: it has one file of so many bytes, and counts the bytes of uploads. It knows any number.
// Prints its address.
//   bun large-network.ts SIZE_BYTES
const CHUNK = new Uint8Array(256 * 1024);

const sizeBytes = Number(process.argv[2]);
let takenBytes = 0;

const poured = (): ReadableStream<Uint8Array> => {
  let left = sizeBytes;
  return new ReadableStream({
    pull(controller) {
      const chunk = CHUNK.subarray(0, left);
      left -= chunk.length;
      if (chunk.length > 0) controller.enqueue(chunk);
      if (left === 0) controller.close();
    },
  });
};

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  async fetch(request) {
    const { pathname, origin } = new URL(request.url);
    if (pathname === "/file") return new Response(poured(), { headers: { "content-length": String(sizeBytes) } });
    if (pathname === "/taken") return Response.json(takenBytes);
    if (pathname.endsWith("/media")) {
      for await (const chunk of request.body as AsyncIterable<Uint8Array>) takenBytes += chunk.length;
      return Response.json({ id: "1" });
    }
    if (request.method === "POST") return Response.json({ success: true });
    return Response.json({
      id: "1",
      display_phone_number: "+5511900000000",
      url: `${origin}/file`,
      mime_type: "application/pdf",
      file_size: sizeBytes,
    });
  },
});
console.log(server.url.origin);
