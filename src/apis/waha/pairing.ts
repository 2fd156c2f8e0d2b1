import { Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import { getPairingCode, getQrCode, requestPairingCode } from "../../core/channels/pairing/pairing.ts";
import { SECOND_MS } from "../../kernel/clock.ts";
import { OneOf, Text } from "../../kernel/schema.ts";
import { qrPngBase64 } from "../shared/qr.ts";
import { sessionOf, type WahaAuth } from "./auth.ts";
import type { WahaEnv } from "./env.ts";
import { routeOptions } from "./route-options.ts";

/** How long a request waits for a code to scan or to type. */
const CODE_WAIT_MS = 10 * SECOND_MS;

/** The QR code as WAHA gives it: a picture, base64 in JSON, or the text that it shows. */
const qrAnswer = async (text: string, { format, accept }: { format: string | undefined; accept: string | null }) => {
  if (format === "raw") return { value: text };
  const data = await qrPngBase64(text);
  if (accept?.includes("application/json")) return { mimetype: "image/png", data };
  return new Response(Buffer.from(data, "base64"), { headers: { "content-type": "image/png" } });
};

/** The codes that link a session. */
export const pairing = (env: WahaEnv, auth: WahaAuth) =>
  new Elysia({ prefix: "/api" })
    .use(auth)
    .get(
      "/:session/auth/qr",
      async ({ principal, request, query: { format } }) => {
        const { text } = await getQrCode(env, principal, sessionOf(request).id, CODE_WAIT_MS);
        return qrAnswer(text, { format, accept: request.headers.get("accept") });
      },
      {
        query: Type.Object({ format: Type.Optional(OneOf(["image", "raw"])) }),
        detail: { ...routeOptions({ scope: "phones.read", link: "required" }) },
      },
    )
    .post(
      "/:session/auth/request-code",
      async ({ principal, request, body: { phoneNumber } }) => {
        const { id } = sessionOf(request);
        await requestPairingCode(env, principal, id, { phoneNumber });
        const { code } = await getPairingCode(env, principal, id, CODE_WAIT_MS);
        return status(201, { code });
      },
      {
        body: Type.Object({ phoneNumber: Text(1, 32) }),
        detail: { ...routeOptions({ scope: "phones.write", link: "required" }) },
      },
    );
