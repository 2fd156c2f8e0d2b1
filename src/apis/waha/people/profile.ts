import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { OwnProfileChanges } from "../../../contract/abilities/people.ts";
import { changeOwnProfile, getOwnProfile } from "../../../core/channels/people.ts";
import { Text } from "../../../kernel/schema.ts";
import { MAX_LONG_BODY_BYTES } from "../../shared/http/request.ts";
import { chatIdOfNumber } from "../addresses.ts";
import { type Principal, sessionOf, type WahaAuth } from "../auth.ts";
import type { WahaEnv } from "../env.ts";
import { FileBody, pictureIn } from "../files.ts";
import { routeOptions } from "../route-options.ts";

const read = routeOptions({ scope: "phones.read", link: "required" });
const write = routeOptions({ scope: "phones.write", link: "required", maxBodyBytes: MAX_LONG_BODY_BYTES });
const DONE = { success: true } as const;

/** The profile of the session's account. */
export const profile = (env: WahaEnv, auth: WahaAuth) => {
  const change = async (principal: Principal, request: Request, changes: OwnProfileChanges) => {
    await changeOwnProfile(env, principal, { id: sessionOf(request).id, changes });
    return DONE;
  };
  return new Elysia({ prefix: "/api/:session/profile" })
    .use(auth)
    .get(
      "/",
      async ({ principal, request }) => {
        const { id, phoneNumber } = sessionOf(request);
        const { name, about, pictureUrl } = await getOwnProfile(env, principal, id);
        return { id: phoneNumber === null ? null : chatIdOfNumber(phoneNumber), name, about, picture: pictureUrl };
      },
      { detail: { ...read } },
    )
    .put("/name", ({ principal, request, body: { name } }) => change(principal, request, { name }), {
      body: Type.Object({ name: Text(1, 25) }),
      detail: { ...write },
    })
    .put("/status", ({ principal, request, body: { status } }) => change(principal, request, { about: status }), {
      body: Type.Object({ status: Text(0, 139) }),
      detail: { ...write },
    })
    .put(
      "/picture",
      ({ principal, request, body: { file } }) =>
        change(principal, request, { picture: pictureIn(env, { field: "file", file }) }),
      { body: Type.Object({ file: FileBody }), detail: { ...write } },
    )
    .delete("/picture", ({ principal, request }) => change(principal, request, { picture: null }), {
      detail: { ...write },
    });
};
