import { Elysia } from "elysia";
import { getBusinessHours, setBusinessHours } from "../../../core/messaging/business-hours.ts";
import { HoursBody, HoursView, hoursOf, hoursView } from "../../shared/business-hours.ts";
import { inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Nothing, PHONE_IN_PATH, REFUSALS } from "../schemas.ts";

const ONE = { 200: HoursView, ...REFUSALS };
const RULES =
  "Agents, batches and scheduled messages respect the hours if they are set to. `timeZone` is one of " +
  "the IANA database; the week opens at least once, and no date is named twice.";

/** The business hours of the account, and of phones with hours of their own. */
export const businessHours = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1", tags: ["phones"], detail: inPath(PHONE_IN_PATH) })
    .use(auth)
    .use(ofAccount(env, auth))
    .use(ofPhone(env, auth));

const ofAccount = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia()
    .use(auth)
    .get("/business-hours", async ({ principal }) => hoursView(await getBusinessHours(env, principal, undefined)), {
      response: ONE,
      detail: {
        ...route({ operationId: "getBusinessHours", isolation: "own" }),
        summary: "Get the account's business hours, and whether it is open now",
        description: "`hours` is null while none are set: then it is always open.",
      },
    })
    .put(
      "/business-hours",
      async ({ principal, body }) => hoursView(await setBusinessHours(env, principal, undefined, hoursOf(body))),
      {
        body: HoursBody,
        response: ONE,
        detail: {
          ...route({ operationId: "setBusinessHours", acts: ["hours.change"], isolation: "own" }),
          summary: "Set the account's business hours",
          description: RULES,
        },
      },
    )
    .delete(
      "/business-hours",
      async ({ principal, status }) => {
        await setBusinessHours(env, principal, undefined, null);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          ...route({ operationId: "deleteBusinessHours", acts: ["hours.change"], isolation: "own" }),
          summary: "Remove the account's business hours: always open",
          description: "Phones with hours of their own keep them.",
        },
      },
    );

const ofPhone = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia()
    .use(auth)
    .get(
      "/phones/:id/business-hours",
      async ({ principal, params }) => hoursView(await getBusinessHours(env, principal, params.id)),
      {
        response: ONE,
        detail: {
          ...route({ operationId: "getPhoneBusinessHours", isolation: { id: "channel" } }),
          summary: "Get the business hours that count for a phone, and whether it is open now",
          description: "`source` says whether they are the phone's own or the account's.",
        },
      },
    )
    .put(
      "/phones/:id/business-hours",
      async ({ principal, params, body }) =>
        hoursView(await setBusinessHours(env, principal, params.id, hoursOf(body))),
      {
        body: HoursBody,
        response: ONE,
        detail: {
          ...route({ operationId: "setPhoneBusinessHours", acts: ["hours.change"], isolation: { id: "channel" } }),
          summary: "Set a phone's own business hours, in place of the account's",
          description: RULES,
        },
      },
    )
    .delete(
      "/phones/:id/business-hours",
      async ({ principal, params, status }) => {
        await setBusinessHours(env, principal, params.id, null);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          ...route({ operationId: "deletePhoneBusinessHours", acts: ["hours.change"], isolation: { id: "channel" } }),
          summary: "Remove a phone's own hours: the account's count again",
          description: "The phone then follows the account's hours.",
        },
      },
    );
