import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { logoutChannel, reconnectChannel } from "../../../core/channels/links/connection.ts";
import { getPairingCode, getQrCode, requestPairingCode } from "../../../core/channels/pairing/pairing.ts";
import { PAIRING_STATES, pairingOfChannel } from "../../../core/channels/pairing/pairing-view.ts";
import { SECOND_MS } from "../../../kernel/clock.ts";
import { queryNumber } from "../../../kernel/page.ts";
import { described, Nullable, OneOf, PhoneNumber } from "../../../kernel/schema.ts";
import { describedAs } from "../../shared/description/json-schema.ts";
import { inPath } from "../../shared/fields.ts";
import { awaitedPairing, MAX_WAIT_SECONDS, shownPairing } from "../../shared/pairing.ts";
import { qrPng } from "../../shared/qr.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { Hint } from "../events/event-schemas/parts.ts";
import { route } from "../route-options.ts";
import { NOT_YET, PHONE_IN_PATH, REFUSALS } from "../schemas.ts";

const QrView = Type.Object(
  {
    qr: Type.String({ description: "The text in the QR code", examples: ["2@Zk3vX9pQ,abc=,def="] }),
    dataUrl: Type.String({
      description: "The code as a PNG, a base64 data URL",
      examples: ["data:image/png;base64,iVBORw0KGgo="],
    }),
    hint: Type.Optional(described(Hint, "The step that the owner has to take; absent if scanning is enough")),
  },
  { title: "QrCode" },
);
const CodeView = Type.Object(
  {
    code: Type.String({ description: "The 8 characters that the owner types", examples: ["ABCD1234"] }),
    formatted: Type.String({ description: "The code with a dash in the middle", examples: ["ABCD-1234"] }),
    hint: Type.Optional(described(Hint, "The step that the owner has to take; absent if typing the code is enough")),
  },
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
/** One object at all times: its fields are null if there is nothing. */
const PairingViewSchema = Type.Object(
  {
    version: Type.String({
      description: "A mark that changes whenever the shown content changes",
      examples: ["5f1c0e9b7a3d2468"],
    }),
    state: OneOf(PAIRING_STATES, {
      title: "PairingState",
      description:
        "`asleep`: ask for /reconnect to have codes made. `preparing`: the first code is made. `waiting`: for a scan, or a typed code. `linking`: a code was used. `passkey`: the network wants the owner's passkey",
      examples: ["waiting"],
    }),
    qr: Nullable(
      Type.String({ description: "The text in the QR code; null without a code", examples: ["2@Zk3vX9pQ2rT7wL5m"] }),
    ),
    dataUrl: Nullable(Type.String({ description: "The QR code as a PNG, a base64 data URL; null without a code" })),
    code: Nullable(Type.String({ description: "The code to type; null if none was requested, or before it is made" })),
    hint: described(Nullable(Hint), "The step that the owner has to take; null if there is none"),
    passkeyUrl: Nullable(
      Type.String({ description: "The page where the owner uses the passkey; null if none is needed" }),
    ),
  },
  { title: "Pairing" },
);

const waitMsOf = ({ wait }: Static<typeof Waiting>): number =>
  queryNumber("wait", wait, { fallback: 0, min: 0, max: MAX_CODE_WAIT_SECONDS }) * SECOND_MS;

/** A pairing code gives control of the phone, so reading it needs the scope to write. */
const TAKES_OVER = { scope: "phones.write" };
const NOT_STORED = { "cache-control": "no-store" };

/** Connecting, disconnecting and pairing of a phone. */
export const pairing = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"], detail: inPath(PHONE_IN_PATH) })
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
          ...route({ operationId: "getQrCode", ...TAKES_OVER, isolation: { id: "channel" }, link: "required" }),
          summary: "Get the QR code of a session that waits to be paired",
          description:
            "A code lasts about 20 seconds; `wait` waits for one. 425 means that there is no code yet, or that " +
            "pairing is in progress: do not scan again.",
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
          ...route({ operationId: "getPairingCode", ...TAKES_OVER, isolation: { id: "channel" }, link: "required" }),
          summary: "Get the code to type on the phone instead of scanning",
          description: "A code works once, for two minutes. 425 means that it is not ready yet.",
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
          seen: Type.Optional(Type.String({ description: "The `version` of the answer that is shown" })),
          wait: Type.Optional(
            described(
              Type.String(describedAs({ type: "integer", minimum: 0, maximum: MAX_WAIT_SECONDS, default: 0 })),
              "How many seconds to wait for it; none by default",
            ),
          ),
        }),
        response: { 200: PairingViewSchema, ...REFUSALS },
        detail: {
          ...route({ operationId: "getPairing", ...TAKES_OVER, isolation: { id: "channel" }, link: "required" }),
          summary: "Get the pairing of a phone as a page shows it: the codes and the state",
          description:
            "It answers in every state, so a page needs no other call. With `seen`, the `version` of the last " +
            "answer, `wait` waits for another version. Each call keeps codes being made.",
        },
      },
    )
    .post(
      "/:id/pairing-code",
      async ({ principal, params, body, status }) => {
        const phoneNumber = await requestPairingCode(env, principal, params.id, body);
        return status(202, { status: "pending", phoneNumber });
      },
      {
        body: Type.Object({
          phoneNumber: PhoneNumber({ min: 8, max: 20, takesBarePlus: true }),
          force: Type.Optional(
            Type.Boolean({
              default: false,
              description:
                "Also if another phone of the account is linked with the number: the code may end its session",
            }),
          ),
        }),
        response: {
          202: Type.Object({
            status: OneOf(["pending"], { description: "The code is made soon" }),
            phoneNumber: Type.String({
              description: "The number that the code is for: digits with country code",
              examples: ["5511999990001"],
            }),
          }),
          425: NOT_YET,
          ...REFUSALS,
        },
        detail: {
          ...route({
            operationId: "createPairingCode",
            acts: "none: own settings",
            isolation: { id: "channel" },
            link: "required",
          }),
          summary: "Ask for a code to type on the phone instead of scanning",
          description:
            "The code is made afterwards: ask for it by GET. SESSION only. A number that another phone of the account is " +
            "linked with is refused with PHONE_ALREADY_LINKED, unless `force` is true.",
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
        response: {
          202: Type.Object({ status: OneOf(["logging_out"], { description: "The phone is logged out soon" }) }),
          ...REFUSALS,
        },
        detail: {
          ...route({
            operationId: "logoutPhone",
            acts: ["channel.logout", "channel.disconnect"],
            isolation: { id: "channel" },
            link: "required",
          }),
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
        response: {
          202: Type.Object({ status: OneOf(["reconnecting"], { description: "The phone connects again soon" }) }),
          ...REFUSALS,
        },
        detail: {
          ...route({
            operationId: "reconnectPhone",
            acts: "none: own settings",
            isolation: { id: "channel" },
            link: "required",
          }),
          summary: "Reconnect a phone with its stored credentials",
          description:
            "The answer comes at once; channel:connected says when it is done. A connected phone stays so, but its " +
            "webhook is registered anew where the network calls an address of the phone's own.",
        },
      },
    );
