import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/** The outcome of a request. `lose-answer`: the server executes it, and its answer is lost. */
export type Fate = "pass" | "lose-request" | "lose-answer";

/** A network between a node and its database server, which can fail. */
export type DatabaseProxy = {
  url: string;
  /** The received bodies, oldest first. */
  requests: string[];
  /** Sets the outcome of requests from now on. */
  decide(fateOf: (body: string) => Fate | Promise<Fate>): void;
  close(): Promise<void>;
};

export const startDatabaseProxy = async (target: string): Promise<DatabaseProxy> => {
  const requests: string[] = [];
  let fateOf: (body: string) => Fate | Promise<Fate> = () => "pass";
  const server = createServer((request, response) => {
    const pass = async (): Promise<unknown> => {
      const body = await text(request);
      requests.push(body);
      const fate = await fateOf(body);
      if (fate === "lose-request") return response.destroy();
      const answer = await fetch(target + request.url, {
        method: "POST",
        body,
        headers: { "content-type": "application/json" },
      });
      const said = await answer.text();
      if (fate === "lose-answer") return response.destroy();
      return response.writeHead(answer.status, { "content-type": "application/json" }).end(said);
    };
    pass().catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    decide: (next) => void (fateOf = next),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
