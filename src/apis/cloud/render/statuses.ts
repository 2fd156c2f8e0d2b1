import type { FailureCode } from "../../../contract/outcome.ts";
import type { MessageSent } from "../../../core/domain-event.ts";
import type { CloudContext } from "../../../core/messaging/cloud-context.ts";
import { wamidOf } from "../ids.ts";
import { aboutNumber, type Change, secondsOf } from "./envelope.ts";
import { contactEntry, userIdOf, waIdOf } from "./people.ts";

const STATUS = {
  "message.sent": "sent",
  "message.delivered": "delivered",
  "message.read": "read",
  "message.failed": "failed",
} as const satisfies Record<MessageSent["type"], string>;

/** TABLE: the network's code for each of our failures, where the network itself named none. */
const FAILURES: Readonly<Record<FailureCode, readonly [code: number, title: string]>> = {
  CREDENTIALS_REFUSED: [131005, "Access denied"],
  UPSTREAM_BAD_REQUEST: [131009, "Parameter value is not valid"],
  UPSTREAM_RATE_LIMIT: [130429, "Rate limit hit"],
  UPSTREAM_UNAVAILABLE: [131016, "Service unavailable"],
  UPSTREAM_NO_ID: [131000, "Something went wrong"],
  UPSTREAM_ACCOUNT_RESTRICTED: [131031, "Account has been locked"],
  PRIVACY_TOKEN_MISSING: [131026, "Message undeliverable"],
  RECIPIENT_NOT_ON_NETWORK: [131026, "Message undeliverable"],
  SESSION_NO_ID: [131000, "Something went wrong"],
  INVALID_PTT_FORMAT: [131053, "Media upload error"],
  WABA_TOKEN_INVALID: [131005, "Access denied"],
  WABA_CREDS_MISSING: [133010, "Phone number not registered"],
  IG_TOKEN_BAD: [131005, "Access denied"],
  IG_CREDS_MISSING: [133010, "Phone number not registered"],
  UPSTREAM_UNSUPPORTED: [131051, "Unsupported message type"],
  THREAD_HELD: [131026, "Message undeliverable"],
  OUTCOME_UNKNOWN: [131000, "Something went wrong"],
  CHANNEL_UNAVAILABLE: [131016, "Service unavailable"],
  CHANNEL_DELETED: [133010, "Phone number not registered"],
  BATCH_CANCELLED: [131000, "Something went wrong"],
  FALLBACK_TAKEN: [131026, "Message undeliverable"],
  INTERNAL_ERROR: [131000, "Something went wrong"],
};

const failureOf = ({ code, title, message }: NonNullable<MessageSent["error"]>) => {
  const [known, name] = FAILURES[title as FailureCode] ?? FAILURES.INTERNAL_ERROR;
  // of a code that the network gave, its own words are the title
  const shown = code > 0 ? { code, title: message } : { code: known, title: name };
  return {
    ...shown,
    message: shown.title,
    error_data: { details: message },
    href: "https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/",
  };
};

/** What the network charges. Some programs refuse a price that lacks one of its parts. */
const pricingOf = ({ sent }: CloudContext): { pricing?: object } => {
  const prices = Object.values(sent?.pricing?.charges ?? {}).flatMap(({ price }) => price ?? []);
  const complete = prices.find(({ type }) => type !== undefined);
  return complete === undefined
    ? {}
    : {
        pricing: {
          billable: complete.isBillable,
          pricing_model: "PMP",
          type: complete.type,
          category: complete.category,
        },
      };
};

export const statusChange = (status: MessageSent, context: CloudContext): Change => {
  const { to, error, type } = status;
  return {
    field: "messages",
    value: {
      ...aboutNumber(context),
      // the network names nobody beside a failure
      ...(type === "message.failed" ? {} : { contacts: [contactEntry(to, null)] }),
      statuses: [
        {
          id: wamidOf(status.messageId),
          status: STATUS[type],
          timestamp: secondsOf(status.at),
          recipient_id: waIdOf(to),
          ...userIdOf(to, "recipient_user_id"),
          ...(status.callbackData === undefined ? {} : { biz_opaque_callback_data: status.callbackData }),
          ...pricingOf(context),
          ...(error === null ? {} : { errors: [failureOf(error)] }),
        },
      ],
    },
  };
};
