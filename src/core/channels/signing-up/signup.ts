import {
  ONBOARDING_FIELDS,
  type Signup,
  type SignupConfig,
  type SignupEvent,
  type SyncKind,
  type UpstreamNumber,
} from "../../../contract/abilities/onboarding.ts";
import type { ChannelKind } from "../../../contract/kind.ts";
import { HOUR_MS } from "../../../kernel/clock.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { issue } from "../../../kernel/schema.ts";
import type { ChannelRow } from "../../../store/tables/channels/channels.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import type { Caller } from "../../tenancy/audit/audit.ts";
import { getChannel } from "../channel.ts";
import type { ChannelsEnv } from "../env.ts";
import { requireValue } from "../links/upstream.ts";
import { requestedOf, requestSync, type SyncRequest } from "../settings/business.ts";
import { checkedWebhook, type WebhookInput } from "../settings/webhooks.ts";
import { checkHolder, installChannel } from "./install.ts";

const DEFAULT_LABEL = "Business";
export const DEFAULT_PIN = "000000";

/** How long a sign-up may take after a browser began it with the settings of `signupConfig`. */
const ATTEMPT_MS = 24 * HOUR_MS;
const PIN_DIGITS = 6;

const notConfigured = () =>
  new AppError("APP_NOT_CONFIGURED", { message: "This server has no app whose sign-up could be used." });

/** The sign-up of the first adapter with a sign-up; the routes of this API serve one such adapter. */
const signupOf = (env: ChannelsEnv): Signup & { kind: ChannelKind } => {
  const plugin = env.registry.adapters.find((adapter) => adapter.signup);
  const signup = plugin && env.registry.ofKind(plugin.kind)?.signup?.(env.http.to(plugin.name));
  if (!signup) throw notConfigured();
  return { ...signup, kind: plugin.kind };
};

/** The row that a sealed attempt is bound to: it opens only for the tenant that began it. */
const attemptRow = ({ tenantId }: TenantScope): string => `signup:${tenantId}:state`;

/**
 * The settings that a browser needs to open the sign-up, and a `state` that binds this attempt to the tenant for a day.
 * @throws AppError APP_ID_MISSING
 */
export const signupConfig = (env: ChannelsEnv, scope: TenantScope): SignupConfig & { state: string } => {
  const { config } = signupOf(env);
  if (!config) throw new AppError("APP_ID_MISSING", { message: "This server has no app id." });
  return { ...config, state: env.secrets.seal(attemptRow(scope), String(env.clock.now() + ATTEMPT_MS)) };
};

/** @throws AppError VALIDATION for an attempt that another tenant began, or that began more than a day ago */
const checkAttempt = (env: ChannelsEnv, scope: TenantScope, state: string): void => {
  if (until(env, scope, state) < env.clock.now())
    throw invalid(issue("state", "forbidden", "is not of a sign-up that this account began within a day"));
};

const until = ({ secrets }: ChannelsEnv, scope: TenantScope, state: string): number => {
  try {
    return Number(secrets.open(attemptRow(scope), state));
  } catch {
    return Number.NEGATIVE_INFINITY; // altered, or sealed for another tenant
  }
};

/**
 * Reads an event that the network's page sent to the page that opened it, and logs an incomplete sign-up.
 * @throws AppError APP_NOT_CONFIGURED
 */
export const readSignupEvent = (env: ChannelsEnv, { tenantId }: TenantScope, message: unknown): SignupEvent => {
  const { readEvent } = signupOf(env);
  if (!readEvent) throw notConfigured();
  const read = readEvent(message);
  const { result, event, step, error } = read;
  if (result !== "FINISHED")
    env.log.info({ tenantId, result, event, step, code: error?.code }, "a sign-up at the network was not completed");
  return read;
};

export type SignupInput = {
  code: string;
  /** The attempt, as `signupConfig` gave it. */
  state?: string | undefined;
  accountId: string;
  /** Omitted in coexistence: the number is found in the account. */
  numberId?: string | undefined;
  label?: string | undefined;
  pin?: string | undefined;
  mayBeDedicated: boolean;
  sync: Record<SyncKind, boolean>;
  webhook?: WebhookInput | undefined;
  /** The names of `accountId` and `numberId` in the request, for refusals. */
  fields: { account: string; number: string };
};

export type RegistrationReason =
  | "ALREADY_ON_OFFICIAL_API"
  | "COEXISTENT"
  | "RECONNECTED"
  | "PIN_REJECTED"
  | "VERIFICATION_REQUIRED"
  | "REGISTER_FAILED";
export type Registration = {
  ok: boolean;
  coexistence: boolean;
  reconnected: boolean;
  platformType: string | null;
  reason: RegistrationReason | null;
  /** The PIN that was made for the number; shown this once. */
  pin?: string;
};
export type SignedUp = { channel: ChannelRow; registration: Registration; sync: Record<SyncKind, SyncRequest> };

