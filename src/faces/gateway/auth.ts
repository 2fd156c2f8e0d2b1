import { Elysia } from "elysia";
import { KNOWLEDGE_MAX_BYTES } from "../../core/ai/knowledge-files.ts";
import { unpaidInvoices } from "../../core/billing/invoices.ts";
import { isProcessorToken } from "../../core/billing/processor-events.ts";
import { RECORDING_MAX_BYTES } from "../../core/calls/recordings.ts";
import { accountRefusal } from "../../core/tenancy/accounts.ts";
import { adminAccess } from "../../core/tenancy/admin-token.ts";
import type { Actor } from "../../core/tenancy/audit.ts";
import { mayComeFrom, recogniseKey } from "../../core/tenancy/keys.ts";
import { allowAccount, allowAddress, forgeriesOf, noteForgery, secondsUntilReset } from "../../core/tenancy/limits.ts";
import { isSameSecret } from "../../kernel/crypto.ts";
import { AppError } from "../../kernel/errors.ts";
import { newId, type TenantId } from "../../kernel/ids.ts";
import { actingAs, type FaceEnv } from "../shared/face-env.ts";
import { isPlainPath, NOT_PLAIN } from "../shared/paths.ts";
import { addressOf, isTooLarge, MAX_BODY_BYTES, MAX_LONG_BODY_BYTES, MAX_WEBHOOK_BYTES, pathBelow, requestIdOf } from "../shared/request.ts";
import { faultResponse, refuse } from "./errors.ts";
import { isWithinLimits, limitsOf } from "./scopes.ts";

/** Whose request it is: the account of its API key. */
export type Principal = { tenantId: TenantId; presentedKey: string; actor: Actor };

const principals = new WeakMap<Request, Principal>();
const administrators = new WeakMap<Request, Actor>();

/** Throws when a protected route was reached without authentication: a bug, never a client's fault. */
const principalOf = (request: Request): Principal => {
  const principal = principals.get(request);
  if (!principal) throw new Error("a protected route was reached without a principal");
  return principal;
};

/** What needs no API key. Everything else under /v1 does, also what does not exist. */
const PUBLIC = new Set(["/health", "/health/ready", "/versao", "/openapi.json", "/v1/upstream-webhook", "/v1/payment-webhook"]);
const FLOW_EXCHANGE = /^\/v1\/flows\/data-exchange\/[^/]+\/?$/;
const CHANNEL_WEBHOOK = /^\/v1\/upstream-webhook\/[^/]+\/?$/;
const isPublic = (path: string): boolean => PUBLIC.has(path) || CHANNEL_WEBHOOK.test(path) || !(path === "/v1" || path.startsWith("/v1/")) || FLOW_EXCHANGE.test(path);
const isAdmin = (path: string): boolean => path === "/v1/admin" || path.startsWith("/v1/admin/");
/** The routes whose bodies may be larger than others'. */
const LARGER_BODIES: readonly (readonly [RegExp, number])[] = [
  [/^\/v1\/upstream-webhook(\/[^/]+)?\/?$/, MAX_WEBHOOK_BYTES],
  [/^\/v1\/ai\/summary\/?$/, MAX_LONG_BODY_BYTES],
  [/^\/v1\/phones\/[^/]+\/ai-agent\/knowledge\/?$/, MAX_LONG_BODY_BYTES],
  [/^\/v1\/phones\/[^/]+\/ai-agent\/knowledge\/files\/?$/, KNOWLEDGE_MAX_BYTES],
  [/^\/v1\/calls\/[^/]+\/recording\/?$/, RECORDING_MAX_BYTES],
];
const maxBytesOf = (path: string): number => LARGER_BODIES.find(([route]) => route.test(path))?.[1] ?? MAX_BODY_BYTES;
const isSend = (request: Request, path: string): boolean => request.method === "POST" && path.replace(/\/$/, "") === "/v1/messages";

/**
 * The frame of every request: its id; then who asks, the account's state, its limits and the key's, all before the body is read. First of
 * all hooks, and on the whole face. `scopeOf`: the scope that a request needs.
 */
export const requestFrame = (env: FaceEnv, prefix: string, scopeOf: (request: Request) => string | undefined) =>
  new Elysia({ name: "gateway.frame" }).onRequest(async ({ request, set }) => {
    const requestId = requestIdOf(request, () => newId(env));
    set.headers["x-request-id"] = requestId;
    const path = pathBelow(prefix, request);
    if (!isPlainPath(request)) return faultResponse(NOT_PLAIN, true);
    if (isTooLarge(request, maxBytesOf(path))) return refuse("PAYLOAD_TOO_LARGE");
    if (isPublic(path)) return refusalOfCaller(env, request, path);
    if (isAdmin(path)) return refusalOfAdmin(env, request);
    const refusal = (await authenticate(env, request, { isSend: isSend(request, path), scope: scopeOf(request) })) ?? refusalOfNoPhone(request, path);
    return refusal ?? env.elsewhere?.({ request, path, requestId });
  });

const PROCESSOR_TOKENS = ["asaas-access-token", "x-processor-access-token"];
/** The processor's own header, and the one that our document names. */
const presentsToken = (env: FaceEnv, { headers }: Request): boolean => PROCESSOR_TOKENS.map((name) => isProcessorToken(env, headers.get(name) ?? "")).includes(true);

const isReceiver = (path: string): boolean => path === "/v1/upstream-webhook" || CHANNEL_WEBHOOK.test(path) || FLOW_EXCHANGE.test(path);

