import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { logoutChannel, reconnectChannel } from "../../../core/channels/links/connection.ts";
import { getPairingCode, getQrCode, requestPairingCode } from "../../../core/channels/pairing/pairing.ts";
import { PAIRING_STATES, pairingOfChannel } from "../../../core/channels/pairing/pairing-view.ts";
import { SECOND_MS } from "../../../kernel/clock.ts";
import { queryNumber } from "../../../kernel/page.ts";
import { Nullable, OneOf, PhoneNumber } from "../../../kernel/schema.ts";
import { describedAs } from "../../shared/description/json-schema.ts";
import { awaitedPairing, MAX_WAIT_SECONDS, shownPairing } from "../../shared/pairing.ts";
import { qrPng } from "../../shared/qr.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { Hint } from "../events/event-schemas/parts.ts";
import { routeOptions } from "../route-options.ts";
import { NOT_YET, REFUSALS } from "../schemas.ts";

const QrView = Type.Object(
  {
    qr: Type.String(),
    dataUrl: Type.String({ description: "The code as a PNG, a base64 data URL" }),
    hint: Type.Optional(Hint),
  },
  { title: "QrCode" },
);
const CodeView = Type.Object(
  { code: Type.String(), formatted: Type.String(), hint: Type.Optional(Hint) },
  { title: "PairingCode" },
);

const MAX_CODE_WAIT_SECONDS = 30;
const Waiting = Type.Object({
  wait: Type.Optional(
    Type.String({
      ...describedAs({ type: "integer", minimum: 0, maximum: MAX_CODE_WAIT_SECONDS, default: 0 }),
      description: "Seconds to wait for the code. Without it a code that is not ready is refused at once.",
    }),
  ),
});
/** One object at all times: its fields are null where there is nothing. */
const PairingViewSchema = Type.Object(
  {
    version: Type.String(),
    state: OneOf(PAIRING_STATES, { title: "PairingState" }),
    qr: Nullable(Type.String()),
    dataUrl: Nullable(Type.String()),
    code: Nullable(Type.String()),
    hint: Nullable(Hint),
    passkeyUrl: Nullable(Type.String()),
  },
  { title: "Pairing" },
);

const waitMsOf = ({ wait }: Static<typeof Waiting>): number =>
  queryNumber("wait", wait, { fallback: 0, min: 0, max: MAX_CODE_WAIT_SECONDS }) * SECOND_MS;

/** A pairing code gives control of the phone, so reading it needs the scope to write. */
const TAKES_OVER = { "x-scope": "phones.write" };
const NOT_STORED = { "cache-control": "no-store" };

/** Connecting, disconnecting and pairing of a phone. */
export const pairing = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"] })
    .use(auth)
    .get(
      "/:id/qrcode",
      async ({ principal, params, query, set }) => {
        const { text, hint } = await getQrCode(env, principal, params.id, waitMsOf(query));
        Object.assign(set.headers, NOT_STORED);
        return { qr: text, dataUrl: await qrPng(text), ...(hint ? { hint } : {}) };
      },
      {
        query: Waiting,
        response: { 200: QrView, 425: NOT_YET, ...REFUSALS },
        detail: {
          ...TAKES_OVER,
          ...routeOptions({ link: "required" }),
          operationId: "getQrCode",
          summary: "Get the QR code of a session that waits to be paired",
          description:
            "A code lasts about 20 seconds; `wait` waits for one. 425 means that there is none yet, or that pairing is " +
            "under way: do not scan again.",
        },
      },
    )
    .get(
      "/:id/pairing-code",
      async ({ principal, params, query, set }) => {
        const { code, hint } = await getPairingCode(env, principal, params.id, waitMsOf(query));
        Object.assign(set.headers, NOT_STORED);
        return { code, formatted: `${code.slice(0, 4)}-${code.slice(4)}`, ...(hint ? { hint } : {}) };
      },
      {
        query: Waiting,
        response: { 200: CodeView, 425: NOT_YET, ...REFUSALS },
        detail: {
          ...TAKES_OVER,
          ...routeOptions({ link: "required" }),
          operationId: "getPairingCode",
          summary: "Get the code to type on the phone instead of scanning",
          description: "A code is good once, for two minutes. 425 means that it is not there yet.",
        },
      },
    )
    .get(
      "/:id/pairing",
      async ({ principal, params, query: { seen, wait }, request, set }) => {
        Object.assign(set.headers, NOT_STORED);
        const waitSeconds = queryNumber("wait", wait, { fallback: 0, min: 0, max: MAX_WAIT_SECONDS });
        const look = () => pairingOfChannel(env, principal, params.id);
        return shownPairing(await awaitedPairing(env, request, look, { seen, waitSeconds }));
      },
      {
        query: Type.Object({
          seen: Type.Optional(Type.String()),
          wait: Type.Optional(
            Type.String(describedAs({ type: "integer", minimum: 0, maximum: MAX_WAIT_SECONDS, default: 0 })),
          ),
        }),
        response: { 200: PairingViewSchema, ...REFUSALS },
        detail: {
          ...TAKES_OVER,
          ...routeOptions({ link: "required" }),
          operationId: "getPairing",
          summary: "Get the pairing of a phone as a page shows it: the codes and the state",
          description:
            "It is answered in every state, so a page asks for nothing else. With `seen`, the `version` of the last " +
            "answer, `wait` waits for another one. Asking keeps codes being made.",
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
          summary: "Ask for a code to type on the phone instead of scanning",
          description: "The code is made afterwards: ask for it by GET. SESSION only.",
        },
      },
    )
    .post(
      "/:id/logout",
      async ({ principal, params, status }) => {
        await logoutChannel(env, principal, params.id);
        return status(202, { status: "logging_out" });
      },
      {
        response: { 202: Type.Object({ status: OneOf(["logging_out"]) }), ...REFUSALS },
        detail: {
          ...routeOptions({ link: "required" }),
          operationId: "logoutPhone",
          summary: "End a phone's connection",
          description:
            "A session gives up its identity and waits to be paired anew, with the same id. An official number " +
            "is only disconnected here.",
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
          description: "The answer comes at once; channel:connected says when it is done.",
        },
      },
    );
