import type { Server } from "bun";
import type { Control } from "./operations.ts";

/** Serves a simulated network on a free port of this machine: `/_sim/*` to its control, everything else to `answer`. */
export const serveSimulator = (
  control: Control,
  answer: (request: Request, url: URL) => Promise<Response>,
): Server<undefined> =>
  Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0, // a hanging answer must hang for as long as the client can bear it
    maxRequestBodySize: 256 * 1024 * 1024,
    fetch: async (request) => {
      const url = new URL(request.url);
      if (url.pathname.startsWith("/_sim/")) return control(url.pathname.slice("/_sim/".length), request);
      return answer(request, url);
    },
  });
