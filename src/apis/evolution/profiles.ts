import { Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import type { OwnProfileChanges } from "../../contract/abilities/people.ts";
import { changeOwnProfile, getOwnProfile, pictureOfPerson } from "../../core/channels/people.ts";
import { lookUpNow } from "../../core/messaging/lookup.ts";
import { Text } from "../../kernel/schema.ts";
import { addressOfNumber, numberOf } from "../shared/compatible/addresses.ts";
import { pictureSource } from "../shared/compatible/files.ts";
import { MAX_LONG_BODY_BYTES } from "../shared/http/request.ts";
import { type EvolutionAuth, instanceOf, type Principal } from "./auth.ts";
import type { EvolutionEnv } from "./env.ts";
import { ownerOf, stateOf } from "./instance-views.ts";
import { routeOptions } from "./route-options.ts";

const read = routeOptions({ scope: "phones.read", link: "required" });
const write = routeOptions({ scope: "phones.write", link: "required" });
const addressOf = (number: string): string =>
  number.includes("@") ? number : addressOfNumber(number.replace(/\D/g, ""));

/** The presence and profile of people and instances. */
export const profiles = (env: EvolutionEnv, auth: EvolutionAuth) => {
  const change = (principal: Principal, request: Request, changes: OwnProfileChanges) =>
    changeOwnProfile(env, principal, { id: instanceOf(request).id, changes });

  return new Elysia({ prefix: "/chat" })
    .use(auth)
    .post(
      "/fetchProfilePictureUrl/:instance",
      async ({ principal, request, body: { number } }) => {
        const { url } = await pictureOfPerson(env, principal, { id: instanceOf(request).id, to: numberOf(number) });
        return { wuid: addressOf(number), profilePictureUrl: url };
      },
      { body: Type.Object({ number: Text(1, 256) }), detail: { ...read } },
    )
    .post(
      "/fetchProfile/:instance",
      async ({ principal, request, body: { number } }) => {
        const instance = instanceOf(request);
        if (!number) {
          const own = await getOwnProfile(env, principal, instance.id);
          return {
            wuid: ownerOf(instance),
            name: own.name,
            numberExists: true,
            picture: own.pictureUrl,
            status: own.about,
            state: stateOf(instance),
          };
        }
        const to = numberOf(number);
        const [found] = await lookUpNow(env, principal, { channelId: instance.id, numbers: [to] });
        const picture = found?.exists ? (await pictureOfPerson(env, principal, { id: instance.id, to })).url : null;
        return {
          wuid: found?.jid ?? addressOf(number),
          name: null,
          numberExists: found?.exists ?? false,
          picture,
          status: null,
        };
      },
      { body: Type.Object({ number: Type.Optional(Text(0, 256)) }), detail: { ...read } },
    )
    .post(
      "/updateProfileStatus/:instance",
      async ({ principal, request, body }) => {
        await change(principal, request, { about: body.status });
        return { update: "success" };
      },
      { body: Type.Object({ status: Text(0, 139) }), detail: { ...write } },
    )
    .post(
      "/updateProfilePicture/:instance",
      async ({ principal, request, body: { picture } }) => {
        await change(principal, request, { picture: pictureSource(env, { field: "picture", file: picture }) });
        return { update: "success" };
      },
      {
        body: Type.Object({ picture: Type.String({ minLength: 1 }) }),
        detail: { ...routeOptions({ scope: "phones.write", link: "required", maxBodyBytes: MAX_LONG_BODY_BYTES }) },
      },
    )
    .delete(
      "/removeProfilePicture/:instance",
      async ({ principal, request }) => {
        await change(principal, request, { picture: null });
        return status(200, { update: "success" });
      },
      { detail: { ...write } },
    );
};