/** What a receiver's caller is refused for by its headers alone, before its body is read. */
const refusalOfCaller = (env: FaceEnv, request: Request, path: string): Response | undefined => {
  if (request.method !== "POST") return undefined;
  if (path === "/v1/payment-webhook") {
    if (!presentsToken(env, request)) return refuseStranger(env, request, "AUTH_INVALID");
    env.intake.trust(request);
    return undefined;
  }
  const forgeries = isReceiver(path) ? forgeriesOf(env, addressOf(request)) : undefined;
  return forgeries?.isExceeded ? refuse("RATE_LIMITED", { "Retry-After": String(secondsUntilReset(env, forgeries)) }) : undefined;
};

/** Files are given to the network of a phone, which a header names. */
const refusalOfNoPhone = ({ method, headers }: Request, path: string): Response | undefined =>
  method !== "GET" && /^\/v1\/media\/(upload|upstream)(\/|$)/.test(path) && !headers.get("x-phone-id")?.trim() ? refuse("MISSING_PHONE_ID") : undefined;

const refusalOfAdmin = async (env: FaceEnv, request: Request): Promise<Response | undefined> => {
  const given = request.headers.get("x-admin-token");
  const isLocal = given !== null && isSameSecret(given, env.localToken);
  const access = isLocal ? "open" : await adminAccess(env, given);
  if (access === "open") {
    env.intake.trust(request);
    administrators.set(request, { name: isLocal ? "local" : "admin", address: addressOf(request) });
    return undefined;
  }
  return access === "disabled" ? refuse("ADMIN_DISABLED") : refuseStranger(env, request, "ADMIN_FORBIDDEN");
};

type Asked = { isSend: boolean; scope: string | undefined };

/** Undefined when the request may go on as its account's; else the refusal. The order: key, its addresses, account, limit, the key's scopes. */
const authenticate = async (env: FaceEnv, request: Request, asked: Asked): Promise<Response | undefined> => {
  const presented = request.headers.get("x-api-key");
  if (!presented) return refuseStranger(env, request, "AUTH_MISSING");
  const found = await recogniseKey(env, "gateway", presented);
  if (!found) return refuseStranger(env, request, "AUTH_INVALID");
  if (found.state !== "valid") return refuseStranger(env, request, found.state === "revoked" ? "AUTH_REVOKED" : "AUTH_EXPIRED");
  const { tenant, key } = found;
  if (!mayComeFrom(key, addressOf(request))) return refuseStranger(env, request, "KEY_ADDRESS_FORBIDDEN", { address: addressOf(request) });
  const code = accountRefusal(tenant);
  if (code) return code === "ACCOUNT_SUSPENDED" ? refuseSuspended(env, tenant.id) : refuse(code);
  const allowance = allowAccount(env, tenant.id, asked.isSend);
  if (allowance.isExceeded) return refuse("RATE_LIMITED", { "Retry-After": String(secondsUntilReset(env, allowance)) });
  env.keyUse.note(key.id);
  const limits = limitsOf({ permissions: key.permissions, isReadOnly: key.isReadOnly });
  if (limits && !isWithinLimits(limits, asked.scope)) return refuse("KEY_SCOPE_MISSING", {}, { scope: asked.scope ?? null, readOnly: key.isReadOnly });
  env.intake.trust(request);
  principals.set(request, { tenantId: tenant.id, presentedKey: presented, actor: { name: `key:${key.id}`, address: addressOf(request) } });
  return undefined;
};

/** A suspended account can call nothing, so that the refusal itself says what is to be paid, and where. */
const refuseSuspended = async (env: FaceEnv, tenantId: TenantId): Promise<Response> => {
  const invoices = (await unpaidInvoices(env, { tenantId })).map(({ id, totalCents, dueDate, gatewayInvoiceUrl, pixCopyPaste }) => ({
    id,
    totalCents,
    dueDate,
    gatewayInvoiceUrl,
    pixCopyPaste,
  }));
  return refuse("ACCOUNT_SUSPENDED", {}, { invoices });
};

/** What fails authentication is limited by its address, so that keys and tokens cannot be guessed at leisure. */
export const refuseStranger = (
  env: FaceEnv,
  request: Request,
  code: "AUTH_MISSING" | "AUTH_INVALID" | "AUTH_REVOKED" | "AUTH_EXPIRED" | "KEY_ADDRESS_FORBIDDEN" | "ADMIN_FORBIDDEN" | "FORBIDDEN",
  details: object = {},
): Response => {
  const allowance = allowAddress(env, { at: "gateway", address: addressOf(request), perMinute: env.rates.gatewayPerMinute });
  return allowance.isExceeded ? refuse("RATE_LIMITED", { "Retry-After": String(secondsUntilReset(env, allowance)) }) : refuse(code, {}, details);
};

/** Counts a refusal for a wrong signature by the address that it came from, and hands it on. */
export const notingForgery = (env: FaceEnv, request: Request, refusal: unknown): unknown => {
  const isForgery = refusal instanceof AppError && (refusal.code === "SIGNATURE_REFUSED" || refusal.code === "FLOW_SIGNATURE_REFUSED");
  if (isForgery) noteForgery(env, addressOf(request));
  return refusal;
};

/** The env as the administrator who asks has it. */
export const asAdmin = (env: FaceEnv, request: Request): FaceEnv => {
  const actor = administrators.get(request);
  if (!actor) throw new Error("a route of the administrator was reached without one");
  return actingAs(env, { actor });
};

/** Gives handlers their principal. */
export const gatewayAuth = () => new Elysia({ name: "gateway.auth" }).derive({ as: "scoped" }, ({ request }) => ({ principal: principalOf(request) }));
export type GatewayAuth = ReturnType<typeof gatewayAuth>;
