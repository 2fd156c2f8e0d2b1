import { type Static, Type } from "@sinclair/typebox";
import { OneOf, Text } from "../../../src/kernel/schema.ts";
import { LOSSES } from "../graph/seeds.ts";

// The objects that a test sets up in the simulator. Unknown keys are refused, so that a typing error is noticed.
const strict = { additionalProperties: false } as const;
const optional = Type.Optional;
const Id = Text(1, 64);
const Token = Text(1, 500);
const Flag = optional(Type.Boolean());
const Count = optional(Type.Integer({ minimum: 0 }));
/** Milliseconds since the epoch. */
const Time = optional(Type.Number());

export const BASIC = "instagram_business_basic";
export const MESSAGES = "instagram_business_manage_messages";
export const SCOPES = [
  BASIC,
  MESSAGES,
  "instagram_business_manage_comments",
  "instagram_business_content_publish",
  "instagram_business_manage_insights",
] as const;
export type Scope = (typeof SCOPES)[number];
const Scopes = optional(Type.Array(OneOf(SCOPES)));

/**
 * An Instagram app. `isHumanAgentApproved` (default false): whether Meta has reviewed its use of the tag HUMAN_AGENT.
 */
export const AppSeed = Type.Object(
  { appId: Id, appSecret: Text(1, 200), redirectUris: Type.Array(Text(1, 2048)), isHumanAgentApproved: Flag },
  strict,
);
export type AppSeed = Static<typeof AppSeed>;

/**
 * A professional account. Tokens named here are long-lived, with the scopes `instagram_business_basic` and
 * `instagram_business_manage_messages`.
 */
export const AccountSeed = Type.Object(
  {
    /** `user_id` of `/me`: the id of paths and of webhooks. */
    igUserId: Type.String({ pattern: "^\\d{1,20}$" }),
    /** `id` of `/me`, which has no other use. Made up if it is missing. */
    appScopedId: optional(Type.String({ pattern: "^\\d{1,20}$" })),
    username: optional(Text(1, 60)),
    name: optional(Text(1, 200)),
    /** As `/me` spells it: `BUSINESS` (default), `Business`, `MEDIA_CREATOR`, `Media_Creator`, … */
    accountType: optional(Text(1, 40)),
    followersCount: Count,
    tokens: optional(Type.Array(Token)),
    /**
     * False: neither the app is live nor the account its tester, and every call is refused with 100 "Unsupported
     * request".
     */
    isAuthorised: Flag,
  },
  strict,
);
export type AccountSeed = Static<typeof AccountSeed>;

/**
 * An Instagram user. An unnamed user is made at their first message. `hasWrittenTo`: the accounts they have written to
 * just now.
 */
export const UserSeed = Type.Object(
  {
    igsid: Type.String({ pattern: "^\\d{1,20}$" }),
    username: optional(Text(1, 60)),
    /** Null without a picture. */
    name: optional(Type.Union([Text(1, 200), Type.Null()])),
    followerCount: Count,
    isVerified: Flag,
    isFollowingBusiness: Flag,
    isFollowedByBusiness: Flag,
    hasWrittenTo: optional(Type.Array(Id)),
  },
  strict,
);
export type UserSeed = Static<typeof UserSeed>;

/**
 * An access token of an account: `short` lives one hour, `long` (default) 60 days, from `issuedAt` (default now) unless
 * `expiresAt` says otherwise.
 */
export const TokenSeed = Type.Object(
  {
    token: Token,
    igUserId: Id,
    appId: optional(Id),
    kind: optional(OneOf(["short", "long"])),
    scopes: Scopes,
    issuedAt: Time,
    expiresAt: Time,
  },
  strict,
);
export type TokenSeed = Static<typeof TokenSeed>;

/**
 * A user who authorises an app without a browser. `appId` default the first app, `igUserId` who is signed in, `scopes`
 * default basic and messages.
 */
export const Authorization = Type.Object(
  { redirectUri: Text(1, 2048), appId: optional(Id), igUserId: optional(Id), scopes: Scopes },
  strict,
);
export type Authorization = Static<typeof Authorization>;

/** A comment of a user, which may be answered by one private message within seven days of `at` (default now). */
export const CommentSeed = Type.Object({ igUserId: Id, commentId: Id, from: Id, at: Time }, strict);
export type CommentSeed = Static<typeof CommentSeed>;

/** Sets how the simulator behaves from now on. Settings that are not named stay. */
export const SettingsPatch = Type.Object(
  {
    version: optional(Text(1, 10)),
    /** The user's act on the authorize page: agree, or cancel. */
    authorization: optional(OneOf(["grant", "cancel"])),
    /** The account that is signed in at the authorize page; empty: the account added first. */
    signedInAs: optional(Text(0, 64)),
    /** Scopes the user unticks there. */
    declinedScopes: Scopes,
    /**
     * The answer to a code: `data` is the documented one, with the app-scoped id as text; `flat` has the account's id
     * as a bare number.
     */
    tokenAnswer: optional(OneOf(["data", "flat"])),
    /** How that answer lists permissions. */
    permissionsAs: optional(OneOf(["text", "list"])),
    /** `data` wraps the answer of `/me` in `data: […]`, as Meta's sample does. */
    meAnswer: optional(OneOf(["flat", "data"])),
    /** Whether messages outside the 24 hours are refused; default true. */
    isWindowEnforced: Flag,
    /**
     * Echoes of accepted sends: none (default), right after the answer, or before it, which then waits for the
     * webhook's end.
     */
    echoes: optional(OneOf(["off", "after", "before"])),
    /** Whether webhooks go only to accounts whose `subscribed_apps` is not empty. */
    isSubscriptionRequired: Flag,
    /**
     * Whether attachments on this machine are fetched and checked, as Instagram does; default true. Others are accepted
     * unseen.
     */
    isMediaFetched: Flag,
    /** Whether a message may have several images; default true. */
    takesSeveralImages: Flag,
    /** How long a link to an attachment holds; default 24 hours. */
    mediaTtlMs: Count,
  },
  strict,
);
export type SettingsPatch = Static<typeof SettingsPatch>;

const code = Type.Integer({ minimum: 0 });

/**
 * The outcome of a valid request. `isAccepted`: whether it was accepted all the same, which the answer does not show;
 * default false.
 */
export const Failure = Type.Union([
  /** An error in the form of its host; missing parts come from the catalogue. */
  Type.Object(
    {
      kind: Type.Literal("error"),
      code,
      subcode: optional(code),
      message: optional(Text(0, 1000)),
      httpStatus: optional(Type.Integer({ minimum: 400, maximum: 599 })),
      isAccepted: Flag,
    },
    strict,
  ),
  ...LOSSES,
]);
export type Failure = Static<typeof Failure>;

/**
 * Which requests a failure is for. `operation` is a name of `OPERATIONS` or `any`; default `message.send`. `count`
 * default 1.
 */
export const FailureOrder = Type.Object(
  {
    failure: Failure,
    count: optional(Type.Integer({ minimum: 1 })),
    spared: optional(Type.Integer({ minimum: 1 })),
    operation: optional(Text(1, 60)),
    to: optional(Id),
    igUserId: optional(Id),
  },
  strict,
);
export type FailureOrder = Static<typeof FailureOrder>;
