import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { CallsApi } from "../../../contract/abilities/calls.ts";
import { type Channel, getChannel } from "../../../core/channels/channel.ts";
import { adapterMissing } from "../../../core/channels/refusals.ts";
import { ABILITY_FIELDS, abilitiesOfKind } from "../../shared/channels/kinds.ts";
import { inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { PHONE_IN_PATH, REFUSALS } from "../schemas.ts";

const CapabilitiesView = Type.Object(
  {
    ...ABILITY_FIELDS,
    hasGroups: Type.Boolean({
      description: "Whether GET /v1/groups and the other routes of groups work with the phone",
    }),
    hasCalls: Type.Boolean({ description: "Whether people can be called from the phone, and calls taken here" }),
    canRejectCalls: Type.Boolean({ description: "Whether a call that rings can be rejected here" }),
    hasCallLinks: Type.Boolean({ description: "Whether links of calls can be made" }),
  },
  { title: "PhoneCapabilities" },
);

const viewOf = (
  { registry, supervisor }: Pick<GatewayEnv, "registry" | "supervisor">,
  { id, kind }: Channel,
): Static<typeof CapabilitiesView> => {
  const abilities = abilitiesOfKind(registry, kind);
  if (!abilities) throw adapterMissing(kind);
  const link = supervisor.linkOf({ id, kind }, "live");
  return { ...abilities, hasGroups: link?.groups !== undefined, ...callsOf(link?.calls) };
};

const callsOf = (calls: CallsApi | undefined) => ({
  hasCalls: calls?.connect !== undefined,
  canRejectCalls: calls !== undefined,
  hasCallLinks: calls?.createLink !== undefined,
});

/** The capabilities of a phone's network, so that a program offers nothing else. */
export const capabilities = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"], detail: inPath(PHONE_IN_PATH) })
    .use(auth)
    .get(
      "/:id/capabilities",
      async ({ principal, params }) => viewOf(env, await getChannel(env, principal, params.id)),
      {
        response: { 200: CapabilitiesView, ...REFUSALS },
        detail: {
          ...route({ operationId: "getPhoneCapabilities", isolation: { id: "channel" } }),
          summary: "Get the capabilities of a phone's network",
          description:
            "It follows from the phone's type, whether it is connected or not. `GET /v1/kinds` lists it for every type.",
        },
      },
    );
