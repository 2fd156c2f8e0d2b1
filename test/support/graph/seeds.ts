import { type Static, Type } from "@sinclair/typebox";
import { OneOf, Text } from "../../../src/kernel/schema.ts";

// The objects that a test sets up in the simulator. Unknown keys are refused, so that a typing error is noticed.
const strict = { additionalProperties: false } as const;
const Id = Text(1, 64);
const optional = Type.Optional;

export const SCOPES = ["whatsapp_business_messaging", "whatsapp_business_management"] as const;

/** A phone number of a business account. Tokens named here are made with all scopes and may use the account. */
export const NumberSeed = Type.Object(
  {
    phoneNumberId: Id,
    businessAccountId: Id,
    displayPhoneNumber: Text(5, 24),
    verifiedName: optional(Text(1, 200)),
    tokens: optional(Type.Array(Text(1, 500))),
    qualityRating: optional(OneOf(["GREEN", "YELLOW", "RED", "UNKNOWN"])),
    throughputLevel: optional(OneOf(["STANDARD", "HIGH", "NOT_APPLICABLE"])),
    /** CLOUD_API is a registered number; any other refuses sends with 133010. */
    platformType: optional(OneOf(["CLOUD_API", "ON_PREMISE", "NOT_APPLICABLE"])),
    isOnBizApp: optional(Type.Boolean()),
    /**
     * When it was connected, in milliseconds; default now. The data of its business app can be requested within the
     * next 24 hours.
     */
    onboardedAt: optional(Type.Number()),
    status: optional(Text(1, 40)),
    codeVerificationStatus: optional(OneOf(["VERIFIED", "NOT_VERIFIED", "EXPIRED"])),
    nameStatus: optional(Text(1, 40)),
    accountMode: optional(OneOf(["LIVE", "SANDBOX"])),
    messagingLimit: optional(Text(1, 40)),
    /** The present two-step PIN of the number. */
    pin: optional(Type.String({ pattern: "^\\d{6}$" })),
    /** A test number's list: any other recipient is refused with 131030. */
    allowedRecipients: optional(Type.Array(Text(5, 24))),
  },
  strict,
);
export type NumberSeed = Static<typeof NumberSeed>;

/** An access token. `expiresAt` is in milliseconds; 0 or nothing never expires. */
export const TokenSeed = Type.Object(
  {
    token: Text(1, 500),
    appId: optional(Id),
    businessAccountIds: Type.Array(Id),
    grantedIds: optional(Type.Array(Id)),
    scopes: optional(Type.Array(OneOf(SCOPES))),
    expiresAt: optional(Type.Number()),
  },
  strict,
);
export type TokenSeed = Static<typeof TokenSeed>;

const TemplateComponent = Type.Unsafe<{ type: string } & Record<string, unknown>>(Type.Object({ type: Text(1, 40) }));

export const CATEGORIES = ["MARKETING", "UTILITY", "AUTHENTICATION"] as const;
export const PARAMETER_FORMATS = ["POSITIONAL", "NAMED"] as const;
export const TEMPLATE_STATUSES = [
  "APPROVED",
  "PENDING",
  "REJECTED",
  "PAUSED",
  "DISABLED",
  "IN_APPEAL",
  "PENDING_DELETION",
  "DELETED",
  "LIMIT_EXCEEDED",
  "ARCHIVED",
] as const;

/**
 * An upstream template, in the components of template management, without any check. By default an approved UTILITY
 * one.
 */
export const TemplateSeed = Type.Object(
  {
    businessAccountId: Id,
    name: Type.String({ pattern: "^[a-z0-9_]{1,512}$" }),
    language: Text(2, 20),
    category: optional(OneOf(CATEGORIES)),
    /** The category that the list shows: a category that Meta has added. */
    shownCategory: optional(Text(1, 60)),
    status: optional(OneOf(TEMPLATE_STATUSES)),
    parameterFormat: optional(OneOf(PARAMETER_FORMATS)),
    components: Type.Array(TemplateComponent),
  },
  strict,
);
export type TemplateSeed = Static<typeof TemplateSeed>;

/** A WhatsApp user. The simulator makes an unknown user from the number, at the first use. */
export const RecipientSeed = Type.Object(
  {
    waId: Type.String({ pattern: "^\\d{5,20}$" }),
    userId: optional(Text(3, 160)),
    name: optional(Text(1, 200)),
    username: optional(Text(1, 60)),
    /** Other spellings of the number that lead to the same user, such as one without the ninth digit. */
    aliases: optional(Type.Array(Type.String({ pattern: "^\\d{5,20}$" }))),
    /** Which ids webhooks show of the user; default is the setting. */
    contactMode: optional(OneOf(["both", "number", "bsuid"])),
  },
  strict,
);
export type RecipientSeed = Static<typeof RecipientSeed>;

export const STATUSES = ["sent", "delivered", "read", "played", "failed"] as const;
export type StatusName = (typeof STATUSES)[number];

