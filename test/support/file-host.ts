/** A customer's host of files on 127.0.0.1; it stops with `stop`. */
export type FileHost = { url(path: string): string; readonly asked: readonly string[]; stop(): Promise<void> };

export type Served = { bytes: Uint8Array | ReadableStream<Uint8Array>; status?: number; headers?: Record<string, string> };

/** Serves what `files` names by its path, and 404 for the rest. */
export const fileHost = (files: Record<string, Served | (() => Served)>): FileHost => {
  const asked: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const path = new URL(request.url).pathname.slice(1);
      asked.push(path);
      const found = files[path];
      if (!found) return new Response("nothing here", { status: 404 });
      const { bytes, status = 200, headers = {} } = typeof found === "function" ? found() : found;
      return new Response(bytes as Uint8Array<ArrayBuffer>, { status, headers });
    },
  });
  return { url: (path) => `http://127.0.0.1:${server.port}/${path}`, asked, stop: () => server.stop(true) };
};
