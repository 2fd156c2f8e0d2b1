import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { PRESENCES } from "../../../contract/abilities/people.ts";
import {
  changeOwnProfile,
  getOwnProfile,
  listBlocked,
  pictureOfPerson,
  setBlocked,
  showPresence,
  watchPresence,
} from "../../../core/channels/people.ts";
import { described, Nullable, OneOf, Text } from "../../../kernel/schema.ts";
import { inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { MAX_PICTURE_BODY_BYTES, PictureBody, pictureOf } from "../media/pictures.ts";
import { route, routeOptions } from "../route-options.ts";
import { Nothing, PHONE_IN_PATH, UPSTREAM_REFUSALS } from "../schemas.ts";

const To = described(Text(1, 256), "A number, canonical key or chat address", "5511988887777");
const ToBody = Type.Object({ to: To }, { title: "PersonReference" });
const PresenceBody = Type.Object({
  state: OneOf(PRESENCES, { description: "The presence that people see", examples: ["composing"] }),
  to: Type.Optional(To),
});
const ProfileBody = Type.Object({
  name: Type.Optional(described(Text(1, 25), "The name that people see; at most 25 characters", "Padaria Estrela")),
  about: Type.Optional(
    described(Text(0, 139), "The line beside the name; at most 139 characters", "Pães e bolos todos os dias"),
  ),
  picture: Type.Optional(described(Nullable(PictureBody), "One of `mediaUrl` and `base64`; null removes it")),
});
const TextOrNull = Nullable(Type.String());
const ProfileView = Type.Object(
  {
    name: described(TextOrNull, "The name of the phone's owner; null until the network reports it", "Padaria Estrela"),
    about: described(
      TextOrNull,
      "The line beside the name; null until the network reports it",
      "Pães e bolos todos os dias",
    ),
    pictureUrl: described(
      TextOrNull,
      "The address of the picture; null if none is shown",
      "https://padaria-estrela.example/logo.jpg",
    ),
  },
  { title: "OwnProfile" },
);
const PictureView = Type.Object(
  {
    url: described(
      TextOrNull,
      "The address of the picture; null if `reason` says why not",
      "https://pps.whatsapp.net/v/maria.jpg",
    ),
    reason: Type.Optional(
      OneOf(["none", "hidden"], {
        description:
          "Why there is no address: `none` means no picture, `hidden` that the phone may not see it; absent with an address",
        examples: ["hidden"],
      }),
    ),
  },
  { title: "ContactPicture" },
);
const BlocksView = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          canonicalKey: Type.String({
            description: "The person's key on this network, whatever the number",
            examples: ["pn:5511988887777"],
          }),
        },
        { title: "BlockedContact" },
      ),
      { description: "Every person whom the phone blocks" },
    ),
  },
  { title: "BlockList" },
);

const link = routeOptions({ link: "required" });
const done = { 204: Nothing, ...UPSTREAM_REFUSALS };

/** The presence, profile and block list of a phone's account, on networks that have them. */
export const people = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/phones",
    tags: ["phones"],
    detail: inPath({ ...PHONE_IN_PATH, to: Type.String({ description: "A number, canonical key or chat address" }) }),
  })
    .use(auth)
    .post(
      "/:id/presence",
      async ({ principal, params, body, status }) => {
        await showPresence(env, principal, { id: params.id, to: body.to, presence: body.state });
        return status(204, undefined);
      },
      {
        body: PresenceBody,
        response: done,
        detail: {
          ...link,
          ...route({ operationId: "showPresence", acts: "none: daily work", isolation: { id: "channel" } }),
          summary: "Show that the phone is online, or writing in a chat",
          description: "`composing`, `recording` and `paused` need `to`. SESSION only.",
        },
      },
    )
    .post(
      "/:id/presence/subscriptions",
      async ({ principal, params, body, status }) => {
        await watchPresence(env, principal, { id: params.id, to: body.to });
        return status(204, undefined);
      },
      {
        body: ToBody,
        response: done,
        detail: {
          ...link,
          ...route({ operationId: "watchPresence", acts: "none: daily work", isolation: { id: "channel" } }),
          summary: "Get a person's contact:presence events for an hour",
          description: "At most 20 people at a time: a further one is refused. SESSION only.",
        },
      },
    )
    .get(
      "/:id/blocks",
      async ({ principal, params }) => ({
        items: (await listBlocked(env, principal, params.id)).map((canonicalKey) => ({ canonicalKey })),
      }),
      {
        response: { 200: BlocksView, ...UPSTREAM_REFUSALS },
        detail: {
          ...link,
          ...route({ operationId: "listBlocks", isolation: { id: "channel" } }),
          summary: "List the people whom the phone has blocked",
          description: "SESSION only.",
        },
      },
    )
    .post(
      "/:id/blocks",
      async ({ principal, params, body, status }) => {
        await setBlocked(env, principal, { id: params.id, to: body.to, isBlocked: true });
        return status(204, undefined);
      },
      {
        body: ToBody,
        response: done,
        detail: {
          ...link,
          ...route({ operationId: "block", acts: "none: daily work", isolation: { id: "channel" } }),
          summary: "Block a person",
          description: "Blocking a person again changes nothing. SESSION only.",
        },
      },
    )
    .delete(
      "/:id/blocks",
      async ({ principal, params, body, status }) => {
        await setBlocked(env, principal, { id: params.id, to: body.to, isBlocked: false });
        return status(204, undefined);
      },
      {
        body: ToBody,
        response: done,
        detail: {
          ...link,
          ...route({ operationId: "unblock", acts: "none: daily work", isolation: { id: "channel" } }),
          summary: "Unblock a person",
          description: "SESSION only.",
        },
      },
    )
    .get("/:id/profile", ({ principal, params }) => getOwnProfile(env, principal, params.id), {
      response: { 200: ProfileView, ...UPSTREAM_REFUSALS },
      detail: {
        ...link,
        ...route({ operationId: "getOwnProfile", isolation: { id: "channel" } }),
        summary: "Get the profile of the phone's account, as the network shows it",
        description: "SESSION only.",
      },
    })
    .put(
      "/:id/profile",
      ({ principal, params, body: { name, about, picture } }) =>
        changeOwnProfile(env, principal, {
          id: params.id,
          changes: {
            ...(name === undefined ? {} : { name }),
            ...(about === undefined ? {} : { about }),
            ...(picture === undefined ? {} : { picture: picture && pictureOf(env, picture, "picture") }),
          },
        }),
      {
        body: ProfileBody,
        response: { 200: ProfileView, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({
            operationId: "changeOwnProfile",
            acts: "none: own settings",
            isolation: { id: "channel" },
            link: "required",
            maxBodyBytes: MAX_PICTURE_BODY_BYTES,
          }),
          summary: "Change the name, the about text or the picture of the phone's account",
          description:
            "A missing field stays unchanged. `picture` has exactly one of `mediaUrl` and `base64`; null " +
            "removes it. SESSION only.",
        },
      },
    )
    .get(
      "/:id/contacts/:to/profile-picture",
      ({ principal, params }) => pictureOfPerson(env, principal, { id: params.id, to: params.to }),
      {
        response: { 200: PictureView, ...UPSTREAM_REFUSALS },
        detail: {
          ...link,
          ...route({ operationId: "getContactPicture", isolation: { id: "channel" } }),
          summary: "Get a person's profile picture, as the phone may see it",
          description: "The network is asked once a day. SESSION only.",
        },
      },
    );
