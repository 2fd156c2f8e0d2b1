import { Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import { rejectCall } from "../../../core/calls/answering.ts";
import { getCallOn } from "../../../core/calls/calls.ts";
import { Text } from "../../../kernel/schema.ts";
import { sessionOf, type WahaAuth } from "../auth.ts";
import type { WahaEnv } from "../env.ts";
import { routeOptions } from "../route-options.ts";

/** Calls that ring on the session. The only act on them is a rejection. */
export const calls = (env: WahaEnv, auth: WahaAuth) =>
  new Elysia({ prefix: "/api/:session/calls" }).use(auth).post(
    "/reject",
    async ({ principal, request, body: { id } }) => {
      const call = await getCallOn(env, principal, { channelId: sessionOf(request).id, id });
      await rejectCall(env, principal, call.id, undefined);
      return status(201, "");
    },
    {
      body: Type.Object({ id: Text(1, 256), from: Type.Optional(Type.String()) }),
      detail: { ...routeOptions({ scope: "calls.write", link: "required" }) },
    },
  );
