import { type Handler, SUCCESS } from "../call.ts";
import { GraphError } from "../errors.ts";
import type { Flow, PhoneNumber, State } from "../state.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { flowClient } from "./client.ts";
import { flowOf, moveFlow, notify } from "./flow.ts";
import { readFlowJson } from "./json.ts";

/** `POST /{flow}/publish`: 139002 for a flow that is no draft or has faults, or whose endpoint is not ready. */
export const publishFlow =
  (webhooks: Webhooks): Handler =>
  (call) => {
    const flow = flowOf(call);
    if (flow.status !== "DRAFT") throw unpublishable("Publishing Flow in invalid state");
    const run = async () => {
      await checkPublishable(call.state, webhooks, flow);
      const change = moveFlow(call.state, flow, "PUBLISHED");
      return { ...SUCCESS, after: () => void webhooks.track(notify(webhooks, [change])) };
    };
    return { operation: "flow.publish", run };
  };

/** `POST /{flow}/deprecate`: 139003 for a draft, and for a deprecated flow. */
export const deprecateFlow =
  (webhooks: Webhooks): Handler =>
  (call) => {
    const flow = flowOf(call);
    if (flow.status === "DRAFT") throw new GraphError(139003, { details: "Can't deprecate unpublished flow" });
    if (flow.status === "DEPRECATED") throw new GraphError(139003, { details: "Flow is already deprecated" });
    const run = () => {
      const change = moveFlow(call.state, flow, "DEPRECATED");
      return { ...SUCCESS, after: () => void webhooks.track(notify(webhooks, [change])) };
    };
    return { operation: "flow.deprecate", run };
  };

const unpublishable = (details: string, subcode?: number): GraphError =>
  new GraphError(139002, { details, ...(subcode === undefined ? {} : { subcode }) });

/**
 * Throws 139002 unless the flow has a JSON without faults, and its account has a number. If it has an endpoint, it must
 * have everything that an endpoint needs.
 */
export const checkPublishable = async (state: State, webhooks: Webhooks, flow: Flow): Promise<void> => {
  if (flow.json === undefined || flow.faults.length > 0) throw unpublishable("Publishing Flow with validation errors");
  const numbers = state.accounts.get(flow.businessAccountId)?.numbers ?? [];
  if (numbers.length === 0) throw unpublishable("No Phone Number connected to WhatsApp Business Account");
  if (readFlowJson(flow.json).dataApiVersion === undefined) return;
  if (flow.endpointUri === undefined)
    throw unpublishable("Publishing without specifying endpoint_uri is forbidden", 4233024);
  const signed = numbers.find((number) => number.isKeySigned);
  if (!signed) throw unpublishable("Missing Flows Signed Public Key", 4233012);
  if (state.settings.isEndpointPinged) await pingEndpoint(state, webhooks, signed, flow.endpointUri);
};

const pingEndpoint = async (state: State, webhooks: Webhooks, { seed }: PhoneNumber, url: string): Promise<void> => {
  const { answer } = await flowClient(state, webhooks, seed.phoneNumberId).exchange(url, { action: "ping" });
  if (JSON.stringify(answer) !== '{"data":{"status":"active"}}') throw unpublishable("Endpoint Not Available", 4233014);
};
