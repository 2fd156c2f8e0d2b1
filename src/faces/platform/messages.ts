import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { acceptMessage } from "../../core/messaging/accept.ts";
import { limitsOf } from "../../core/tenancy/plans.ts";
import { Text } from "../../kernel/schema.ts";
import type { FaceEnv } from "../shared/face-env.ts";
import type { PlatformAuth } from "./auth.ts";
import { shownChannel } from "./channels.ts";
import { REFUSALS } from "./schemas.ts";

const Recipient = Type.String({ pattern: "^[0-9]{8,15}$", description: "must be 8 to 15 digits with country code" });
const SentView = Type.Object({ success: Type.Boolean(), message: Type.String(), messageId: Type.String() });

/** Sends through one channel. They are queued whatever its state, and leave when it is connected. */
export const messages = (env: FaceEnv, auth: PlatformAuth) =>
  new Elysia({ prefix: "/v1/channels/:channelId/messages", tags: ["messages"] }).use(auth).post(
    "/text",
    async ({ principal, params, body, status }) => {
      const { environment, plan } = principal;
      await shownChannel(env, principal, params.channelId);
      const envelope = { channelId: params.channelId, to: body.to, type: "text" as const, content: { text: body.text } };
      const accepted = await acceptMessage(env, principal, envelope, { environment, mustBeConnected: false, messagesPerDay: limitsOf(plan).messagesPerDay });
      return status(202, { success: true, message: "The message is queued.", messageId: accepted.is === "processing" ? "" : accepted.messageId });
    },
    {
      permission: "messages.send",
      body: Type.Object({ to: Recipient, text: Text(1, 4096) }),
      response: { 202: SentView, ...REFUSALS },
      detail: { operationId: "sendText", summary: "Send a text" },
    },
  );
