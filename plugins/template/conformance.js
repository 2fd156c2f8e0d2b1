// The network, simulated, for `recado plugin test`. It is made anew for every law.
import { createServer } from "node:http";

const TOKEN = "token-of-the-test";
const SECRET = "secret-of-the-webhook";

export default async () => {
  let next = 0;
  let isRefusing = false; // the token is no longer good
  let isSilent = false; // the next message is taken, and no answer is given
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const answer = (status, body) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (isRefusing || request.headers.authorization !== `Bearer ${TOKEN}`)
      return answer(401, { error: "who are you?" });
    if (request.url === "/me") return answer(200, { name: "Padaria" });
    if (request.url === "/webhook") return answer(200, {});
    if (request.url !== "/messages") return answer(404, { error: "there is no such path" });
    const { to, text } = JSON.parse(Buffer.concat(chunks).toString());
    if (typeof to !== "string" || typeof text !== "string") return answer(400, { error: "to and text are texts" });
    next += 1;
    if (!isSilent) return answer(200, { id: `msg-${next}` });
    isSilent = false;
    request.socket.destroy();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });

  const events = [
    { kind: "message", id: "in-1", at: 1_795_000_000_000, from: "ana7", name: "Ana", text: "oi" },
    { kind: "message", id: "in-2", at: 1_795_000_001_000, from: "ana7", name: "Ana", text: "tudo bem?" },
    { kind: "status", id: "msg-1", at: 1_795_000_002_000, from: "ana7", status: "delivered" },
  ];
  return {
    settings: { API_URL: `http://127.0.0.1:${server.address().port}` },
    vault: { token: TOKEN, webhookSecret: SECRET },
    secrets: [TOKEN, SECRET],
    recipient: "ana7",
    wrongRecipients: ["", "a", "ana maria", "+55 11 99999-0001"],
    makeUnknowable() {
      isSilent = true;
      return "ana7";
    },
    refuseToken() {
      isRefusing = true;
    },
    makeUnreachable: stop,
    webhook: {
      rawBody: JSON.stringify({ events }),
      headers: new Headers({ "x-@NAME@-secret": SECRET }),
      keys: ["in-1", "in-2", "msg-1"],
    },
    close: stop,
  };
};
