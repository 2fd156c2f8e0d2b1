import { expect } from "bun:test";
import { hmacSha256 } from "../../../src/kernel/crypto.ts";

/** A webhook as it arrived at a program. */
export type Post = { raw: string; body: any; headers: Record<string, string> };

/** A program that speaks to the Cloud API: takes the handshake, and keeps the webhooks. */
export type CloudProgram = {
  url: string;
  verifyToken: string;
  posts: Post[];
  /** The queries of the handshakes. */
  handshakes: URLSearchParams[];
  /** Sets its answer to webhooks from now on. */
  answer(answer: (post: Post) => Response | Promise<Response>): void;
  /** Sets its answer to handshakes from now on. */
  shake(shake: (query: URLSearchParams) => Response): void;
  /** The values of a field's changes, oldest first. */
  values(field?: string): any[];
  messages(): any[];
  statuses(): any[];
  stop(): Promise<void>;
};

export const startProgram = (path = "/webhook"): CloudProgram => {
  const verifyToken = "the-token-of-the-program";
  const posts: Post[] = [];
  const handshakes: URLSearchParams[] = [];
  let answer: (post: Post) => Response | Promise<Response> = () => new Response("ok");
  let shake = (query: URLSearchParams): Response =>
    query.get("hub.mode") === "subscribe" && query.get("hub.verify_token") === verifyToken
      ? new Response(query.get("hub.challenge"))
      : new Response("no", { status: 403 });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      if (request.method === "GET") {
        const query = new URL(request.url).searchParams;
        handshakes.push(query);
        return shake(query);
      }
      const raw = await request.text();
      const post = { raw, body: JSON.parse(raw), headers: Object.fromEntries(request.headers) };
      posts.push(post);
      return answer(post);
    },
  });
  const values = (field?: string) =>
    posts
      .flatMap(({ body }) => body.entry.flatMap(({ changes }: any) => changes))
      .filter((change: any) => field === undefined || change.field === field)
      .map(({ value }: any) => value);
  return {
    url: `http://127.0.0.1:${server.port}${path}`,
    verifyToken,
    posts,
    handshakes,
    answer: (next) => void (answer = next),
    shake: (next) => void (shake = next),
    values,
    messages: () => values("messages").flatMap(({ messages = [] }) => messages),
    statuses: () => values("messages").flatMap(({ statuses = [] }) => statuses),
    stop: () => server.stop(true),
  };
};

/**
 * Checks the rules for every webhook of this API: one entry, one change, one message or status; ASCII; the signature.
 */
export const expectMetaShape = ({ raw, body, headers }: Post, secret?: string): void => {
  expect(raw).toMatch(/^[ -~]*$/);
  expect(body.object).toBe("whatsapp_business_account");
  expect(body.entry).toHaveLength(1);
  expect(body.entry[0].changes).toHaveLength(1);
  const [{ value, field }] = body.entry[0].changes;
  if (field === "messages") {
    expect([...(value.messages ?? []), ...(value.statuses ?? [])]).toHaveLength(1);
    expect(value.messaging_product).toBe("whatsapp");
  }
  if (secret !== undefined) expect(headers["x-hub-signature-256"]).toBe(`sha256=${hmacSha256(secret, raw, "hex")}`);
};
