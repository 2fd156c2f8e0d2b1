/** A proxy between Recado and an upstream. A test can act while a request is in flight. */
export type Between = {
  url: string;
  /** The destination of requests. */
  leadTo(upstream: string): void;
  /** Passes the next matching request on, and runs the callback before Recado gets the answer. */
  during(fits: (request: { method: string; path: string }) => boolean, happens: () => Promise<unknown>): void;
  stop(): Promise<void>;
};

export const startBetween = (): Between => {
  let upstream = "";
  let waiting: { fits: Parameters<Between["during"]>[0]; happens: () => Promise<unknown> }[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 120,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const one = waiting.find(({ fits }) => fits({ method: request.method, path: pathname }));
      waiting = waiting.filter((other) => other !== one);
      const answer = await fetch(`${upstream}${pathname}${search}`, {
        method: request.method,
        headers: request.headers,
        body: request.body && (await request.arrayBuffer()),
      });
      const body = await answer.arrayBuffer();
      await one?.happens();
      return new Response(body, {
        status: answer.status,
        headers: { "content-type": answer.headers.get("content-type") ?? "" },
      });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    leadTo: (url) => void (upstream = url),
    during: (fits, happens) => void waiting.push({ fits, happens }),
    stop: () => server.stop(true),
  };
};
