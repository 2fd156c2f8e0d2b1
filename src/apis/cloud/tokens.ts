import { Elysia } from "elysia";
import { recogniseKey } from "../../core/tenancy/keys/keys.ts";
import { SECOND_MS } from "../../kernel/clock.ts";
import { requiredText } from "../shared/loose-fields.ts";
import type { CloudAuth } from "./auth.ts";
import { paramsOf } from "./bodies.ts";
import type { CloudEnv } from "./env.ts";

const SCOPES = ["whatsapp_business_management", "whatsapp_business_messaging"];
const secondsOf = (atMs: number | null): number => (atMs === null ? 0 : Math.floor(atMs / SECOND_MS));

/** The details of a token. A client may ask only for its own token; any other token is reported as invalid. */
export const tokens = (env: CloudEnv, auth: CloudAuth) =>
  new Elysia().use(auth).get("/:version/debug_token", async ({ principal, request }) => {
    const { number, keyId } = principal;
    const found = await recogniseKey(env, "cloud", requiredText(await paramsOf(env, request), "input_token"));
    if (found?.key.id !== keyId) return { data: { is_valid: false, scopes: [] } };
    return {
      data: {
        app_id: number.appId,
        type: "SYSTEM_USER",
        application: "Recado",
        data_access_expires_at: 0,
        expires_at: secondsOf(found.key.expiresAt),
        is_valid: true,
        issued_at: secondsOf(found.key.createdAt),
        scopes: SCOPES,
        granular_scopes: SCOPES.map((scope) => ({ scope, target_ids: [number.accountId] })),
        user_id: number.appId,
      },
    };
  });
