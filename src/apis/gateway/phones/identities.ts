import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { resolveIdentity } from "../../../core/channels/identity.ts";
import { CONTACT_TYPES } from "../../../core/domain-event.ts";
import { described, Nullable, OneOf, Text } from "../../../kernel/schema.ts";
import { inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { PHONE_IN_PATH, REFUSALS } from "../schemas.ts";
import { addressesOn, keyOfAddress } from "./addresses.ts";

const TextOrNull = Nullable(Type.String());
const IdentityView = Type.Object(
  {
    canonicalKey: Type.String({
      description: "The person's identity on this network, whatever their number",
      examples: ["pn:5511988887777"],
    }),
    pn: described(
      TextOrNull,
      "The number as a chat address, or as digits where the network is not WhatsApp; null if unknown",
      "5511988887777@s.whatsapp.net",
    ),
    lid: described(TextOrNull, "The hidden id; null if unknown", "98765432@lid"),
    bsuid: described(TextOrNull, "The business-scoped user id; null if unknown"),
    username: described(TextOrNull, "The person's username on the network; null if none is known", "padariaestrela"),
    parentBsuid: described(TextOrNull, "The user id for the whole portfolio; null if unknown"),
    type: OneOf(CONTACT_TYPES, { description: "The kind of name in `canonicalKey`", examples: ["pn"] }),
  },
  { title: "Identity" },
);

export const identities = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"], detail: inPath(PHONE_IN_PATH) }).use(auth).get(
    "/:id/identities/resolve",
    async ({ principal, params, query }) => {
      const {
        bsuid = null,
        username = null,
        kind,
        ...known
      } = await resolveIdentity(env, principal, params.id, keyOfAddress(query.key.trim()));
      return { ...known, ...addressesOn(env.registry, kind)(known), bsuid, username };
    },
    {
      query: Type.Object({ key: Text(1, 256, "A canonical key, number, user id, username or chat address") }),
      response: { 200: IdentityView, ...REFUSALS },
      detail: {
        ...route({ operationId: "resolveIdentity", isolation: { id: "channel" } }),
        summary: "Look up a person whom the phone has met",
        description: "Any address is valid: a number, an id, a username or a chat address.",
      },
    },
  );
