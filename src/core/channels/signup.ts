import type { ChannelKind } from "../../contract/kind.ts";
import type { Signup, SignupConfig, SyncKind, UpstreamNumber } from "../../contract/onboarding.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { issue } from "../../kernel/schema.ts";
import type { ChannelRow } from "../../store/channels.ts";
import type { TenantScope } from "../../store/scope.ts";
import { requestedOf, requestSync, type SyncRequest } from "./business.ts";
import { getChannel } from "./channel.ts";
import type { ChannelsEnv } from "./env.ts";
import { checkHolder, installChannel } from "./install.ts";
import { valueOf } from "./upstream.ts";
import { checkedWebhook, type WebhookInput } from "./webhooks.ts";

const DEFAULT_LABEL = "Business";
/** The label that the network's script proposes; it says nothing about the number. */
const NO_LABEL = "WhatsApp Business";
const DEFAULT_PIN = "000000";

const notConfigured = () =>
  new AppError("APP_NOT_CONFIGURED", { message: "This server has no app whose sign-up could be used." });

/** The sign-up of the first adapter that has one; the routes of this API serve one such adapter. */
const signupOf = (env: ChannelsEnv): Signup & { kind: ChannelKind } => {
  const plugin = env.registry.adapters.find((adapter) => adapter.signup);
  const signup = plugin && env.registry.ofKind(plugin.kind)?.signup?.(env.http.to(plugin.name));
  if (!signup) throw notConfigured();
  return { ...signup, kind: plugin.kind };
};

/**
 * The settings that a browser needs to open the sign-up.
 * @throws AppError APP_ID_MISSING
 */
export const signupConfig = (env: ChannelsEnv): SignupConfig => {
  const { config } = signupOf(env);
  if (!config) throw new AppError("APP_ID_MISSING", { message: "This server has no app id." });
  return config;
};

export type SignupInput = {
  code: string;
  accountId: string;
  /** Omitted in coexistence: the number is found in the account. */
  numberId?: string | undefined;
  label?: string | undefined;
  pin?: string | undefined;
  mayBeDedicated: boolean;
  sync: Record<SyncKind, boolean>;
  webhook?: WebhookInput | undefined;
};

export type RegistrationReason =
  | "ALREADY_ON_OFFICIAL_API"
  | "COEXISTENT"
  | "RECONNECTED"
  | "PIN_REJECTED"
  | "REGISTER_FAILED";
export type Registration = {
  ok: boolean;
  coexistence: boolean;
  reconnected: boolean;
  platformType: string | null;
  reason: RegistrationReason | null;
};
export type SignedUp = { channel: ChannelRow; registration: Registration; sync: Record<SyncKind, SyncRequest> };

/**
 * Adds a number whose owner has just signed up. Exchanges the code, finds the number, and reads everything before it
 * writes anything. Then it subscribes to the account, registers a number that is new to the official API, stores the
 * connected channel, and requests the syncs. After an error nothing is stored.
 * @throws AppError APP_NOT_CONFIGURED, VALIDATION (no number, or several; the webhook), CHANNEL_EXISTS,
 *   COEXISTENCE_EXPECTED, and what `valueOf` throws
 */
export const signUp = async (env: ChannelsEnv, scope: TenantScope, input: SignupInput): Promise<SignedUp> => {
  if (input.webhook) await checkedWebhook(env, input.webhook); // before anything is written at the network
  const signup = signupOf(env);
  if (!signup.exchange) throw notConfigured();
  const token = valueOf(await signup.exchange(input.code));
  const number = chosenNumber(valueOf(await signup.numbers(input.accountId, token)), input);
  const holder = await checkHolder(env, scope, { kind: signup.kind, numberId: number.numberId });
  valueOf(await signup.subscribe(input.accountId, token));
  const registered = await register(signup, number, {
    token,
    pin: input.pin ?? DEFAULT_PIN,
    isReconnected: holder !== undefined,
  });
  const { channel, isReconnected } = await installChannel(env, scope, {
    kind: signup.kind,
    numberId: number.numberId,
    accountId: input.accountId,
    phoneNumber: number.phoneNumber,
    profile: { ...number.profile, wabaAccountConfirmed: true, wabaCoexistence: number.isCoexistent },
    credentials: { phoneNumberId: number.numberId, businessAccountId: input.accountId, accessToken: token },
    label: input.label === undefined || input.label === NO_LABEL ? DEFAULT_LABEL : input.label,
    webhook: input.webhook,
  });
  const sync = {
    contacts: await syncOf(env, channel, input, "contacts"),
    history: await syncOf(env, channel, input, "history"),
  };
  const registration = {
    ...registered,
    coexistence: number.isCoexistent,
    reconnected: isReconnected,
    platformType: number.platformType,
  };
  return { channel: await getChannel(env, scope, channel.id), registration, sync };
};

/**
 * The named number, or the only one there is. A caller who names none expects a number that the owner's app keeps
 * using.
 */
const chosenNumber = (
  numbers: readonly UpstreamNumber[],
  { numberId, mayBeDedicated }: SignupInput,
): UpstreamNumber => {
  const fitting = numberId === undefined ? numbers : numbers.filter((number) => number.numberId === numberId);
  const [number, ...others] = fitting;
  if (!number) throw invalid(issue("phoneNumberId", "required", "names no number of this business account"));
  if (others.length > 0)
    throw invalid(issue("phoneNumberId", "required", "is required: the business account has several numbers"));
  if (numberId === undefined && !number.isCoexistent && !mayBeDedicated)
    throw new AppError("COEXISTENCE_EXPECTED", {
      message:
        "The network says that the business app does not use this number. " +
        "Name phoneNumberId for a dedicated one, or set permitirDedicado.",
      details: { platformType: number.platformType },
    });
  return number;
};

type Registering = { token: string; pin: string; isReconnected: boolean };

const register = async (
  signup: Signup,
  number: UpstreamNumber,
  { token, pin, isReconnected }: Registering,
): Promise<Pick<Registration, "ok" | "reason">> => {
  const settled = reasonNotTo(number, isReconnected);
  if (settled) return { ok: true, reason: settled };
  const registered = await signup.register(number.numberId, pin, token);
  if (!registered.ok) return { ok: false, reason: "REGISTER_FAILED" };
  return registered.value === "registered" ? { ok: true, reason: null } : { ok: false, reason: "PIN_REJECTED" };
};

const reasonNotTo = (number: UpstreamNumber, isReconnected: boolean): RegistrationReason | undefined => {
  if (number.isCoexistent) return "COEXISTENT";
  if (isReconnected) return "RECONNECTED";
  return number.isRegistered ? "ALREADY_ON_OFFICIAL_API" : undefined;
};

/**
 * Synchronised data comes as events, so nothing is requested without a webhook. A refusal does not undo the sign-up.
 */
const syncOf = async (
  env: ChannelsEnv,
  channel: ChannelRow,
  { sync }: SignupInput,
  what: SyncKind,
): Promise<SyncRequest> => requestedOf(sync[what] ? await requestSync(env, channel, what) : undefined);
