import { isOpenState } from "../../contract/events.ts";
import { getChannel } from "../../core/channels/channel.ts";
import { isoOrNull } from "../../kernel/clock.ts";
import type { Json } from "../../kernel/texts/json.ts";
import type { Principal } from "./auth.ts";
import type { CloudEnv } from "./env.ts";
import { displayNumberOf } from "./ids.ts";

const textOr = (value: unknown, other: string): string => (typeof value === "string" && value !== "" ? value : other);

/** Only the fields that a client names, and the id; all fields if it names none. */
export const picked = (node: Json, fields: unknown): Json => {
  if (typeof fields !== "string" || fields.trim() === "") return node;
  const names = new Set(["id", ...fields.split(",").map((name) => name.trim())]);
  return Object.fromEntries(Object.entries(node).filter(([name]) => names.has(name)));
};

/**
 * The phone number of the token's phone. If the network does not rate and review numbers, the number is shown as
 * approved.
 */
export const numberNode = async (env: CloudEnv, { tenantId, channelId, number }: Principal): Promise<Json> => {
  const channel = await getChannel(env, { tenantId }, channelId);
  const shown = env.registry.declared(channel.kind)?.phoneFields?.of(channel) ?? {};
  return {
    id: number.numberId,
    display_phone_number: displayNumberOf(number, channel.phoneNumber),
    verified_name: channel.label,
    quality_rating: textOr(shown["wabaQualityRating"], "UNKNOWN"),
    code_verification_status: "VERIFIED",
    name_status: "APPROVED",
    status: isOpenState(channel.state) ? "CONNECTED" : "DISCONNECTED",
    account_mode: "LIVE",
    platform_type: "CLOUD_API",
    throughput: { level: textOr(shown["wabaThroughputLevel"], "STANDARD") },
    whatsapp_business_manager_messaging_limit: textOr(shown["wabaMessagingLimit"], "UNLIMITED"),
    is_on_biz_app: shown["wabaCoexistence"] === true,
    last_onboarded_time: isoOrNull(channel.connectedAt),
  };
};

/** The account of the token's phone. */
export const accountNode = async (env: CloudEnv, { tenantId, channelId, number }: Principal): Promise<Json> => {
  const { label } = await getChannel(env, { tenantId }, channelId);
  return {
    id: number.accountId,
    name: label,
    currency: "USD",
    timezone_id: "1",
    message_template_namespace: number.accountId,
    owner_business_info: { id: number.appId, name: label },
    account_review_status: "APPROVED",
  };
};
