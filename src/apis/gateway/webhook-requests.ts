import type { WebhookAnswer, WebhookHead } from "../../contract/webhooks.ts";
import { pathOf } from "../shared/http/request.ts";
import type { GatewayEnv } from "./env.ts";

/** A request of a network as adapters get it. Its URL is the public one, behind whichever proxy this server is. */
export const webhookHeadOf = (env: GatewayEnv, request: Request): WebhookHead => {
  const { origin } = new URL(env.gatewayUrl());
  const start = request.url.indexOf("?");
  const search = start < 0 ? "" : request.url.slice(start);
  return {
    method: request.method,
    url: `${origin}${pathOf(request)}${search}`,
    query: new URLSearchParams(search),
    headers: request.headers,
    receivedAt: env.clock.now(),
  };
};

const BODILESS: ReadonlySet<number> = new Set([204, 205]);
/** A browser must not run what an adapter answers: this may be the console's origin. */
const SHOWN_ONLY = { "content-security-policy": "default-src 'none'; sandbox", "x-content-type-options": "nosniff" };

/** The answer of an adapter to its network. */
export const webhookResponse = ({ status = 200, contentType = "application/json", body }: WebhookAnswer): Response =>
  new Response(BODILESS.has(status) ? null : body, {
    status,
    headers: { "content-type": contentType, ...SHOWN_ONLY },
  });
