import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { logoutChannel, reconnectChannel } from "../../core/channels/connection.ts";
import { getPairingCode, getQrCode, requestPairingCode } from "../../core/channels/pairing.ts";
import { OneOf, PhoneNumber } from "../../kernel/schema.ts";
import { actingAs } from "../shared/api-env.ts";
import { qrPng } from "../shared/qr.ts";
import type { GatewayAuth } from "./auth.ts";
import type { GatewayEnv } from "./env.ts";
import { routeOptions } from "./route-options.ts";
import { Instant, NOT_YET, REFUSALS } from "./schemas.ts";

const Hint = Type.Object(
  {
    code: Type.String({ description: "Such as SCAN_AGAIN or PASSKEY_REQUIRED" }),
    en: Type.String(),
    pt: Type.String(),
    retryAt: Type.Optional(Instant),
  },
  { description: "What the person who links the phone has to know; absent where there is nothing" },
);
const QrView = Type.Object({
  qr: Type.String(),
  dataUrl: Type.String({ description: "The code as a PNG, a base64 data URL" }),
  hint: Type.Optional(Hint),
});
const CodeView = Type.Object({ code: Type.String(), formatted: Type.String(), hint: Type.Optional(Hint) });

/** A pairing code gives control of the phone, so reading it needs the scope to write. */
const TAKES_OVER = { "x-scope": "phones.write" };
const NOT_STORED = { "cache-control": "no-store" };

/** Connecting, disconnecting and pairing of a phone. */
export const pairing = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"] })
    .use(auth)
    .get(
      "/:id/qrcode",
      async ({ principal, params, set }) => {
        const { text, hint } = await getQrCode(env, principal, params.id);
        Object.assign(set.headers, NOT_STORED);
        return { qr: text, dataUrl: await qrPng(text), ...(hint ? { hint } : {}) };
      },
      {
        response: { 200: QrView, 425: NOT_YET, ...REFUSALS },
        detail: {
          ...TAKES_OVER,
          ...routeOptions({ link: "required" }),
          operationId: "getQrCode",
          summary: "The QR code of a session that waits to be paired; ask every 1-2 seconds",
        },
      },
    )
    .get(
      "/:id/pairing-code",
      async ({ principal, params, set }) => {
        const { code, hint } = await getPairingCode(env, principal, params.id);
        Object.assign(set.headers, NOT_STORED);
        return { code, formatted: `${code.slice(0, 4)}-${code.slice(4)}`, ...(hint ? { hint } : {}) };
      },
      {
        response: { 200: CodeView, 425: NOT_YET, ...REFUSALS },
        detail: {
          ...TAKES_OVER,
          ...routeOptions({ link: "required" }),
          operationId: "getPairingCode",
          summary: "The code to type on the phone instead of scanning",
        },
      },
    )
    .post(
      "/:id/pairing-code",
      async ({ principal, params, body, status }) => {
        const phoneNumber = await requestPairingCode(env, principal, params.id, body.phoneNumber);
        return status(202, { status: "pending", phoneNumber });
      },
      {
        body: Type.Object({ phoneNumber: PhoneNumber({ min: 8, max: 20, takesBarePlus: true }) }),
        response: {
          202: Type.Object({ status: OneOf(["pending"]), phoneNumber: Type.String() }),
          425: NOT_YET,
          ...REFUSALS,
        },
        detail: {
          ...routeOptions({ link: "required" }),
          operationId: "createPairingCode",
          summary: "Have a code made to type on the phone instead of scanning",
        },
      },
    )
    .post(
      "/:id/logout",
      async ({ principal, params, status }) => {
        await logoutChannel(actingAs(env, principal), principal, params.id);
        return status(202, { status: "logging_out" });
      },
      {
        response: { 202: Type.Object({ status: OneOf(["logging_out"]) }), ...REFUSALS },
        detail: {
          ...routeOptions({ link: "required" }),
          operationId: "logoutPhone",
          summary: "End a phone's connection; a session waits to be paired anew",
        },
      },
    )
    .post(
      "/:id/reconnect",
      async ({ principal, params, status }) => {
        await reconnectChannel(env, principal, params.id);
        return status(202, { status: "reconnecting" });
      },
      {
        response: { 202: Type.Object({ status: OneOf(["reconnecting"]) }), ...REFUSALS },
        detail: {
          ...routeOptions({ link: "required" }),
          operationId: "reconnectPhone",
          summary: "Connect a phone anew with the credentials it has",
        },
      },
    );
