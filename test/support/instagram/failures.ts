import type { GraphError } from "../graph/errors.ts";
import { type ClientResult, createOrders, lose, type Orders } from "../graph/messages/orders.ts";
import type { Answer } from "../graph/requests/answers.ts";
import { type Effect, json } from "./call.ts";
import { refusal } from "./errors.ts";
import type { Failure, FailureOrder } from "./seeds.ts";

export type Failures = Orders<FailureOrder, Effect>;

/**
 * The answer to the client. `after`: the network's work on the request afterwards, also if the client gets no answer.
 */
export type Outcome = ClientResult<Answer> & { after?: () => void };

const isFor = (order: FailureOrder, { operation, igUserId, igsid }: Effect): boolean => {
  const wanted = order.operation ?? "message.send";
  if (wanted !== "any" && wanted !== operation) return false;
  return (order.igUserId ?? igUserId) === igUserId && (order.to ?? igsid) === igsid;
};

export const createFailures = (): Failures => createOrders(isFor);

/** Runs the effect or not, and returns the client's answer. `answerOf`: the host's form of an error. */
export const perform = async (
  effect: Effect,
  failure: Failure | undefined,
  answerOf: (error: GraphError) => Answer,
): Promise<Outcome> => {
  if (!failure) return { kind: "answer", ...(await effect.run()) };
  const { after, ...reply } = failure.isAccepted ? await effect.run() : NOT_TAKEN;
  const way: ClientResult<Answer> =
    failure.kind === "error"
      ? { kind: "answer", ...answerOf(refusal(failure.code, failure)) }
      : lose(failure, reply, json({ recipient_id: effect.igsid }));
  return { ...way, ...(after ? { after } : {}) };
};

/** The whole answer of which half is sent, if the request was not accepted. */
const NOT_TAKEN = json({ recipient_id: "", message_id: "" });
