import { Elysia } from "elysia";
import type { ProfileChanges } from "../../contract/abilities/onboarding.ts";
import { changeOwnProfile, getOwnProfile } from "../../core/channels/people.ts";
import { changeBusinessProfile, getBusinessProfile } from "../../core/channels/settings/business.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Json } from "../../kernel/texts/json.ts";
import { given, optionalField, textIn } from "../shared/loose-fields.ts";
import { type CloudAuth, type Principal, requireNumber } from "./auth.ts";
import { paramsOf } from "./bodies.ts";
import type { CloudEnv } from "./env.ts";
import { picked } from "./numbers.ts";
import { routeOptions } from "./route-options.ts";

/** The profile of a phone's owner, as the network shows it. */
export const profile = (env: CloudEnv, auth: CloudAuth) => {
  const detail = routeOptions({ link: "required" });
  return new Elysia()
    .use(auth)
    .get(
      "/:version/:id/whatsapp_business_profile",
      async ({ principal, params, request }) => {
        requireNumber(principal, params.id);
        const { fields } = await paramsOf(env, request);
        const { id: _, ...node } = picked({ ...(await profileNode(env, principal)) }, fields);
        return { data: [{ ...node, messaging_product: "whatsapp" }] };
      },
      { detail },
    )
    .post(
      "/:version/:id/whatsapp_business_profile",
      async ({ principal, params, request }) => {
        requireNumber(principal, params.id);
        await change(env, principal, await paramsOf(env, request));
        return { success: true };
      },
      { detail },
    );
};

/** Undefined for a phone whose network has no such profiles. */
const ofBusiness = async <Result>(call: Promise<Result>): Promise<Result | undefined> => {
  try {
    return await call;
  } catch (refusal) {
    if (refusal instanceof AppError && refusal.code === "CHANNEL_NOT_FOUND") return undefined;
    throw refusal;
  }
};

const profileNode = async (env: CloudEnv, { tenantId, channelId }: Principal): Promise<Json> => {
  const business = await ofBusiness(getBusinessProfile(env, { tenantId }, channelId));
  if (business) {
    const { profilePictureUrl, websites, ...texts } = business;
    return given({ ...texts, websites, profile_picture_url: profilePictureUrl });
  }
  const { about, pictureUrl } = await getOwnProfile(env, { tenantId }, channelId);
  return given({ about, profile_picture_url: pictureUrl });
};

const TEXTS = ["about", "address", "description", "email", "vertical"] as const;

const change = async (env: CloudEnv, { tenantId, channelId }: Principal, params: Json): Promise<void> => {
  const websites = optionalField(params, "websites");
  const changes: ProfileChanges = {
    ...Object.fromEntries(TEXTS.flatMap((name) => (params[name] === undefined ? [] : [[name, textIn(params, name)]]))),
    ...given({ profilePictureHandle: textIn(params, "profile_picture_handle") }),
    ...(Array.isArray(websites) ? { websites: websites.map(String) } : {}),
  };
  if (await ofBusiness(changeBusinessProfile(env, { tenantId }, channelId, changes))) return;
  const { about } = changes;
  await changeOwnProfile(env, { tenantId }, { id: channelId, changes: about === undefined ? {} : { about } });
};
