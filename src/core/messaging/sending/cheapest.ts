import type { BatchTemplate } from "../../../contract/content/template-content.ts";
import { DEFAULT_LANGUAGE } from "../../../contract/content/templates.ts";
import { isOpenState } from "../../../contract/events.ts";
import { DAY_MS, dayIn } from "../../../kernel/clock.ts";
import { AppError, type CoreCode, invalid } from "../../../kernel/errors.ts";
import { type ChannelRow, listChannels } from "../../../store/tables/channels/channels.ts";
import { findContactByAlias, findContactByNumber } from "../../../store/tables/conversations/contacts.ts";
import { type ChatWith, listChatsWith } from "../../../store/tables/conversations/conversations.ts";
import { findTemplateByName } from "../../../store/tables/messaging/templates.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { getChannel } from "../../channels/channel.ts";
import { restrictionOf } from "../../channels/links/restriction.ts";
import type { MessagingEnv } from "../env.ts";
import { checkEnvelope, checkedContent, contentForNetwork, type Envelope } from "./sendable.ts";

/** A message without a phone. `template`: for a phone that may not send the content itself. */
export type Unrouted = Omit<Envelope, "channelId" | "fallback" | "idempotencyKey"> & {
  channelIds?: readonly string[];
  template?: BatchTemplate;
  /** A template follows through another phone, if the chosen one does not get through in this many minutes. */
  fallbackAfterMinutes?: number;
};

/** `amountMicros`: null if no price is known, which is never the cheapest. */
export type Price = { category: string; currency: string; amountMicros: number | null };
/** A phone that can send it, and its way: the content itself, or the template. */
export type Route = { channelId: string; by: "content" | "template"; price: Price | null; isOpenChat: boolean };
export const UNABLE_REASONS = [
  "NOT_CONNECTED",
  "RESTRICTED",
  "RECIPIENT_INVALID",
  "CONTENT_UNSUPPORTED",
  "TEMPLATE_NOT_APPROVED",
  "ANSWER_WINDOW_CLOSED",
] as const;
type UnableReason = (typeof UNABLE_REASONS)[number];
/** A phone that cannot send it, and the reason. */
export type Unable = { channelId: string; reason: UnableReason };
export type Choice = { route: Route; envelope: Envelope; others: Route[]; unable: Unable[] };

/** The maximum number of compared phones: the caller's, else the newest. */
export const MOST_COMPARED = 20;
/** A chat stays on its phone if its last message is not older than this. */
const STICKS_MS = DAY_MS;
/** A message is an answer if the person wrote within this time. */
const ANSWERS_MS = DAY_MS;

/**
 * Chooses the phone for a message among the phones that are connected and can send it to this person: the phone of an
 * open chat, else the cheapest by the price list. Phones with one price are taken in the given order, or newest first.
 * Nothing is stored, and no network is asked.
 * @throws AppError VALIDATION for the content, CHANNEL_NOT_FOUND for a named phone; NO_PHONE_CAN_SEND with the reason
 *   of each
 */
export const chooseCheapest = async (
  env: MessagingEnv,
  scope: TenantScope,
  { channelIds, template, fallbackAfterMinutes, ...message }: Unrouted,
): Promise<Choice> => {
  checkedContent(env, message);
  if (template) requireTemplate(env, template);
  const channels = await candidates(env, scope, channelIds);
  const routes: FoundRoute[] = [];
  const unable: Unable[] = [];
  for (const channel of channels) {
    const found = await routeOf(env, scope, { channel, message, template });
    if ("reason" in found) unable.push(found);
    else routes.push(found);
  }
  const [best, ...others] = routes.toSorted(compare);
  if (!best) throw noPhone(unable);
  const { envelope, templateRoute: _, ...route } = best;
  const second = others.flatMap(({ templateRoute }) => (templateRoute ? [templateRoute] : [])).toSorted(compare)[0];
  const fallback =
    fallbackAfterMinutes !== undefined && template && second
      ? {
          channelId: second.channelId,
          template,
          afterMinutes: fallbackAfterMinutes,
          reasons: ["lost", "restricted", "silent"] as const,
          mayArriveTwice: false,
        }
      : undefined;
  return {
    route,
    envelope: { ...envelope, ...(fallback ? { fallback } : {}) },
    others: others.map(({ envelope: _envelope, templateRoute: _template, ...other }) => other),
    unable,
  };
};

