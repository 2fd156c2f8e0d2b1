import { type Call, type Effect, required } from "../call.ts";
import { badParameter, GraphError } from "../errors.ts";
import { fieldsOf, textOf } from "../shape.ts";
import { findTemplate } from "../templates/store.ts";
import type { Statuses } from "../webhooks/statuses.ts";
import { messagesHandler } from "./messages.ts";

const POLICIES = ["CLOUD_API_FALLBACK", "STRICT"];

/**
 * `POST /{number}/marketing_messages`: as `/messages`, for templates of the category MARKETING alone (131055), with a
 * `product_policy`, and not as an answer to a message.
 */
export const marketingHandler = (statuses: Statuses) => {
  const send = messagesHandler(statuses, { isMarketing: true });
  return (call: Call): Effect => {
    const { type, template, product_policy: policy, context, bid_spec: bid, ...body } = call.body;
    if (policy === undefined) throw required("product_policy");
    if (!POLICIES.includes(textOf(policy))) throw badParameter("Param product_policy is not valid.");
    if (context !== undefined) throw badParameter("Param context is not supported.");
    if (bid !== undefined && !(Number(fieldsOf(bid)["per_message_bid_multiplier"]) > 0))
      throw badParameter("Param bid_spec['per_message_bid_multiplier'] must be a number above 0.");
    const { name, language } = fieldsOf(template);
    const account = call.state.numbers.get(call.node)?.seed.businessAccountId ?? "";
    const known = findTemplate(call.state, account, textOf(name), textOf(fieldsOf(language)["code"]));
    if (type !== "template" || known?.category !== "MARKETING") throw new GraphError(131055);
    if (known.bidAmount !== undefined && body["to"] === undefined) throw new GraphError(131062);
    return send({ ...call, body: { ...body, type, template } });
  };
};
