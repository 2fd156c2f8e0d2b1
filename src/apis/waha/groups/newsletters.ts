import { Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import type { Newsletter } from "../../../contract/abilities/newsletters.ts";
import type { Channel } from "../../../core/channels/channel.ts";
import {
  createNewsletter,
  type ListedPost,
  listNewsletters,
  newsletterPosts,
  readNewsletter,
  removeNewsletter,
  setFollowed,
  setNewsletterMuted,
} from "../../../core/messaging/newsletters.ts";
import { OneOf, Text } from "../../../kernel/schema.ts";
import { MAX_LONG_BODY_BYTES } from "../../shared/http/request.ts";
import { sessionOf, type WahaAuth } from "../auth.ts";
import type { WahaEnv } from "../env.ts";
import { FileBody, pictureIn } from "../files.ts";
import { messageView } from "../message-views.ts";
import { Count, Flag } from "../pages.ts";
import { routeOptions } from "../route-options.ts";

const ROLES = ["OWNER", "ADMIN", "SUBSCRIBER"] as const;

/** WAHA's id of a newsletter. */
const newsletterIdOf = ({ newsletterId }: Pick<Newsletter, "newsletterId">): string => `${newsletterId}@newsletter`;

const channelView = (newsletter: Newsletter) => ({
  id: newsletterIdOf(newsletter),
  name: newsletter.name,
  description: newsletter.description,
  invite: newsletter.inviteLink,
  preview: null,
  picture: null,
  verified: newsletter.isVerified,
  role: newsletter.role.toUpperCase(),
  subscribersCount: newsletter.subscriberCount,
});

/** A post as a message of the newsletter. A deleted post has no content. */
const postView = (chatId: string, post: ListedPost) => ({
  message: messageView({
    id: post.messageId ?? post.key ?? post.serverId,
    chatId,
    fromMe: post.isOwn,
    me: null,
    at: post.at,
    said: post.content ?? { type: "protocolMessage", content: { type: "REVOKE" } },
    ack: "SERVER",
  }),
  reactions: Object.fromEntries(post.reactions.map(({ emoji, count }) => [emoji, count])),
  viewCount: post.views,
});

const MOST_POSTS = 100;
const USUAL_POSTS = 10;
const read = { ...routeOptions({ scope: "groups.read", link: "required" }) };
const write = { ...routeOptions({ scope: "groups.write", link: "required", maxBodyBytes: MAX_LONG_BODY_BYTES }) };

/** An id, an invite link or the code of a link: programs put a link into a path with its slashes encoded. */
const isNewsletterId = (text: string): boolean => /^\d+@newsletter$/.test(text);

/** The newsletters of the session, which WAHA calls channels, as WhatsApp does. */
export const newsletters = (env: WahaEnv, auth: WahaAuth) =>
  new Elysia({ prefix: "/api/:session/channels" }).use(newsletterList(env, auth)).use(newsletterActs(env, auth));

const named = ({ id: channelId }: Channel, id: string) => ({ channelId, id });

/** The newsletters themselves. */
const newsletterList = (env: WahaEnv, auth: WahaAuth) =>
  new Elysia()
    .use(auth)
    .get(
      "/",
      async ({ principal, request, query: { role } }) => {
        const found = (await listNewsletters(env, principal, sessionOf(request).id)).map(channelView);
        return role ? found.filter((one) => one.role === role) : found;
      },
      { query: Type.Object({ role: Type.Optional(OneOf(["", ...ROLES])) }), detail: read },
    )
    .post(
      "/",
      async ({ principal, request, body: { name, description, picture } }) => {
        const session = sessionOf(request);
        const source = picture ? pictureIn(env, { field: "picture", file: picture }) : undefined;
        const made = await createNewsletter(env, principal, {
          channelId: session.id,
          name,
          ...(description ? { description } : {}),
          ...(source ? { picture: source } : {}),
        });
        return status(201, channelView(made));
      },
      {
        body: Type.Object({
          name: Text(1, 100),
          description: Type.Optional(Type.Union([Text(0, 2048), Type.Null()])),
          picture: Type.Optional(Type.Union([FileBody, Type.Null()])),
        }),
        detail: write,
      },
    )
    .get(
      "/:id",
      async ({ principal, request, params: { id } }) =>
        channelView(await readNewsletter(env, principal, named(sessionOf(request), id))),
      { detail: read },
    )
    .delete(
      "/:id",
      async ({ principal, request, params: { id } }) => {
        await removeNewsletter(env, principal, named(sessionOf(request), id));
        return "";
      },
      { detail: write },
    )
    .get(
      "/:id/messages/preview",
      async ({ principal, request, params: { id }, query: { limit } }) => {
        const session = sessionOf(request);
        const chatId = isNewsletterId(id)
          ? id
          : newsletterIdOf(await readNewsletter(env, principal, named(session, id)));
        const posts = await newsletterPosts(env, principal, {
          ...named(session, chatId),
          limit: Math.min(Number(limit || USUAL_POSTS) || 1, MOST_POSTS),
          before: undefined,
        });
        return posts.map((post) => postView(chatId, post));
      },
      { query: Type.Object({ limit: Count, downloadMedia: Flag }), detail: read },
    );

/** What the session does with the newsletters of others. */
const newsletterActs = (env: WahaEnv, auth: WahaAuth) =>
  new Elysia()
    .use(auth)
    .post(
      "/:id/follow",
      async ({ principal, request, params: { id } }) => {
        await setFollowed(env, principal, named(sessionOf(request), id), true);
        return status(201, "");
      },
      { detail: write },
    )
    .post(
      "/:id/unfollow",
      async ({ principal, request, params: { id } }) => {
        await setFollowed(env, principal, named(sessionOf(request), id), false);
        return status(201, "");
      },
      { detail: write },
    )
    .post(
      "/:id/mute",
      async ({ principal, request, params: { id } }) => {
        await setNewsletterMuted(env, principal, named(sessionOf(request), id), true);
        return status(201, "");
      },
      { detail: write },
    )
    .post(
      "/:id/unmute",
      async ({ principal, request, params: { id } }) => {
        await setNewsletterMuted(env, principal, named(sessionOf(request), id), false);
        return status(201, "");
      },
      { detail: write },
    );
