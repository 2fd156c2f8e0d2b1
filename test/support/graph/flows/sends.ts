import { HOUR_MS } from "../../../../src/kernel/clock.ts";
import { badValue, GraphError } from "../errors.ts";
import { type Fields, fieldsOf, textOf } from "../shape.ts";
import type { Flow, State } from "../state.ts";

const THROTTLED_PER_HOUR = 10;

/**
 * The flow of an interactive message, if it is one. Throws Graph's error for a flow that cannot be sent: 131009 unknown
 * or in another mode, 132068 blocked, 132069 throttled and sent ten times within the hour. An account without flows may
 * name any flow.
 */
export const sentFlowOf = ({ flows, clock }: State, businessAccountId: string, content: unknown): Flow | undefined => {
  if (fieldsOf(content)["type"] !== "flow") return undefined;
  const parameters = fieldsOf(fieldsOf(fieldsOf(content)["action"])["parameters"]);
  const own = [...flows.values()].filter((flow) => flow.businessAccountId === businessAccountId);
  if (own.length === 0) return undefined;
  const flow = own.find((one) => one.id === parameters["flow_id"] || one.name === parameters["flow_name"]);
  if (!flow) throw badValue("Flow with the given id or name does not exist.");
  checkState(flow, parameters, clock.now());
  return flow;
};

const checkState = ({ status, sentTimes }: Flow, parameters: Fields, now: number): void => {
  const mode = textOf(parameters["mode"]) || "published";
  if (status === "BLOCKED") throw new GraphError(132068, { details: "Flow is in blocked state." });
  if (status === "DEPRECATED") throw badValue("Flow is deprecated.");
  if ((status === "DRAFT") !== (mode === "draft"))
    throw badValue(`Flow is in ${status} status and cannot be sent in ${mode} mode.`);
  const isSpent = sentTimes.filter((at) => now - at < HOUR_MS).length >= THROTTLED_PER_HOUR;
  if (status === "THROTTLED" && isSpent)
    throw new GraphError(132069, {
      details: "Flow is in throttled state and 10 messages using this flow were already sent in the last hour.",
    });
};
