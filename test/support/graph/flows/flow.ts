import { DAY_MS, iso } from "../../../../src/kernel/clock.ts";
import { type Call, requireAccount } from "../call.ts";
import { unknownObject } from "../errors.ts";
import type { Flow, State } from "../state.ts";
import { type Change, envelopeOfChanges } from "../values.ts";
import type { Node } from "../views.ts";
import type { Delivery, Webhooks } from "../webhooks/webhooks.ts";
import { readFlowJson } from "./json.ts";

/** The flow a call names. Throws 100/33 if it does not exist or is not this token's, 10 without the scope. */
export const flowOf = (call: Call): Flow => {
  const flow = call.state.flows.get(call.node);
  if (!flow) throw unknownObject(call.method, call.node);
  requireAccount(call, flow.businessAccountId, "whatsapp_business_management");
  return flow;
};

const PREVIEW_TTL_MS = 30 * DAY_MS;

/** A flow in Graph's form. A flow without JSON has no versions. */
export const nodeOf = (state: State, flow: Flow): Node => {
  const { version, dataApiVersion } = flow.json === undefined ? {} : readFlowJson(flow.json);
  const expiresAt = iso(state.clock.now() + PREVIEW_TTL_MS).replace(/\.\d+Z$/, "+0000");
  const fields = {
    id: flow.id,
    name: flow.name,
    status: flow.status,
    categories: flow.categories,
    validation_errors: flow.faults,
    json_version: version,
    data_api_version: dataApiVersion,
    endpoint_uri: flow.endpointUri,
    preview: {
      preview_url: `https://business.facebook.com/wa/manage/flows/${flow.id}/preview/?token=${flow.id}`,
      expires_at: expiresAt,
    },
    whatsapp_business_account: { id: flow.businessAccountId },
    application: { id: flow.appId },
  };
  return { type: "WhatsAppFlow", fields, shown: ["id", "name", "status", "categories", "validation_errors"] };
};

/** Gives the flow its status, and makes it known if it is new. The webhook reports only the change. */
export const moveFlow = (state: State, flow: Flow, status: Flow["status"]): Change => {
  const former = state.flows.has(flow.id) ? flow.status : undefined;
  flow.status = status;
  state.flows.set(flow.id, flow);
  const message =
    former === undefined
      ? `${flow.name} has been created with ${status} status`
      : `${flow.name} changed status from ${former} to ${status}`;
  const value = {
    event: "FLOW_STATUS_CHANGE",
    message,
    flow_id: flow.id,
    ...(former === undefined ? {} : { old_status: former }),
    new_status: status,
  };
  return { businessAccountId: flow.businessAccountId, field: "flows", value, at: state.clock.now() };
};

/** Sends changes one after the other, a webhook each. */
export const notify = async (webhooks: Webhooks, changes: readonly Change[]): Promise<Delivery[]> => {
  const deliveries: Delivery[] = [];
  for (const change of changes)
    deliveries.push(
      await webhooks.send(envelopeOfChanges([change], "one-change"), { businessAccountId: change.businessAccountId }),
    );
  return deliveries;
};
