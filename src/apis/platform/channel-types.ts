import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { listKinds } from "../../core/channels/kinds.ts";
import { KnownWord } from "../../kernel/schema.ts";
import { KIND_FIELDS, kindView } from "../shared/channels/kinds.ts";
import type { PlatformAuth } from "./auth.ts";
import type { PlatformEnv } from "./env.ts";
import { route } from "./route-options.ts";
import { REFUSALS } from "./schemas.ts";
import { channelTypes, hiddenKinds, typeOf } from "./words.ts";

const typeSchema = (registry: PlatformEnv["registry"]) =>
  Type.Object(
    {
      type: KnownWord([...channelTypes(registry).keys()], {
        title: "ChannelType",
        description: "The `type` of channels of this kind",
      }),
      ...KIND_FIELDS,
    },
    { title: "ChannelTypeInfo" },
  );

/** The types of channels that this server has: a program draws its forms from them. */
export const typesOfChannels = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia({ prefix: "/v1/channel-types", tags: ["channels"] }).use(auth).get(
    "/",
    () => {
      const hidden = hiddenKinds(env.registry);
      return {
        data: listKinds(env.registry)
          .filter(({ kind }) => !hidden.includes(kind))
          .map((info) => ({ type: typeOf(env.registry, info.kind), ...kindView(info) })),
      };
    },
    {
      response: {
        200: Type.Object(
          { data: Type.Array(typeSchema(env.registry), { description: "Every type of this server" }) },
          { title: "ChannelTypeList" },
        ),
        ...REFUSALS,
      },
      detail: {
        ...route({ operationId: "listChannelTypes", permission: "channels.read", isolation: "own" }),
        summary: "List the types of channels that this server has",
        description:
          "How a channel of each type is made, and the form of its credentials. " +
          "Adapters that the operator has added are in the list.",
      },
    },
  );
