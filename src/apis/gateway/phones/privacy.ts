import { type TSchema, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { DISAPPEARING_SECONDS, PRIVACY_VALUES, type PrivacyName } from "../../../contract/abilities/privacy.ts";
import { changePrivacy, getPrivacy } from "../../../core/channels/privacy.ts";
import { described, KnownWord, Nullable, OneOf } from "../../../kernel/schema.ts";
import { inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { PHONE_IN_PATH, UPSTREAM_REFUSALS } from "../schemas.ts";

const TEXTS: Readonly<Record<PrivacyName, string>> = {
  lastSeen: "Who sees when the account was last online",
  online: "Who sees that the account is online: all, or who sees the last time",
  picture: "Who sees the picture",
  about: "Who sees the about text",
  readReceipts: "Whether people learn that their messages were read; `none` hides theirs from the account too",
  groupAdd: "Who may add the account to groups",
  callAdd: "Who may call: all, or people whom the account knows",
};
const DISAPPEARING = "The seconds after which messages of new chats disappear; 0 if they stay";

const each = <Schema extends TSchema>(schemaOf: (name: PrivacyName) => Schema) =>
  Object.fromEntries(Object.keys(TEXTS).map((name) => [name, schemaOf(name as PrivacyName)])) as Record<
    PrivacyName,
    Schema
  >;
const valuesOf = (name: PrivacyName): readonly string[] => PRIVACY_VALUES[name];

const PrivacyView = Type.Object(
  {
    ...each((name) =>
      described(
        Nullable(KnownWord(valuesOf(name))),
        `${TEXTS[name]}; null if the network does not say it`,
        valuesOf(name)[0],
      ),
    ),
    defaultDisappearingSeconds: described(
      Nullable(Type.Integer()),
      `${DISAPPEARING}; null if the network does not say it`,
      604_800,
    ),
  },
  { title: "PrivacySettings" },
);
const PrivacyBody = Type.Object(
  {
    lastSeen: Type.Optional(described(OneOf(PRIVACY_VALUES.lastSeen), TEXTS.lastSeen, "contacts")),
    online: Type.Optional(described(OneOf(PRIVACY_VALUES.online), TEXTS.online, "match_last_seen")),
    picture: Type.Optional(described(OneOf(PRIVACY_VALUES.picture), TEXTS.picture, "contacts")),
    about: Type.Optional(described(OneOf(PRIVACY_VALUES.about), TEXTS.about, "contacts")),
    readReceipts: Type.Optional(described(OneOf(PRIVACY_VALUES.readReceipts), TEXTS.readReceipts, "none")),
    groupAdd: Type.Optional(described(OneOf(PRIVACY_VALUES.groupAdd), TEXTS.groupAdd, "contacts")),
    callAdd: Type.Optional(described(OneOf(PRIVACY_VALUES.callAdd), TEXTS.callAdd, "known")),
    defaultDisappearingSeconds: Type.Optional(
      described(
        Type.Union(DISAPPEARING_SECONDS.map((seconds) => Type.Literal(seconds))),
        `${DISAPPEARING}: a day, a week or 90 days`,
        604_800,
      ),
    ),
  },
  { title: "PrivacyChanges" },
);

/** The privacy settings of a phone's account. */
export const privacy = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"], detail: inPath(PHONE_IN_PATH) })
    .use(auth)
    .get("/:id/privacy", ({ principal, params }) => getPrivacy(env, principal, params.id), {
      response: { 200: PrivacyView, ...UPSTREAM_REFUSALS },
      detail: {
        ...route({ operationId: "getPrivacySettings", isolation: { id: "channel" }, link: "required" }),
        summary: "Get the privacy settings of the phone's account",
        description: "SESSION only.",
      },
    })
    .patch(
      "/:id/privacy",
      ({ principal, params, body }) => changePrivacy(env, principal, { id: params.id, changes: body }),
      {
        body: PrivacyBody,
        response: { 200: PrivacyView, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({
            operationId: "updatePrivacySettings",
            acts: "none: own settings",
            isolation: { id: "channel" },
            link: "required",
          }),
          summary: "Change privacy settings of the phone's account",
          description:
            "A missing field stays unchanged. They are changed one after the other: after a refusal, the earlier ones " +
            "are changed. SESSION only.",
        },
      },
    );