/** A fault of the template is reported as a field of the request. */
const requireTemplate = (env: MessagingEnv, content: BatchTemplate): void => {
  try {
    checkedContent(env, { type: "template", content });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw invalid(
      ...error.issues.map(({ path, ...rest }) => ({ ...rest, path: path.replace(/^content/, "template") })),
    );
  }
};

const candidates = async (
  env: MessagingEnv,
  scope: TenantScope,
  channelIds: readonly string[] | undefined,
): Promise<ChannelRow[]> => {
  if (!channelIds) return (await env.db.read((reader) => listChannels(reader, scope))).slice(0, MOST_COMPARED);
  const found: ChannelRow[] = [];
  for (const id of new Set(channelIds)) found.push(await getChannel(env, scope, id));
  return found;
};

/** An open chat first, then a free route, then by currency and price; a route without a known price comes last. */
const compare = (one: Route, other: Route): number =>
  Number(other.isOpenChat) - Number(one.isOpenChat) ||
  rankOf(one) - rankOf(other) ||
  (one.price?.currency ?? "").localeCompare(other.price?.currency ?? "") ||
  (one.price?.amountMicros ?? 0) - (other.price?.amountMicros ?? 0);

const rankOf = ({ price }: Route): number => {
  if (price === null) return 0;
  return price.amountMicros === null ? 2 : 1;
};

const noPhone = (unable: readonly Unable[]): AppError =>
  new AppError("NO_PHONE_CAN_SEND", {
    message: "None of the phones can send this message to this person now.",
    details: { phones: unable.map(({ channelId, reason }) => ({ phoneId: channelId, reason })) },
  });

type Asked = {
  channel: ChannelRow;
  message: Omit<Unrouted, "channelIds" | "template" | "fallbackAfterMinutes">;
  template: BatchTemplate | undefined;
};

const SENDING = { environment: "live", mustBeConnected: false, isDryRun: true, isComparison: true } as const;

/** The route of a phone for the message, or why it cannot send it. */
const routeOf = async (env: MessagingEnv, scope: TenantScope, asked: Asked): Promise<FoundRoute | Unable> => {
  const { channel, message, template } = asked;
  const channelId = channel.id;
  const no = (reason: UnableReason): Unable => ({ channelId, reason });
  if (!isOpenState(channel.state)) return no("NOT_CONNECTED");
  const content = await checked(env, scope, { ...message, channelId });
  const asTemplate: Checked = template
    ? await checked(env, scope, { channelId, to: message.to, type: "template", content: template })
    : {};
  const recipient = content.recipient ?? asTemplate.recipient;
  if (recipient === undefined) return no(content.reason ?? "CONTENT_UNSUPPORTED");
  const terms = await chatTermsOf(env, scope, { channel, recipient });
  if (terms.isRestricted) return no("RESTRICTED");
  const route = await pricedRoute(env, asked, { content, asTemplate, recipient, terms });
  return route ?? no(asTemplate.reason ?? content.reason ?? "ANSWER_WINDOW_CLOSED");
};

type FoundRoute = Route & { envelope: Envelope; templateRoute: Route | undefined };
/** `isFree`: anything may be sent, not only a template. */
type ChatTerms = { isRestricted: boolean; isFree: boolean; isOpenChat: boolean };

/** The content itself if it may be sent, else the template. */
const pricedRoute = async (
  env: MessagingEnv,
  { channel, message, template }: Asked,
  found: { content: Checked; asTemplate: Checked; recipient: string; terms: ChatTerms },
): Promise<FoundRoute | undefined> => {
  const { content, asTemplate, recipient, terms } = found;
  const isTemplate = message.type === "template";
  const priced = async (by: Route["by"], named: unknown): Promise<Route> => ({
    channelId: channel.id,
    by,
    price: await priceOf(env, channel, { recipient, named }),
    isOpenChat: terms.isOpenChat,
  });
  const templateRoute = asTemplate.envelope ? await priced("template", template) : undefined;
  if (content.envelope && (isTemplate || terms.isFree))
    return {
      ...(await priced("content", isTemplate ? message.content : undefined)),
      envelope: content.envelope,
      templateRoute,
    };
  return asTemplate.envelope && templateRoute
    ? { ...templateRoute, envelope: asTemplate.envelope, templateRoute }
    : undefined;
};

