/** A received call of a tool. */
export type ToolRequest = { path: string; headers: Record<string, string>; raw: string; body: any };
type Reply = (request: ToolRequest) => Response | Promise<Response>;

/** A server of an account's tools on 127.0.0.1: keeps the calls, and gives the answer that the test sets. */
export type ToolServer = {
  url: string;
  calls: ToolRequest[];
  /** Sets its answer from now on. */
  reply(reply: Reply): void;
  reset(): void;
  stop(): Promise<void>;
};

const SHIPPED: Reply = () => Response.json({ status: "a caminho" });

export const startToolServer = (): ToolServer => {
  const calls: ToolRequest[] = [];
  let reply = SHIPPED;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const raw = await request.text();
      const { pathname: path } = new URL(request.url);
      const call = { path, headers: Object.fromEntries(request.headers), raw, body: JSON.parse(raw) };
      calls.push(call);
      return reply(call);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/tools`,
    calls,
    reply: (next) => void (reply = next),
    reset() {
      calls.length = 0;
      reply = SHIPPED;
    },
    stop: () => server.stop(true),
  };
};
