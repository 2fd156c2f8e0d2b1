import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { agentsPage } from "../../../core/ai/agents.ts";
import { gatewayLimit } from "../../../kernel/page.ts";
import { described, Uuid } from "../../../kernel/schema.ts";
import { Cursor } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Page, QueryLimit, REFUSALS } from "../schemas.ts";
import { AgentView, agentView } from "./agents.ts";

const ListedView = Type.Composite(
  [
    AgentView,
    Type.Object({
      documentCount: Type.Integer({ description: "How many documents it has, learnt or not", examples: [3] }),
      usedTokens: Type.Integer({ description: "Tokens that it has used since midnight UTC", examples: [20000] }),
    }),
  ],
  { title: "ListedAgent" },
);

/** The agents of all phones. */
export const agentList = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/ai/agents", tags: ["ai"] }).use(auth).get(
    "/",
    async ({ principal, query: { phoneId, limit, cursor } }) => {
      const page = { channelId: phoneId, cursor, limit: gatewayLimit(limit) };
      const { items, nextCursor } = await agentsPage(env, principal, page);
      return {
        items: items.map(({ documentCount, usedTokens, ...agent }) => ({
          ...agentView(env, agent),
          documentCount,
          usedTokens,
        })),
        nextCursor,
      };
    },
    {
      query: Type.Object({
        phoneId: Type.Optional(described(Uuid(), "Only entries of this phone")),
        limit: QueryLimit(),
        cursor: Type.Optional(Cursor(Uuid())),
      }),
      response: { 200: Page(ListedView), ...REFUSALS },
      detail: {
        ...route({ operationId: "listAgents", isolation: { phoneId: "channel" } }),
        summary: "List the agents of the account's phones",
        description:
          "With the number of their documents, and the tokens that they have used today. The newest phone comes first.",
      },
    },
  );