/**
 * Adds a number whose owner has just signed up. Exchanges the code, checks that the account was granted, finds the
 * number, and reads everything before it writes anything. Then it subscribes to the account, registers a verified
 * number that is new to the official API, stores the connected channel, and requests the syncs. After an error nothing
 * is stored.
 * @throws AppError APP_NOT_CONFIGURED, VALIDATION (no number, or several; the webhook; another tenant's attempt; an
 *   account that was not granted), CHANNEL_EXISTS, COEXISTENCE_EXPECTED, and what `requireValue` throws
 */
export const signUp = async (env: ChannelsEnv, caller: Caller, input: SignupInput): Promise<SignedUp> => {
  if (input.webhook) await checkedWebhook(env, input.webhook); // before anything is written at the network
  const signup = signupOf(env);
  if (!signup.exchange) throw notConfigured();
  if (input.state !== undefined) checkAttempt(env, caller, input.state);
  const token = requireValue(await signup.exchange(input.code));
  await checkGranted(signup, input, token);
  const number = chosenNumber(requireValue(await signup.numbers(input.accountId, token)), input);
  const holder = await checkHolder(env, caller, { kind: signup.kind, numberId: number.numberId });
  requireValue(await signup.subscribe(input.accountId, token));
  const { pin, ...registered } = await register(env, signup, number, {
    token,
    given: input.pin,
    isReconnected: holder !== undefined,
  });
  const { channel, isReconnected } = await installChannel(env, caller, {
    kind: signup.kind,
    numberId: number.numberId,
    accountId: input.accountId,
    phoneNumber: number.phoneNumber,
    profile: {
      ...number.profile,
      [ONBOARDING_FIELDS.ownsAccount]: true,
      [ONBOARDING_FIELDS.isCoexistent]: number.isCoexistent,
    },
    credentials: {
      phoneNumberId: number.numberId,
      businessAccountId: input.accountId,
      accessToken: token,
      ...(pin === undefined ? {} : { pin }),
    },
    label: input.label === undefined || input.label === signup.emptyLabel ? DEFAULT_LABEL : input.label,
    webhook: input.webhook,
  });
  const sync = {
    contacts: await syncOf(env, channel, input, "contacts"),
    history: await syncOf(env, channel, input, "history"),
  };
  const registration = {
    ...registered,
    ...(pin === undefined || input.pin !== undefined ? {} : { pin }),
    coexistence: number.isCoexistent,
    reconnected: isReconnected,
    platformType: number.platformType,
  };
  return { channel: await getChannel(env, caller, channel.id), registration, sync };
};

/**
 * The named number, or the only one in the account. A caller who names none expects a number that the owner's app keeps
 * using.
 */
const chosenNumber = (
  numbers: readonly UpstreamNumber[],
  { numberId, mayBeDedicated, fields }: SignupInput,
): UpstreamNumber => {
  const fitting = numberId === undefined ? numbers : numbers.filter((number) => number.numberId === numberId);
  const [number, ...others] = fitting;
  if (!number) throw invalid(issue(fields.number, "required", "names no number of this business account"));
  if (others.length > 0)
    throw invalid(issue(fields.number, "required", "is required: the business account has several numbers"));
  if (numberId === undefined && !number.isCoexistent && !mayBeDedicated)
    throw new AppError("COEXISTENCE_EXPECTED", {
      message:
        "The network says that the business app does not use this number. " +
        "Name phoneNumberId for a dedicated one, or set permitirDedicado.",
      details: { platformType: number.platformType },
    });
  return number;
};

/** The browser names the account: the network says whether its owner granted it. */
const checkGranted = async ({ grants }: Signup, { accountId, fields }: SignupInput, token: string): Promise<void> => {
  if (!grants) return;
  const granted = requireValue(await grants(token));
  if (granted !== "all" && !granted.includes(accountId))
    throw invalid(issue(fields.account, "forbidden", "is not among the business accounts that the sign-up granted"));
};

type Registering = { token: string; given: string | undefined; isReconnected: boolean };

/** `pin` is the PIN to store: of a number that is registered, or will be once its owner has entered the code. */
const register = async (
  { random }: Pick<ChannelsEnv, "random">,
  signup: Signup,
  number: UpstreamNumber,
  { token, given, isReconnected }: Registering,
): Promise<Pick<Registration, "ok" | "reason" | "pin">> => {
  const settled = reasonNotTo(number, isReconnected);
  if (settled) return { ok: true, reason: settled };
  const pin = given ?? (signup.hasRandomPins ? newPin(random) : DEFAULT_PIN);
  const kept = pin === DEFAULT_PIN ? {} : { pin };
  if (number.isVerified === false) return { ok: false, reason: "VERIFICATION_REQUIRED", ...kept };
  const registered = await signup.register(number.numberId, pin, token);
  if (!registered.ok) return { ok: false, reason: "REGISTER_FAILED", ...kept };
  return registered.value === "registered"
    ? { ok: true, reason: null, ...kept }
    : { ok: false, reason: "PIN_REJECTED" };
};

const newPin = (random: ChannelsEnv["random"]): string =>
  String(Math.floor(random.float() * 10 ** PIN_DIGITS)).padStart(PIN_DIGITS, "0");

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
