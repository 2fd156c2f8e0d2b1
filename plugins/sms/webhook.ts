import type { ChannelWebhook } from "../../src/contract/webhooks.ts";
import { PROVIDERS, providerIn } from "./credentials.ts";
import { BY_NAME } from "./link.ts";
import { MESSAGE_PARAMETER } from "./twilio/calls.ts";
import { ACCOUNT_PARAMETER } from "./zenvia/webhook.ts";

/** Webhooks of every provider. The vault says whose secret counts; what is stored of a request says who sent it. */
export const smsWebhook = {
  servesAccount: true,
  keeps: [MESSAGE_PARAMETER, ACCOUNT_PARAMETER],
  isSigned: ({ headers }) => PROVIDERS.some((name) => BY_NAME[name].isSigned(headers)),
  verify(request, secrets) {
    const name = providerIn(secrets);
    return name !== undefined && BY_NAME[name].verify(request, secrets);
  },
  parse(request) {
    for (const name of PROVIDERS) {
      const events = BY_NAME[name].eventsOf(request);
      if (events) return events;
    }
    return [{ kind: "unknown", at: 0, what: "request of another form" }];
  },
  /** Twilio reads what to answer the person: nothing. */
  answer: ({ headers }) =>
    BY_NAME.twilio.isSigned(headers) ? { contentType: "text/xml", body: "<Response/>" } : undefined,
} satisfies ChannelWebhook;
