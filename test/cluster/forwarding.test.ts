import { afterEach, describe, expect, test } from "bun:test";
import { createHttp } from "../../src/adapters/http/http.ts";
import { createBodyIntake, TooLarge } from "../../src/apis/shared/http/body-intake.ts";
import { addressOf } from "../../src/apis/shared/http/request.ts";
import {
  COMMON_ROUTE_OPTIONS,
  type CommonRouteOptions,
  linkOf,
  routeOptionsOf,
  routeTable,
} from "../../src/apis/shared/route-table.ts";
import { seededRandom } from "../../src/conformance/seeded-random.ts";
import { createForwarding } from "../../src/forwarding.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { secretsOf } from "../../src/kernel/crypto.ts";
import { createLog } from "../../src/kernel/log.ts";
import { rangesOf } from "../../src/kernel/network/networks.ts";
import { type Listener, listen, routeBetween } from "../../src/listener.ts";

const ID = "0192a3b4-c5d6-4e7f-8a9b-0c1d2e3f4a5b";
const listeners: Listener[] = [];
afterEach(async () => {
  for (const one of listeners.splice(0)) await one.stop(0);
});

const NEED_LINK = [
  ["GET", "/v1/phones/:id/qrcode"],
  ["GET", "/v1/phones/:id/pairing-code"],
  ["POST", "/v1/phones/:id/pairing-code"],
  ["POST", "/v1/phones/:id/logout"],
  ["POST", "/v1/phones/:id/reconnect"],
  ["POST", "/v1/phones/:id/rotate-token"],
  ["DELETE", "/v1/phones/:id"],
  ["DELETE", "/v1/channels/:id"],
  ["POST", "/v1/channels/:id/connect"],
  ["POST", "/v1/channels/:id/disconnect"],
] as const;
/** Routes of both APIs as they are declared: which state this is checked in test/apis/shared/description/route-options.test.ts. */
const ROUTES = routeTable<CommonRouteOptions>(
  [
    ...NEED_LINK.map(([method, path]) => ({
      method,
      path,
      hooks: { detail: routeOptionsOf<CommonRouteOptions>()({ link: "required" }) },
    })),
    {
      method: "POST",
      path: "/v1/bulk/validate",
      hooks: { detail: routeOptionsOf<CommonRouteOptions>()({ link: "optional" }) },
    },
  ],
  "",
  { unrouted: () => COMMON_ROUTE_OPTIONS, wrongMethod: () => COMMON_ROUTE_OPTIONS },
);

type Seen = { node: string; method: string; url: string; from: string; body: string; headers: Headers };
type Away = { url: string | null } | undefined;

/** Nodes with the gateway on a host of its own and the platform below a path, which show what reached them. */
const startNodes = (options: { masterKey?: number } = {}) => {
  const seen: Seen[] = [];
  const http = createHttp({ allow: [], extraCa: undefined });
  const startNode = (
    node: string,
    holderOf: () => Away,
    masterKey = 1,
    answer: (seen: Seen) => Response | Promise<Response> = () => Response.json({ node }, { status: 201 }),
  ) => {
    const handle = async (request: Request, path: string) => {
      try {
        const link = linkOf(ROUTES.find(request.method, path));
        const other = link && (await forwarding.elsewhere({ request, requestId: "the-request", link }));
        if (other) return other;
      } catch (error) {
        return Response.json({ fault: error instanceof TooLarge ? "too-large" : "refused" }, { status: 503 });
      }
      const one = {
        node,
        method: request.method,
        url: request.url,
        from: addressOf(request),
        body: await request.text(),
        headers: request.headers,
      };
      seen.push(one);
      return answer(one);
    };
    const secrets = secretsOf(new Uint8Array(32).fill(masterKey), seededRandom(1));
    const intake = createBodyIntake({ budgetBytes: 64 * 1024 * 1024, timeoutMs: 10_000 }, systemClock());
    const forwarding = createForwarding({
      holderOf: async () => holderOf(),
      ask: http.trusted,
      secrets,
      intake,
      log: createLog("silent"),
    });
    const mounts = [
      { host: "gateway.example.com", prefix: "" },
      { host: undefined, prefix: "/platform" },
    ].map((mount) => ({
      ...mount,
      handle: (request: Request, pathname: string) => handle(request, pathname.slice(mount.prefix.length)),
    }));
    const listener = listen(
      { host: "127.0.0.1", port: 0, isTrusted: rangesOf(["127.0.0.1"]) },
      () => forwarding.within(routeBetween(mounts)),
      systemClock(),
    );
    listeners.push(listener);
    return `http://127.0.0.1:${listener.port}`;
  };
  const owner = startNode("owner", () => ({ url: "http://127.0.0.1:1" }), options.masterKey);
  return { seen, owner, startNode };
};

