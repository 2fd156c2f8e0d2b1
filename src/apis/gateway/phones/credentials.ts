import { Elysia } from "elysia";
import { replaceCredentials } from "../../../core/channels/settings/credentials.ts";
import { readWebhook } from "../../../core/channels/settings/webhooks.ts";
import { credentialsBody } from "../../shared/channels/channel-kinds.ts";
import { inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { PHONE_IN_PATH, REFUSALS } from "../schemas.ts";
import { phoneView, phoneViewSchema } from "./phones.ts";

/** The credentials of a phone: written, and never shown again. */
export const credentials = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"], detail: inPath(PHONE_IN_PATH) }).use(auth).put(
    "/:id/credentials",
    async ({ principal, params, body }) => {
      const channel = await replaceCredentials(env, principal, params.id, body.credentials);
      return phoneView(env, channel, await readWebhook(env, principal, channel.id));
    },
    {
      body: credentialsBody(env.registry),
      response: { 200: phoneViewSchema(env.registry), ...REFUSALS },
      detail: {
        ...route({
          operationId: "setPhoneCredentials",
          acts: ["channel.change-credentials"],
          isolation: { id: "channel" },
          link: "required",
        }),
        summary: "Replace a phone's credentials",
        description:
          "The phone keeps its id, its webhook and its history. It connects anew, and its waiting messages go on. " +
          "`GET /v1/kinds` lists the fields of each type. Credentials that name another number are refused.",
      },
    },
  );
