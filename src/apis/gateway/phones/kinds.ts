import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { listKinds } from "../../../core/channels/kinds.ts";
import { described, KnownWord } from "../../../kernel/schema.ts";
import { KIND_DETAILS, KIND_FIELDS, kindDetails, kindView } from "../../shared/channels/kinds.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { REFUSALS } from "../schemas.ts";

const kindSchema = ({ kinds }: GatewayEnv["registry"]) =>
  Type.Object(
    {
      type: described(
        KnownWord(kinds, { title: "PhoneType", description: "The `type` of phones of this kind" }),
        "The `type` of phones of this kind",
      ),
      ...KIND_FIELDS,
      ...KIND_DETAILS,
    },
    { title: "PhoneKind" },
  );

/** The kinds of phones that this server has: a program draws its forms from them. */
export const kinds = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/kinds", tags: ["phones"] }).use(auth).get(
    "/",
    () => ({
      items: listKinds(env.registry).map((kind) => ({ type: kind.kind, ...kindView(kind), ...kindDetails(kind) })),
    }),
    {
      response: {
        200: Type.Object(
          { items: Type.Array(kindSchema(env.registry), { description: "Every kind of this server" }) },
          { title: "PhoneKindList" },
        ),
        ...REFUSALS,
      },
      detail: {
        ...route({ operationId: "listKinds", isolation: "own" }),
        summary: "List the kinds of phones that this server has",
        description:
          "How a phone of each kind is made, the forms of its credentials and settings, and what it can do. " +
          "Adapters that the operator has added are in the list.",
      },
    },
  );
