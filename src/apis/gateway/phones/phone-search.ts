import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { LINK_STATES } from "../../../contract/events.ts";
import { searchChannels } from "../../../core/channels/search.ts";
import { webhooksByChannel } from "../../../core/channels/settings/webhooks.ts";
import { invalid } from "../../../kernel/errors.ts";
import { lowerIn } from "../../../kernel/ids.ts";
import { gatewayLimit } from "../../../kernel/page.ts";
import { described, issue, issuesOf, KnownWord, OneOf, Text, Uuid } from "../../../kernel/schema.ts";
import { Cursor } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Page, QueryLimit, REFUSALS } from "../schemas.ts";
import { phoneView, phoneViewSchema } from "./phones.ts";

/** One id for each row of a page. */
const MOST_IDS = 100;
const Id = Uuid();

/** @throws AppError VALIDATION for a text that is not an id, or for too many ids */
const idsIn = (text: string | undefined): string[] | undefined => {
  const ids = text?.split(",").map(lowerIn);
  if (ids && ids.length > MOST_IDS) throw invalid(issue("ids", "maximum", `must be at most ${MOST_IDS}`));
  const issues = ids?.flatMap((id) => issuesOf(Id, id, "ids"));
  if (issues && issues.length > 0) throw invalid(...issues);
  return ids;
};

const searchQuery = ({ kinds }: GatewayEnv["registry"]) =>
  Type.Object({
    q: Type.Optional(described(Text(1, 200), "Words of the name, or four digits of the number")),
    ids: Type.Optional(described(Text(1, 4000), "Only these phones: at most 100 ids, separated by commas")),
    type: Type.Optional(KnownWord(kinds, { title: "PhoneType", description: "Only phones of this type" })),
    status: Type.Optional(OneOf(LINK_STATES, { title: "PhoneStatus", description: "Only phones with this status" })),
    limit: QueryLimit(),
    cursor: Type.Optional(Cursor(Uuid())),
  });

/** Phones by words and page by page, for accounts with many. */
export const phoneSearch = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones/search", tags: ["phones"] }).use(auth).get(
    "/",
    async ({ principal, query: { q, ids, type, status, limit, cursor } }) => {
      const { items, nextCursor } = await searchChannels(env, principal, {
        q,
        ids: idsIn(ids),
        kind: type,
        state: status,
        cursor,
        limit: gatewayLimit(limit),
      });
      const webhooks = await webhooksByChannel(
        env,
        principal,
        items.map(({ id }) => id),
      );
      return { items: items.map((channel) => phoneView(env, channel, webhooks.get(channel.id))), nextCursor };
    },
    {
      query: searchQuery(env.registry),
      response: { 200: Page(phoneViewSchema(env.registry)), ...REFUSALS },
      detail: {
        ...route({ operationId: "searchPhones", isolation: { ids: "channel", cursor: "channel" } }),
        summary: "Search the account's phones, newest first",
        description:
          "One page reads at most 10,000 phones. It may be short, or empty, although `nextCursor` says that " +
          "more follows.",
      },
    },
  );
