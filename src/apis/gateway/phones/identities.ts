import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { resolveIdentity } from "../../../core/channels/identity.ts";
import { CONTACT_TYPES } from "../../../core/domain-event.ts";
import { Nullable, OneOf, Text } from "../../../kernel/schema.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { REFUSALS } from "../schemas.ts";
import { chatAddresses, keyOfAddress } from "./addresses.ts";

const TextOrNull = Nullable(Type.String());
const IdentityView = Type.Object(
  {
    canonicalKey: Type.String(),
    pn: TextOrNull,
    lid: TextOrNull,
    bsuid: TextOrNull,
    username: TextOrNull,
    parentBsuid: TextOrNull,
    type: OneOf(CONTACT_TYPES),
  },
  { title: "Identity" },
);

export const identities = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"] }).use(auth).get(
    "/:id/identities/resolve",
    async ({ principal, params, query }) => {
      const {
        bsuid = null,
        username = null,
        ...known
      } = await resolveIdentity(env, principal, params.id, keyOfAddress(query.key.trim()));
      return { ...known, ...chatAddresses(known), bsuid, username };
    },
    {
      query: Type.Object({ key: Text(1, 256, "A canonical key, number, user id, username or chat address") }),
      response: { 200: IdentityView, ...REFUSALS },
      detail: {
        operationId: "resolveIdentity",
        summary: "Find out who somebody is whom the phone has met",
        description: "Any name will do: a number, an id, a username or a chat address.",
      },
    },
  );