/**
 * The content that a phone may send to a person. A phone that may only answer is restricted for people who have not
 * written lately.
 */
const chatTermsOf = async (
  env: MessagingEnv,
  scope: TenantScope,
  { channel, recipient }: { channel: ChannelRow; recipient: string },
): Promise<ChatTerms> => {
  const chat = await chatOn(env, scope, { channelId: channel.id, recipient });
  const restriction = restrictionOf(channel);
  const windowMs = env.registry.declared(channel.kind)?.network.answerWindowMs;
  return {
    isRestricted:
      restriction !== null && (restriction.allows === "none" || !isWithin(env, chat?.writtenAt, ANSWERS_MS)),
    isFree: windowMs === undefined || isWithin(env, chat?.writtenAt, windowMs),
    isOpenChat: chat?.status === "OPEN" && isWithin(env, chat.lastMessageAt, STICKS_MS),
  };
};

type Checked = { envelope?: Envelope; recipient?: string; reason?: UnableReason };

/** TABLE: why this phone cannot send it although another may. Any other refusal is about the content. */
const REASONS: Partial<Record<CoreCode, UnableReason>> = {
  RECIPIENT_INVALID: "RECIPIENT_INVALID",
  ADDRESS_INVALID: "RECIPIENT_INVALID",
  TEMPLATE_NOT_APPROVED: "TEMPLATE_NOT_APPROVED",
  SOCIAL_CREDENTIALS_MISSING: "NOT_CONNECTED",
  ADAPTER_MISSING: "NOT_CONNECTED",
};

/** Whether a phone can send this, by the checks of a dry run. */
const checked = async (env: MessagingEnv, scope: TenantScope, envelope: Envelope): Promise<Checked> => {
  try {
    const sendable = await checkEnvelope(env, scope, envelope, SENDING);
    await contentForNetwork(env, sendable, SENDING);
    return { envelope, recipient: sendable.recipient };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "OVERLOADED") throw error;
    return { reason: REASONS[error.code] ?? "CONTENT_UNSUPPORTED" };
  }
};

const isWithin = ({ clock }: MessagingEnv, at: number | null | undefined, spanMs: number): boolean =>
  at !== null && at !== undefined && at > clock.now() - spanMs;

/** The newest chat with the person on a phone. */
const chatOn = (
  env: MessagingEnv,
  { tenantId }: TenantScope,
  { channelId, recipient }: { channelId: string; recipient: string },
): Promise<ChatWith | undefined> =>
  env.db.read(async (reader) => {
    const viewer = { tenantId, environment: "live" } as const;
    const contact = recipient.startsWith("pn:")
      ? await findContactByNumber(reader, viewer, recipient.slice("pn:".length))
      : await findContactByAlias(reader, viewer, recipient);
    if (!contact) return undefined;
    return (await listChatsWith(reader, contact.id)).find((chat) => chat.channelId === channelId);
  });

/** The network's charge by today's price list; null if it charges nothing. */
const priceOf = async (
  env: MessagingEnv,
  channel: ChannelRow,
  { recipient, named }: { recipient: string; named: unknown },
): Promise<Price | null> => {
  const cards = env.registry.declared(channel.kind)?.rates;
  if (!cards) return null;
  const { name, language = DEFAULT_LANGUAGE } = (named ?? {}) as { name?: string; language?: string };
  const template =
    name === undefined ? undefined : await env.db.read((r) => findTemplateByName(r, channel.id, { name, language }));
  const category = template?.category ?? "SERVICE";
  const currency = cards.currencyOf(channel.profile);
  const day = dayIn(env.config.billingTz, env.clock.now());
  return { category, currency, amountMicros: cards.rateOf({ recipient, category, currency, day }).micros };
};
