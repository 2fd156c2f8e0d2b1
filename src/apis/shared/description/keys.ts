import { KEY_HEADER, KEY_PATTERN, REPLAYED_HEADER, takesKey } from "../idempotency.ts";
import { type Answer, type Operation, type Parameter, statusName } from "./operations.ts";

const PARAMETER: Parameter = {
  name: KEY_HEADER,
  in: "header",
  description:
    "A name for this request, different for each request. A repeat with the same name within 24 hours " +
    "gets the first answer and does nothing",
  schema: { type: "string", pattern: KEY_PATTERN },
};

/** The header of a repeated answer. Besides the successes of `withKey`, a failure (5xx) is repeated. */
export const REPLAYED = {
  [REPLAYED_HEADER]: {
    short: "IdempotentReplayed",
    description: "`true` if the first answer is given again; absent otherwise",
    schema: { type: "string", enum: ["true"] },
    isOf: ({ status }: { status: string }): boolean => status >= "500",
  },
};
const REPLAYED_REFERENCE = { [REPLAYED_HEADER]: { $ref: "#/components/headers/IdempotentReplayed" } };

/**
 * Adds the parts of every POST with a credential: the header with its key, the header of a repeated answer, and the
 * 409.
 */
export const withKey = (method: string, operation: Operation & { security?: readonly object[] }): Operation => {
  const { parameters = [], responses, security } = operation;
  if (!takesKey(method) || security?.length === 0) return operation;
  const refusal = responses["403"] ?? responses["400"];
  const conflict: Record<string, Answer> =
    responses["409"] || !refusal ? {} : { 409: { ...refusal, description: statusName("409") } };
  const replayable = Object.entries(responses).map(([status, answer]) => [
    status,
    status < "300" ? { ...answer, headers: { ...answer.headers, ...REPLAYED_REFERENCE } } : answer,
  ]);
  return {
    ...operation,
    parameters: [...parameters, PARAMETER],
    responses: { ...(Object.fromEntries(replayable) as Record<string, Answer>), ...conflict },
  };
};