/** Sets how the simulator behaves from now on. Settings that are not named stay. */
export const SettingsPatch = Type.Object(
  {
    version: optional(Text(1, 10)),
    /**
     * The fate of a free-form message outside the 24 hours: accepted, refused with 131047 at once, or failed with it in
     * a status.
     */
    window: optional(OneOf(["off", "sync", "async"])),
    /**
     * `both` shows wa_id and BSUID of a user, `bsuid` hides the number, `number` is what webhooks showed before BSUIDs.
     */
    contactMode: optional(OneOf(["both", "number", "bsuid"])),
    /**
     * The automatic statuses after each accepted send, in this order, which may be wrong or have repeats; empty: no
     * status.
     */
    autoStatuses: optional(Type.Array(OneOf(STATUSES))),
    /** Wait before each of them. */
    autoDelayMs: optional(Type.Integer({ minimum: 0 })),
    /** Whether webhooks go only to accounts whose `subscribed_apps` is not empty. */
    isSubscriptionRequired: optional(Type.Boolean()),
    /** A business profile as the documents show it, or in the `business_profile` of the OpenAPI file. */
    profileShape: optional(OneOf(["flat", "nested"])),
    /** Whether utility messages may go out without a template: Meta grants it to portfolios with a limit of 100,000. */
    hasDirectSend: optional(Type.Boolean()),
    /**
     * Whether publishing a flow asks its endpoint for a sign of life first, as the real one does; off, because few
     * tests have an endpoint that can be reached.
     */
    isEndpointPinged: optional(Type.Boolean()),
    /**
     * Which countries an `address_message` may be for. Only India is documented; whether Brazil is taken nobody has
     * verified. With `IN` others are refused with 131009.
     */
    addressCountries: optional(OneOf(["any", "IN"])),
    /** Whether webhooks of media carry a `url`: Meta introduced it little by little. */
    hasMediaUrls: optional(Type.Boolean()),
    /**
     * The category that templates get whatever was asked for; `asked` leaves it.
     */
    templateCategory: optional(OneOf(["asked", "MARKETING", "UTILITY"])),
    /** How a review of a template ends by itself, after `templateReviewMs`; `off`: `reviewTemplate` says. */
    templateReview: optional(OneOf(["off", "APPROVED", "REJECTED"])),
    templateReviewMs: optional(Type.Integer({ minimum: 0 })),
    /** When requests about groups are carried out and reported: at once, or when the test says so. */
    groupUpdate: optional(OneOf(["at-once", "held"])),
    /**
     * The secret of the app that demands `appsecret_proof` of every call with a token; empty: no proof is asked for. A
     * proof that is given is checked where the secret of the token's app is known.
     */
    proofSecret: optional(Text(0, 200)),
    /** Whether numbers may call at all. */
    isCallingEnabled: optional(Type.Boolean()),
  },
  strict,
);
export type SettingsPatch = Static<typeof SettingsPatch>;

const isAccepted = optional(Type.Boolean());
const details = optional(Text(0, 1000));
const code = Type.Integer({ minimum: 0 });

/**
 * The ways to lose an answer. `isAccepted` says whether the request was taken all the same, which the answer does not
 * show; default false.
 */
export const LOSSES = [
  /** An answer of some proxy on the way: a page, no Graph error. */
  Type.Object({ kind: Type.Literal("http"), status: Type.Integer({ minimum: 400, maximum: 599 }), isAccepted }, strict),
  /** No answer, ever. */
  Type.Object({ kind: Type.Literal("hang"), isAccepted }, strict),
  /** The connection is reset before the first byte of an answer. */
  Type.Object({ kind: Type.Literal("reset"), isAccepted }, strict),
  /** The connection is reset in the midst of a 200. */
  Type.Object({ kind: Type.Literal("half"), isAccepted }, strict),
  /** Half of a 200, then silence. */
  Type.Object({ kind: Type.Literal("stall"), isAccepted }, strict),
  /** 200 and JSON, but without the id of the message. */
  Type.Object({ kind: Type.Literal("no-id"), isAccepted }, strict),
  /** 200 and no JSON. */
  Type.Object({ kind: Type.Literal("garbage"), isAccepted }, strict),
] as const;
export type Loss = Static<(typeof LOSSES)[number]>;

/** The outcome of a valid request. A GET only loses its answer. */
export const Failure = Type.Union([
  /** A Graph error, at once. */
  Type.Object(
    {
      kind: Type.Literal("error"),
      code,
      subcode: optional(code),
      details,
      user: optional(Type.Object({ title: Text(0, 200), message: Text(0, 1000) }, strict)),
      httpStatus: optional(Type.Integer({ minimum: 400, maximum: 599 })),
    },
    strict,
  ),
  /** Accepted with 200; a `failed` status webhook follows. */
  Type.Object({ kind: Type.Literal("failed-status"), code, details }, strict),
  ...LOSSES,
]);
export type Failure = Static<typeof Failure>;

/**
 * Which requests a failure is for. `operation` is a name of the route table; default `message.send`. `count` default 1.
 */
export const FailureOrder = Type.Object(
  {
    failure: Failure,
    count: optional(Type.Integer({ minimum: 1 })),
    operation: optional(Text(1, 60)),
    to: optional(Text(1, 160)),
    phoneNumberId: optional(Id),
  },
  strict,
);
export type FailureOrder = Static<typeof FailureOrder>;
