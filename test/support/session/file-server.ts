/** A customer's file server on this machine; `get` decides its answer. Stopped with the scope. */
export const fileServer = (get: (path: string) => Response | Promise<Response>) => {
  const asked: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      return get(pathname);
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, asked, [Symbol.asyncDispose]: () => server.stop(true) };
};

const bytesOf = (length: number, ...parts: [at: number, text: string][]): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(length).fill(7);
  for (const [at, text] of parts) bytes.set(Buffer.from(text, "latin1"), at);
  return bytes;
};

/** Beginnings of files that show their type, without any content behind them. */
export const OPUS = bytesOf(400, [0, "OggS"], [28, "OpusHead"]);
export const VORBIS = bytesOf(400, [0, "OggS"], [29, "vorbis"]);
export const WEBP = bytesOf(300, [0, "RIFF"], [8, "WEBPVP8 "]);
export const MOVING_WEBP = bytesOf(300, [0, "RIFF"], [8, "WEBPVP8X"], [20, "\x12"]);

/** A picture of one pixel. */
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
