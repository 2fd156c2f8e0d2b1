import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { IceBreakers, Menu } from "../../../contract/abilities/entries.ts";
import { clearEntry, getEntry, putEntry } from "../../../core/channels/settings/entries.ts";
import { described } from "../../../kernel/schema.ts";
import { inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Nothing, PHONE_IN_PATH, UPSTREAM_REFUSALS } from "../schemas.ts";

const QUESTIONS = "The questions that a new chat offers, one set for each language";
const ENTRIES = "The entries that every chat offers, one set for each language";

const Shown = <Entry extends typeof IceBreakers | typeof Menu>(schema: Entry): Entry => ({ ...schema, minItems: 0 });
const IceBreakersView = Type.Object(
  { iceBreakers: described(Shown(IceBreakers), QUESTIONS) },
  { title: "IceBreakers" },
);
const MenuView = Type.Object({ menu: described(Shown(Menu), ENTRIES) }, { title: "Menu" });

/** The questions that people are offered before the first message, and the menu beside their messages (Instagram). */
export const entries = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"], detail: inPath(PHONE_IN_PATH) })
    .use(iceBreakers(env, auth))
    .use(menu(env, auth));

const iceBreakers = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia()
    .use(auth)
    .get(
      "/:id/ice-breakers",
      async ({ principal, params }) => ({ iceBreakers: await getEntry(env, principal, params.id, "iceBreakers") }),
      {
        response: { 200: IceBreakersView, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({ operationId: "getIceBreakers", isolation: { id: "channel" } }),
          summary: "Get the questions that people are offered, by language",
          description: "SOCIAL only.",
        },
      },
    )
    .put(
      "/:id/ice-breakers",
      async ({ principal, params, body: { iceBreakers: entry } }) => {
        await putEntry(env, principal, params.id, { which: "iceBreakers", entry });
        return { iceBreakers: entry };
      },
      {
        body: Type.Object({
          iceBreakers: described(IceBreakers, QUESTIONS),
        }),
        response: { 200: IceBreakersView, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({ operationId: "putIceBreakers", acts: "none: own settings", isolation: { id: "channel" } }),
          summary: "Replace the questions that people are offered",
          description: "One entry has the locale `default`, and no locale comes twice. SOCIAL only.",
        },
      },
    )
    .delete(
      "/:id/ice-breakers",
      async ({ principal, params, status }) => {
        await clearEntry(env, principal, params.id, "iceBreakers");
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({ operationId: "deleteIceBreakers", acts: "none: own settings", isolation: { id: "channel" } }),
          summary: "Offer no questions",
          description: "SOCIAL only.",
        },
      },
    );

const menu = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia()
    .use(auth)
    .get("/:id/menu", async ({ principal, params }) => ({ menu: await getEntry(env, principal, params.id, "menu") }), {
      response: { 200: MenuView, ...UPSTREAM_REFUSALS },
      detail: {
        ...route({ operationId: "getMenu", isolation: { id: "channel" } }),
        summary: "Get the menu beside the messages, by language",
        description: "SOCIAL only.",
      },
    })
    .put(
      "/:id/menu",
      async ({ principal, params, body: { menu: entry } }) => {
        await putEntry(env, principal, params.id, { which: "menu", entry });
        return { menu: entry };
      },
      {
        body: Type.Object({ menu: described(Menu, ENTRIES) }),
        response: { 200: MenuView, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({ operationId: "putMenu", acts: "none: own settings", isolation: { id: "channel" } }),
          summary: "Replace the menu beside the messages",
          description: "One entry has the locale `default`, and no locale comes twice. SOCIAL only.",
        },
      },
    )
    .delete(
      "/:id/menu",
      async ({ principal, params, status }) => {
        await clearEntry(env, principal, params.id, "menu");
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({ operationId: "deleteMenu", acts: "none: own settings", isolation: { id: "channel" } }),
          summary: "Show no menu",
          description: "SOCIAL only.",
        },
      },
    );