const ask = (url: string, path: string, init: RequestInit = {}) =>
  fetch(url + path, {
    ...init,
    headers: {
      host: path.startsWith("/platform") ? "localhost" : "gateway.example.com",
      ...(init.headers as Record<string, string>),
    },
  });

describe("a request about a channel that another node has", () => {
  test("is answered by that node as if it had come there: address, host, headers and body, and its answer comes back whole", async () => {
    const { seen, owner, startNode } = startNodes();
    const url = startNode("asked", () => ({ url: owner }));
    const body = JSON.stringify({ phoneNumber: "+5511999990001" });
    const answer = await ask(url, `/v1/phones/${ID}/pairing-code?a=b%20c`, {
      method: "POST",
      body,
      headers: { "x-api-key": "ak_live_1", "content-type": "application/json", "x-forwarded-for": "203.0.113.7" },
    });
    expect([answer.status, await answer.json()]).toEqual([201, { node: "owner" }]);
    expect(seen.map(({ node, method, url: at, from, body: text }) => [node, method, at, from, text])).toEqual([
      ["owner", "POST", `http://gateway.example.com/v1/phones/${ID}/pairing-code?a=b%20c`, "203.0.113.7", body],
    ]);
    expect(["x-api-key", "x-request-id"].map((name) => seen[0]?.headers.get(name))).toEqual([
      "ak_live_1",
      "the-request",
    ]);
  });

  test("may be a HEAD, which that node answers as a GET: the head comes back, without a body", async () => {
    const { seen, owner, startNode } = startNodes();
    const answer = await ask(
      startNode("asked", () => ({ url: owner })),
      `/v1/phones/${ID}/qrcode`,
      { method: "HEAD" },
    );
    expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
      201,
      "application/json;charset=utf-8",
      "",
    ]);
    expect(seen.map(({ node, method }) => [node, method])).toEqual([["owner", "GET"]]);
  });

  test.each([
    ["GET", `/v1/phones/${ID}/qrcode`],
    ["GET", `/v1/phones/${ID}/pairing-code`],
    ["POST", `/v1/phones/${ID}/logout`],
    ["POST", `/v1/phones/${ID}/reconnect`],
    ["POST", `/v1/phones/${ID}/rotate-token`],
    ["DELETE", `/v1/phones/${ID}`],
    ["DELETE", `/platform/v1/channels/${ID}`],
    ["POST", `/platform/v1/channels/${ID}/connect`],
    ["POST", `/platform/v1/channels/${ID}/disconnect`],
  ])("%s %s goes there", async (method, path) => {
    const { seen, owner, startNode } = startNodes();
    await ask(
      startNode("asked", () => ({ url: owner })),
      path,
      { method },
    );
    expect(seen.map(({ node }) => node)).toEqual(["owner"]);
  });

  test.each([
    ["GET", `/v1/phones/${ID}`],
    ["POST", "/v1/messages"],
    ["GET", `/v1/phones/${ID}/ai-agent`],
    ["POST", "/v1/phones/waba/embedded-signup"],
    ["GET", `/platform/v1/channels/${ID}`],
    ["POST", `/platform/v1/channels/${ID}/messages/text`],
  ])("%s %s, which needs no link, is answered where it came", async (method, path) => {
    const { seen, owner, startNode } = startNodes();
    await ask(
      startNode("asked", () => ({ url: owner })),
      path,
      { method },
    );
    expect(seen.map(({ node }) => node)).toEqual(["asked"]);
  });

  test("goes there by the channel that its body names: what its numbers are known to be only its link can say", async () => {
    const { seen, owner, startNode } = startNodes();
    const url = startNode("asked", () => ({ url: owner }));
    for (const body of [
      JSON.stringify({ numbers: ["5511999990001"], channelId: ID }),
      JSON.stringify({ numbers: ["5511999990001"] }),
      "{",
    ])
      await ask(url, "/platform/v1/bulk/validate", { method: "POST", body });
    expect(seen.map(({ node, body }) => [node, body])).toEqual([
      ["owner", `{"numbers":["5511999990001"],"channelId":"${ID}"}`],
      ["asked", '{"numbers":["5511999990001"]}'],
      ["asked", "{"],
    ]);
    await ask(
      startNode("alone", () => ({ url: null })),
      "/platform/v1/bulk/validate",
      { method: "POST", body: JSON.stringify({ numbers: [], channelId: ID }) },
    );
    expect(seen.at(-1)?.node).toBe("alone"); // with less
  });

  test("is answered where it came when nobody else has the channel", async () => {
    const { seen, startNode } = startNodes();
    await ask(
      startNode("asked", () => undefined),
      `/v1/phones/${ID}/qrcode`,
    );
    expect(seen.map(({ node }) => node)).toEqual(["asked"]);
  });

  test("is refused, to be asked again, when that node does not answer, or cannot be reached by others", async () => {
    const { seen, startNode } = startNodes();
    for (const url of ["http://127.0.0.1:1", null]) {
      const answer = await ask(
        startNode("asked", () => ({ url })),
        `/v1/phones/${ID}/qrcode`,
      );
      expect([answer.status, await answer.json()]).toEqual([503, { fault: "refused" }]);
    }
    expect(seen).toEqual([]);
  });

  test("is forwarded once: between two nodes that each believe that the other has it, the second answers", async () => {
    const { seen, startNode } = startNodes();
    let first: Away;
    const second = startNode("second", () => first);
    first = { url: startNode("first", () => ({ url: second })) };
    await ask(first.url ?? "", `/v1/phones/${ID}/qrcode`);
    expect(seen.map(({ node }) => node)).toEqual(["second"]);
  });

  test("is refused when its body is larger than any that may come, and goes nowhere", async () => {
    const { seen, owner, startNode } = startNodes();
    const answer = await ask(
      startNode("asked", () => ({ url: owner })),
      `/v1/phones/${ID}/logout`,
      { method: "POST", body: "x".repeat(1024 * 1024 + 1) },
    );
    expect([answer.status, await answer.json(), seen]).toEqual([503, { fault: "too-large" }, []]);
  });
});

