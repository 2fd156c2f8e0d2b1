// The simulated pager network. It has the refusals of the real one. For the laws, and for tests of whole servers.
import { createServer } from "node:http";

const PEOPLE = new Set(["ana", "bia", "duda"]);

/** Starts it on any free port. `pages`: the accepted pages, by id. `say` puts a page into the inbox. */
export const startNetwork = async (token) => {
  const pages = new Map();
  const inbox = [];
  const reads = [];
  let acknowledged = 0;
  let isSilent = false;
  let held; // pages are answered when it resolves

  const put = (entry) => inbox.push({ n: inbox.length + 1, ...entry });
  const take = ({ to, text, id }) => {
    if (typeof text !== "string" || text === "" || typeof id !== "string")
      return [400, { error: "text and id are texts" }];
    if (!PEOPLE.has(to)) return [404, { error: "nobody has this pager" }];
    if (!pages.has(id)) {
      pages.set(id, { to, text });
      put({ kind: "state", id, from: to, state: "delivered", at: 1_795_000_100_000 });
      put({ kind: "state", id, from: to, state: "read", at: 1_795_000_100_001 });
    }
    return [200, { id }];
  };
  const answerTo = (method, url, body) => {
    const { pathname, searchParams } = new URL(url, "http://pager");
    if (method === "GET" && pathname === "/v1/account") return [200, { callsign: "PADARIA" }];
    if (method === "POST" && pathname === "/v1/pages") return take(body);
    if (method === "POST" && pathname === "/v1/read") return [200, { ok: reads.push(body.id) > 0 }];
    if (method !== "GET" || pathname !== "/v1/inbox") return [404, { error: "no such path" }];
    const after = Number(searchParams.get("after"));
    acknowledged = Math.max(acknowledged, after);
    return [200, { entries: inbox.filter(({ n }) => n > after).slice(0, 50) }];
  };
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    if (request.url === "/v1/pages") await held?.promise;
    const isKnown = request.headers.authorization === `Bearer ${token}`;
    const [status, body] = isKnown
      ? answerTo(request.method, request.url, text && JSON.parse(text))
      : [401, { error: "who?" }];
    if (isSilent && request.url === "/v1/pages") {
      isSilent = false;
      request.socket.destroy();
      return;
    }
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    pages,
    reads,
    acknowledged: () => acknowledged,
    say: ({ id, from, name, text, at }) => put({ kind: "page", id, from, name, text, at }),
    hold() {
      held = Promise.withResolvers();
    },
    release() {
      held?.resolve();
      held = undefined;
    },
    failNext() {
      isSilent = true;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
