import { Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import type { OwnProfileChanges } from "../../contract/abilities/people.ts";
import { PRIVACY_VALUES, type Privacy, type PrivacyName } from "../../contract/abilities/privacy.ts";
import { aboutOf } from "../../core/channels/catalog.ts";
import { changeOwnProfile, getOwnProfile, pictureOfPerson } from "../../core/channels/people.ts";
import { changePrivacy, getPrivacy } from "../../core/channels/privacy.ts";
import { lookUpNow } from "../../core/messaging/lookup.ts";
import { invalid } from "../../kernel/errors.ts";
import { issue, OneOf, Text } from "../../kernel/schema.ts";
import { addressOfNumber, numberOf } from "../shared/compatible/addresses.ts";
import { pictureSource } from "../shared/compatible/files.ts";
import { MAX_LONG_BODY_BYTES } from "../shared/http/request.ts";
import { type EvolutionAuth, instanceOf, type Principal, refuseWithout } from "./auth.ts";
import type { EvolutionEnv } from "./env.ts";
import { ownerOf, stateOf } from "./instance-views.ts";
import { routeOptions } from "./route-options.ts";

const read = routeOptions({ scope: "phones.read", link: "required" });
const write = routeOptions({ scope: "phones.write", link: "required" });
const addressOf = (number: string): string =>
  number.includes("@") ? number : addressOfNumber(number.replace(/\D/g, ""));

const choice = <Name extends PrivacyName>(name: Name) => Type.Optional(OneOf(PRIVACY_VALUES[name]));
const PrivacyBody = Type.Object({
  readreceipts: choice("readReceipts"),
  profile: choice("picture"),
  status: choice("about"),
  online: choice("online"),
  last: choice("lastSeen"),
  groupadd: choice("groupAdd"),
});

const privacyView = ({ readReceipts, picture, about, online, lastSeen, groupAdd }: Privacy) => ({
  readreceipts: readReceipts,
  profile: picture,
  status: about,
  online,
  last: lastSeen,
  groupadd: groupAdd,
});

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
        const refusal = refuseWithout(principal, "lookup.write");
        if (refusal) return refusal;
        const to = numberOf(number);
        const [found] = await lookUpNow(env, principal, { channelId: instance.id, numbers: [to] });
        const person = found?.exists ? { id: instance.id, to } : undefined;
        return {
          wuid: found?.jid ?? addressOf(number),
          name: null,
          numberExists: found?.exists ?? false,
          picture: person ? (await pictureOfPerson(env, principal, person)).url : null,
          status: person ? await aboutOf(env, principal, person) : null,
        };
      },
      { body: Type.Object({ number: Type.Optional(Text(0, 256)) }), detail: { ...read } },
    )
    .post(
      "/updateProfileName/:instance",
      async ({ principal, request, body }) => {
        await change(principal, request, { name: body.name });
        return { update: "success" };
      },
      { body: Type.Object({ name: Text(1, 25) }), detail: { ...write } },
    )
    .get(
      "/fetchPrivacySettings/:instance",
      async ({ principal, request }) => privacyView(await getPrivacy(env, principal, instanceOf(request).id)),
      { detail: { ...read } },
    )
    .post(
      "/updatePrivacySettings/:instance",
      async ({ principal, request, body: { readreceipts, profile, status: about, online, last, groupadd } }) => {
        const given = {
          readReceipts: readreceipts,
          picture: profile,
          about,
          online,
          lastSeen: last,
          groupAdd: groupadd,
        };
        const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
        if (Object.keys(changes).length === 0) throw invalid(issue("", "required", "must name a setting"));
        const changed = await changePrivacy(env, principal, { id: instanceOf(request).id, changes });
        return status(201, { update: "success", data: privacyView(changed) });
      },
      { body: PrivacyBody, detail: { ...write } },
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
