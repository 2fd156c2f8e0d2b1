/** Passes webhooks on to any running node. Answers 502 for a webhook without an answer, as balancers do. */
export const startBalancer = (urlOf: () => string) => {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const body = await request.text();
      const headers = Object.fromEntries(
        [...request.headers].filter(([name]) => !["host", "connection", "content-length"].includes(name)),
      );
      return fetch(urlOf() + pathname, { method: request.method, headers, body, keepalive: false }).catch(
        () => new Response("", { status: 502 }),
      );
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => void server.stop(true) };
};