describe("what a client says of a forwarding", () => {
  test.each([
    ["a-guess"],
    [""],
    [
      Buffer.from(secretsOf(new Uint8Array(32).fill(9), seededRandom(1)).derive("node-forwarding")).toString(
        "base64url",
      ),
    ],
  ])(
    "with the token %p is not believed: not its address, not its URL, and it is forwarded as any other",
    async (token) => {
      const { seen, owner, startNode } = startNodes();
      const url = startNode("asked", () => ({ url: owner }));
      const forged = {
        "x-recado-node": token,
        "x-recado-client": "198.51.100.1",
        "x-recado-url": `http://gateway.example.com/v1/phones/${ID}`,
      };
      await ask(url, "/v1/messages", { headers: forged });
      await ask(url, `/v1/phones/${ID}/qrcode`, { headers: forged });
      expect(seen.map(({ node, url: at, from }) => [node, new URL(at).pathname, from])).toEqual([
        ["asked", "/v1/messages", "127.0.0.1"],
        ["owner", `/v1/phones/${ID}/qrcode`, "127.0.0.1"],
      ]);
    },
  );

  test("is not believed by a node with another master key either", async () => {
    const { seen, owner, startNode } = startNodes({ masterKey: 2 });
    const url = startNode("asked", () => ({ url: owner }));
    const answer = await ask(url, `/v1/phones/${ID}/qrcode`, { headers: { "x-forwarded-for": "203.0.113.7" } });
    expect(answer.status).not.toBe(201);
    expect(seen).toEqual([]);
  });
});
