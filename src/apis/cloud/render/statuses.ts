import type { FailureCode } from "../../../contract/outcome.ts";
import type { MessageSent } from "../../../core/domain-event.ts";
import type { EventContext } from "../../../core/messaging/receiving/event-context.ts";
import { GRAPH_ERRORS, type GraphError } from "../errors.ts";
import { wamidOf } from "../ids.ts";
import { aboutNumber, type Change, secondsOf } from "./envelope.ts";
import { contactEntry, userIdOf, waIdOf } from "./people.ts";

const STATUS = {
  "message.sent": "sent",
  "message.delivered": "delivered",
  "message.read": "read",
  "message.failed": "failed",
} as const satisfies Record<MessageSent["type"], string>;

/** TABLE: the network's error for each of our failures, if the network itself named none. */
const FAILURES: Readonly<Record<FailureCode, GraphError>> = {
  CREDENTIALS_REFUSED: "denied",
  UPSTREAM_BAD_REQUEST: "value",
  UPSTREAM_RATE_LIMIT: "throughput",
  UPSTREAM_UNAVAILABLE: "notReady",
  UPSTREAM_NO_ID: "failed",
  UPSTREAM_ACCOUNT_RESTRICTED: "locked",
  PRIVACY_TOKEN_MISSING: "recipient",
  RECIPIENT_NOT_ON_NETWORK: "recipient",
  RECIPIENT_UNREACHABLE: "recipient",
  RECIPIENT_OPTED_OUT: "recipient",
  SESSION_NO_ID: "failed",
  INVALID_PTT_FORMAT: "upload",
  WABA_TOKEN_INVALID: "denied",
  WABA_CREDS_MISSING: "notRegistered",
  IG_TOKEN_BAD: "denied",
  IG_CREDS_MISSING: "notRegistered",
  UPSTREAM_UNSUPPORTED: "type",
  THREAD_HELD: "recipient",
  OUTCOME_UNKNOWN: "failed",
  ADAPTER_FAULT: "failed",
  CHANNEL_UNAVAILABLE: "notReady",
  CHANNEL_DELETED: "notRegistered",
  BATCH_CANCELLED: "failed",
  FALLBACK_TAKEN: "recipient",
  WITHDRAWN: "failed",
  INTERNAL_ERROR: "failed",
};

const failureOf = ({ code, title, message }: NonNullable<MessageSent["error"]>) => {
  const [, known, name] = GRAPH_ERRORS[FAILURES[title as FailureCode] ?? FAILURES.INTERNAL_ERROR];
  // for a code from the network, its own words are the title
  const shown = code > 0 ? { code, title: message } : { code: known, title: name };
  return {
    ...shown,
    message: shown.title,
    error_data: { details: message },
    href: "https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/",
  };
};

/** The network's charge. Some programs refuse a price that lacks one of its parts. */
const pricingOf = ({ sent }: EventContext): { pricing?: object } => {
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

export const statusChange = (status: MessageSent, context: EventContext): Change => {
  const { to, error, type } = status;
  return {
    field: "messages",
    value: {
      ...aboutNumber(context),
      // the network names no person beside a failure
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
