import { Elysia } from "elysia";
import { getBusinessHours, setBusinessHours } from "../../core/messaging/business-hours.ts";
import { HoursBody, HoursView, hoursOf, hoursView } from "../shared/business-hours.ts";
import type { PlatformAuth } from "./auth.ts";
import type { PlatformEnv } from "./env.ts";
import { route } from "./route-options.ts";
import { REFUSALS } from "./schemas.ts";

const ONE = { 200: HoursView, ...REFUSALS };

/** The business hours of the institution. Its batches respect them if they are set to. */
export const businessHours = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia({ prefix: "/v1/business-hours", tags: ["channels"] })
    .use(auth)
    .get("/", async ({ principal }) => hoursView(await getBusinessHours(env, principal, undefined)), {
      response: ONE,
      detail: {
        ...route({ operationId: "getBusinessHours", permission: "channels.read", isolation: "own" }),
        summary: "Get the institution's business hours, and whether it is open now",
        description: "`hours` is null while none are set: then it is always open.",
      },
    })
    .put(
      "/",
      async ({ principal, body }) => hoursView(await setBusinessHours(env, principal, undefined, hoursOf(body))),
      {
        body: HoursBody,
        response: ONE,
        detail: {
          ...route({
            operationId: "setBusinessHours",
            permission: "channels.write",
            acts: ["hours.change"],
            isolation: "own",
          }),
          summary: "Set the institution's business hours",
          description:
            "Batches respect the hours if they are set to. `timeZone` is one of the IANA database; the week " +
            "opens at least once, and no date is named twice.",
        },
      },
    );
