import { type ChatwootChange, chatwootChange } from "../../core/chatwoot/changes.ts";
import { CHATWOOT, TEST_HEADER } from "../../core/chatwoot/inbox.ts";
import type { Audience, FailedAttempt } from "../../core/events/audience.ts";
import { OWN_JSON, parsedJson, recordOf } from "../../kernel/texts/json.ts";
import { ACCOUNT_RETRY } from "../shared/account-retry.ts";
import { sampleBy } from "../shared/docs/sample-events.ts";

/** A change that Chatwoot refuses would be refused for days. A wrong token is no fault of the change. */
const REFUSED_ATTEMPTS = 3;
const PASSING = [0, 401, 403, 408, 425, 429];

const isRefused = ({ statusCode }: FailedAttempt): boolean => statusCode < 500 && !PASSING.includes(statusCode);

/** The longest text of a message that Chatwoot takes is 150,000 characters. */
const LONGEST = 50_000;

const render: Audience["render"] = (published) => {
  const change = chatwootChange(published);
  return change && { type: change.change, body: JSON.stringify(change) };
};

/** The audience of the connections with Chatwoot, whose delivery target makes the calls of its API. */
export const chatwootAudience = (): Audience => ({
  name: CHATWOOT,
  isOfInstitutions: false,
  takesTestEvents: false,
  isLogged: false,
  retry: {
    ...ACCOUNT_RETRY,
    waitAfter: (subscription, attempt, failed) =>
      isRefused(failed) && attempt >= REFUSED_ATTEMPTS
        ? undefined
        : ACCOUNT_RETRY.waitAfter(subscription, attempt, failed),
  },
  render,
  sample: sampleBy(render),
  cut(body) {
    const change = recordOf(parsedJson(body, OWN_JSON)) as ChatwootChange;
    if (!("message" in change)) return body;
    const text = change.message.text.slice(0, LONGEST).toWellFormed();
    return JSON.stringify({ ...change, message: { ...change.message, text } });
  },
  isSubscribed: (events, type) => events.length === 0 || events.includes(type),
  reportsLossOf: () => true,
  headers: ({ isTest }) => (isTest ? { [TEST_HEADER]: "true" } : {}),
});
