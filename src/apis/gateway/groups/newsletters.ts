import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { NEWSLETTER_REACTIONS, NEWSLETTER_ROLES, type Newsletter } from "../../../contract/abilities/newsletters.ts";
import { INBOUND_CONTENT } from "../../../contract/content/inbound-content.ts";
import {
  changeNewsletter,
  createNewsletter,
  type ListedPost,
  listNewsletters,
  newsletterPosts,
  reactToPost,
  readNewsletter,
  removeNewsletter,
  setFollowed,
  setNewsletterMuted,
  watchNewsletter,
} from "../../../core/messaging/newsletters.ts";
import { iso, SECOND_MS } from "../../../kernel/clock.ts";
import { described, Nullable, OneOf, Text, Uuid } from "../../../kernel/schema.ts";
import { IDS, inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { NewsletterReactionCounts, NewsletterViews } from "../events/event-schemas/newsletters.ts";
import { MAX_PICTURE_BODY_BYTES, PictureBody, pictureOf } from "../media/pictures.ts";
import { route, routeOptions } from "../route-options.ts";
import { InstantOrNull, Nothing, QueryLimit, UPSTREAM_REFUSALS } from "../schemas.ts";
import { limitOf } from "./group-people.ts";

const OfPhone = Type.Object({ phoneId: described(Uuid(), "The phone whose account it is", IDS.phone) });
const Name = described(Text(1, 100), "The name of the newsletter", "Padaria Estrela");
const About = described(Text(0, 2048), "A text about it; at most 2,048 characters", "As novidades da padaria");
const CreateBody = Type.Object({
  phoneId: described(Uuid(), "The phone that makes it, and owns it", IDS.phone),
  name: Name,
  description: Type.Optional(About),
});
const PatchBody = Type.Object({
  phoneId: described(Uuid(), "The phone that changes it", IDS.phone),
  name: Type.Optional(Name),
  description: Type.Optional(About),
  picture: Type.Optional(described(Nullable(PictureBody), "One of `mediaUrl` and `base64`; null removes it")),
  reactions: Type.Optional(
    OneOf(NEWSLETTER_REACTIONS, { description: "The emojis with which people may react", examples: ["basic"] }),
  ),
});
const Emoji = described(Text(0, 64), "The emoji; an empty text takes the reaction back", "❤️");

const NewsletterView = Type.Object(
  {
    newsletterId: Type.String({
      description: "The network's id; posts go to `<newsletterId>@newsletter`",
      examples: ["120363000000000001"],
    }),
    name: Type.String({ description: "What its followers see it called", examples: ["Padaria Estrela"] }),
    description: Type.String({ description: "A text about it; empty without one", examples: ["As novidades"] }),
    inviteLink: Nullable(
      Type.String({
        description: "The link by which everybody can follow it; null if the network names none",
        examples: ["https://whatsapp.com/channel/0029VaExample12345"],
      }),
    ),
    role: OneOf(NEWSLETTER_ROLES, {
      title: "NewsletterRole",
      description: "What the phone is to it; `guest` does not follow it",
      examples: ["owner"],
    }),
    muted: Type.Boolean({ description: "Whether the phone muted it", examples: [false] }),
    subscriberCount: Nullable(Type.Integer({ description: "How many people follow it; null if unknown" })),
    verified: Type.Boolean({ description: "Whether the network verified its owner", examples: [false] }),
    reactions: described(
      Nullable(OneOf(NEWSLETTER_REACTIONS)),
      "The emojis with which people may react; null if unknown",
      "all",
    ),
    hasPicture: Type.Boolean({ description: "Whether it has a picture", examples: [true] }),
    createdAt: described(InstantOrNull, "When it was made; null if unknown", "2026-11-22T12:00:00.000Z"),
  },
  { title: "Newsletter" },
);
const ListView = Type.Object(
  { items: Type.Array(NewsletterView, { description: "Those that the phone follows or owns, at most 1,000" }) },
  { title: "NewsletterList" },
);
const newsletterView = ({ isMuted, isVerified, createdAt, ...newsletter }: Newsletter) => ({
  ...newsletter,
  muted: isMuted,
  verified: isVerified,
  createdAt: createdAt === null ? null : iso(createdAt),
});

const PostView = Type.Object(
  {
    serverId: Type.String({ description: "The number of the post in its newsletter", examples: ["107"] }),
    messageId: Nullable(
      Type.String({
        format: "uuid",
        description: "The message, if it was sent through this phone here; else null",
        examples: [IDS.message],
      }),
    ),
    own: Type.Boolean({ description: "Whether the phone's account wrote it", examples: [true] }),
    timestamp: described(InstantOrNull, "When it was posted; null if unknown", "2026-11-22T12:00:00.000Z"),
    type: described(
      Nullable(OneOf(Object.keys(INBOUND_CONTENT))),
      "The type of its content; null for a deleted post",
      "text",
    ),
    content: Nullable(
      Type.Object(
        {},
        { additionalProperties: Type.Unknown(), description: "As in newsletter:received; null if deleted" },
      ),
    ),
    views: NewsletterViews,
    reactions: NewsletterReactionCounts,
    votes: Type.Optional(
      Type.Array(
        Type.Object(
          {
            option: Type.String({ description: "The text of the option", examples: ["Sábado"] }),
            votes: Type.Integer({ description: "How many people chose it", examples: [31] }),
          },
          { title: "NewsletterPollVotes" },
        ),
        { description: "The votes of a poll; absent from other posts" },
      ),
    ),
  },
  { title: "ListedNewsletterPost" },
);
const PostsView = Type.Object(
  {
    items: Type.Array(PostView, { description: "The posts, newest first" }),
    nextBefore: Nullable(
      Type.String({ description: "The `before` of the next page; null at the end", examples: ["107"] }),
    ),
  },
  { title: "NewsletterPosts" },
);
const postView = ({ serverId, messageId, isOwn, at, content, views, reactions, votes }: ListedPost) => ({
  serverId,
  messageId,
  own: isOwn,
  timestamp: at === 0 ? null : iso(at),
  type: content?.type ?? null,
  content: content ? { ...content.content } : null,
  views,
  reactions: [...reactions],
  ...(votes ? { votes: [...votes] } : {}),
});

const MOST_POSTS = 100;
const one = { 200: NewsletterView, ...UPSTREAM_REFUSALS };
const done = { 204: Nothing, ...UPSTREAM_REFUSALS };
const isolation = { phoneId: "channel" } as const;
const daily = { acts: "none: daily work", isolation } as const;

/** The device that is linked for a phone answers; of several nodes one has it. */
const link = routeOptions({ link: "required" });

/** The newsletters of sessions, which WhatsApp calls channels.  */
export const newsletters = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/newsletters",
    tags: ["groups"],
    detail: {
      ...link,
      ...inPath({
        newsletterId: Type.String({ description: "The network's id, with or without `@newsletter`" }),
        serverId: Type.String({ description: "The number of the post in its newsletter" }),
      }),
    },
  })
    .use(auth)
    .get(
      "/",
      async ({ principal, query: { phoneId } }) => ({
        items: (await listNewsletters(env, principal, phoneId)).map(newsletterView),
      }),
      {
        query: OfPhone,
        response: { 200: ListView, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({ operationId: "listNewsletters", isolation }),
          summary: "List the newsletters that a phone follows or owns",
          description: "WhatsApp calls them channels. The network is asked. SESSION only.",
        },
      },
    )
    .post(
      "/",
      async ({ principal, body: { phoneId, ...input }, status }) =>
        status(201, newsletterView(await createNewsletter(env, principal, { channelId: phoneId, ...input }))),
      {
        body: CreateBody,
        response: { 201: NewsletterView, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({ operationId: "createNewsletter", ...daily }),
          summary: "Make a newsletter",
          description:
            "At most two a day in the first month, then five. The phone's owner accepts the network's terms for " +
            "channels in the app first. SESSION only.",
        },
      },
    )
    .get(
      "/:newsletterId",
      async ({ principal, params, query: { phoneId } }) =>
        newsletterView(await readNewsletter(env, principal, { channelId: phoneId, id: params.newsletterId })),
      {
        query: OfPhone,
        response: one,
        detail: {
          ...route({ operationId: "getNewsletter", isolation }),
          summary: "Look at a newsletter, followed or not",
          description:
            "`newsletterId` may also be its invite link (percent-encoded) or the code of that link. SESSION only.",
        },
      },
    )
    .patch(
      "/:newsletterId",
      async ({ principal, params, body: { phoneId, picture, ...changes }, status }) => {
        await changeNewsletter(
          env,
          principal,
          { channelId: phoneId, id: params.newsletterId },
          {
            ...changes,
            ...(picture === undefined ? {} : { picture: picture && pictureOf(env, picture, "picture") }),
          },
        );
        return status(204, undefined);
      },
      {
        body: PatchBody,
        response: done,
        detail: {
          ...route({ operationId: "updateNewsletter", ...daily, maxBodyBytes: MAX_PICTURE_BODY_BYTES }),
          summary: "Change the name, description, picture or reactions of a newsletter",
          description:
            "Its owner and its administrators may. A missing field stays unchanged; at least one is given. SESSION only.",
        },
      },
    )
    .delete(
      "/:newsletterId",
      async ({ principal, params, query: { phoneId }, status }) => {
        await removeNewsletter(env, principal, { channelId: phoneId, id: params.newsletterId });
        return status(204, undefined);
      },
      {
        query: OfPhone,
        response: done,
        detail: {
          ...route({ operationId: "deleteNewsletter", ...daily }),
          summary: "Delete a newsletter for everybody",
          description: "Its owner may. It cannot be taken back. SESSION only.",
        },
      },
    )
    .put(
      "/:newsletterId/follow",
      async ({ principal, params, query: { phoneId }, status }) => {
        await setFollowed(env, principal, { channelId: phoneId, id: params.newsletterId }, true);
        return status(204, undefined);
      },
      {
        query: OfPhone,
        response: done,
        detail: {
          ...route({ operationId: "followNewsletter", ...daily }),
          summary: "Follow a newsletter",
          description: "newsletter:changed reports it. SESSION only.",
        },
      },
    )
    .delete(
      "/:newsletterId/follow",
      async ({ principal, params, query: { phoneId }, status }) => {
        await setFollowed(env, principal, { channelId: phoneId, id: params.newsletterId }, false);
        return status(204, undefined);
      },
      {
        query: OfPhone,
        response: done,
        detail: {
          ...route({ operationId: "unfollowNewsletter", ...daily }),
          summary: "Unfollow a newsletter",
          description: "newsletter:changed reports it. SESSION only.",
        },
      },
    )
    .put(
      "/:newsletterId/mute",
      async ({ principal, params, query: { phoneId }, status }) => {
        await setNewsletterMuted(env, principal, { channelId: phoneId, id: params.newsletterId }, true);
        return status(204, undefined);
      },
      {
        query: OfPhone,
        response: done,
        detail: {
          ...route({ operationId: "muteNewsletter", ...daily }),
          summary: "Mute a newsletter",
          description: "The app then announces none of its posts. SESSION only.",
        },
      },
    )
    .delete(
      "/:newsletterId/mute",
      async ({ principal, params, query: { phoneId }, status }) => {
        await setNewsletterMuted(env, principal, { channelId: phoneId, id: params.newsletterId }, false);
        return status(204, undefined);
      },
      {
        query: OfPhone,
        response: done,
        detail: {
          ...route({ operationId: "unmuteNewsletter", ...daily }),
          summary: "Unmute a newsletter",
          description: "SESSION only.",
        },
      },
    )
    .post(
      "/:newsletterId/live-updates",
      async ({ principal, params, query: { phoneId } }) => {
        const { forMs } = await watchNewsletter(env, principal, { channelId: phoneId, id: params.newsletterId });
        return { seconds: Math.floor(forMs / SECOND_MS) };
      },
      {
        query: OfPhone,
        response: {
          200: Type.Object(
            { seconds: Type.Integer({ description: "For how many seconds events come", examples: [300] }) },
            { title: "NewsletterLiveUpdates" },
          ),
          ...UPSTREAM_REFUSALS,
        },
        detail: {
          ...route({ operationId: "watchNewsletter", ...daily }),
          summary: "Get newsletter:counts events for some minutes",
          description: "The network ends it by itself; another request prolongs it. SESSION only.",
        },
      },
    )
    .get(
      "/:newsletterId/messages",
      async ({ principal, params, query: { phoneId, limit, before } }) => {
        const most = limitOf(limit);
        const posts = await newsletterPosts(env, principal, {
          channelId: phoneId,
          id: params.newsletterId,
          limit: most,
          before,
        });
        return {
          items: posts.map(postView),
          nextBefore: posts.length < most ? null : (posts.at(-1)?.serverId ?? null),
        };
      },
      {
        query: Type.Object({
          ...OfPhone.properties,
          limit: QueryLimit(MOST_POSTS, 25),
          before: Type.Optional(described(Text(1, 12), "Only posts before the one with this `serverId`", "107")),
        }),
        response: { 200: PostsView, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({ operationId: "listNewsletterMessages", isolation }),
          summary: "List the posts of a newsletter with their views and reactions",
          description: "Newest first, as the network has them now. Files are described, not fetched. SESSION only.",
        },
      },
    )
    .put(
      "/:newsletterId/messages/:serverId/reaction",
      async ({ principal, params, body: { phoneId, emoji }, status }) => {
        const { newsletterId: id, serverId } = params;
        await reactToPost(env, principal, { channelId: phoneId, id, serverId, emoji });
        return status(204, undefined);
      },
      {
        body: Type.Object(
          { phoneId: described(Uuid(), "The phone that reacts", IDS.phone), emoji: Emoji },
          { title: "NewsletterReaction" },
        ),
        response: done,
        detail: {
          ...route({ operationId: "reactToNewsletterMessage", ...daily }),
          summary: "React to a post of any newsletter",
          description: "Posts that were sent here also take `POST /v1/messages/{id}/react`. SESSION only.",
        },
      },
    );
