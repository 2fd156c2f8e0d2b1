import { businessAccountOf, type Call, type Handler, ok, required, SUCCESS } from "../call.ts";
import { badParameter, GraphError } from "../errors.ts";
import { newNumericId } from "../ids.ts";
import { type Fields, jsonOf, textOf } from "../shape.ts";
import type { Flow, State } from "../state.ts";
import { pageOf, viewOf } from "../views.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { flowOf, moveFlow, nodeOf, notify } from "./flow.ts";
import { readFlowJson } from "./json.ts";
import { checkPublishable } from "./publish.ts";

const CATEGORIES = [
  "SIGN_UP",
  "SIGN_IN",
  "APPOINTMENT_BOOKING",
  "LEAD_GENERATION",
  "SHOPPING",
  "CONTACT_US",
  "CUSTOMER_SUPPORT",
  "SURVEY",
  "OTHER",
];
const JSON_BYTES_MAX = 10 * 1024 * 1024;

/**
 * `POST /{account}/flows`: a draft; with `publish` and a flow JSON without faults, published at once or refused as a
 * whole.
 */
export const createFlow =
  (webhooks: Webhooks): Handler =>
  (call) => {
    const { state } = call;
    const flow = newFlow(call, businessAccountOf(call).id);
    const isPublished = String(call.body["publish"]) === "true" && flow.json !== undefined && flow.faults.length === 0;
    const run = async () => {
      if (isPublished) await checkPublishable(state, webhooks, flow);
      const changes = [moveFlow(state, flow, "DRAFT"), ...(isPublished ? [moveFlow(state, flow, "PUBLISHED")] : [])];
      return {
        ...ok({ id: flow.id, success: true, validation_errors: flow.faults }),
        after: () => void webhooks.track(notify(webhooks, changes)),
      };
    };
    return { operation: "flow.create", run };
  };

const newFlow = ({ state, body, token }: Call, businessAccountId: string): Flow => {
  if (body["name"] === undefined) throw required("name");
  if (body["categories"] === undefined) throw required("categories");
  const source =
    body["clone_flow_id"] === undefined ? undefined : sourceOf(state, businessAccountId, textOf(body["clone_flow_id"]));
  const flow: Flow = {
    id: newNumericId(state.random),
    businessAccountId,
    appId: token.appId,
    name: "",
    categories: [],
    status: "DRAFT",
    faults: [],
    sentTimes: [],
  };
  const { json = source?.json, endpointUri = source?.endpointUri, ...named } = metadataOf(state, flow, body);
  return {
    ...flow,
    ...named,
    ...(endpointUri === undefined ? {} : { endpointUri }),
    ...(json === undefined ? {} : { json, faults: readFlowJson(json).faults }),
  };
};

const sourceOf = ({ flows }: State, businessAccountId: string, id: string): Flow => {
  const source = flows.get(id);
  if (source?.businessAccountId !== businessAccountId) throw badParameter("Flow with specified ID does not exist.");
  return source;
};

/**
 * The fields of a flow in a body. Throws 100 for impossible values, and for a name that another flow of the account
 * has.
 */
const metadataOf = (
  state: State,
  flow: Flow,
  body: Fields,
): Partial<Pick<Flow, "name" | "categories" | "endpointUri" | "json">> => {
  const { name, endpoint_uri: endpointUri, flow_json: json } = body;
  if (name !== undefined) checkName(state, flow, name);
  if (endpointUri !== undefined && !isHttpUrl(endpointUri)) throw badParameter("Invalid Endpoint URI.");
  if (json !== undefined && typeof json !== "string") throw badParameter("Param flow_json must be a string.");
  return {
    ...(name === undefined ? {} : { name: textOf(name) }),
    ...(body["categories"] === undefined ? {} : { categories: categoriesOf(body["categories"]) }),
    ...(endpointUri === undefined ? {} : { endpointUri: textOf(endpointUri) }),
    ...(json === undefined ? {} : { json }),
  };
};

const checkName = ({ flows }: State, flow: Flow, name: unknown): void => {
  if (typeof name !== "string" || name.trim() === "" || name.length > 200)
    throw badParameter("Param name must be a text of 1 to 200 characters.");
  const isTaken = [...flows.values()].some(
    (one) => one.id !== flow.id && one.businessAccountId === flow.businessAccountId && one.name === name,
  );
  if (isTaken) throw badParameter("Flow name is not unique.");
};

const isHttpUrl = (value: unknown): boolean =>
  typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

/** Categories as an array, or in a form's spelling of one. */
const categoriesOf = (value: unknown): string[] => {
  const list = typeof value === "string" ? jsonOf(value) : value;
  const isRight = Array.isArray(list) && list.length > 0 && list.every((one) => CATEGORIES.includes(textOf(one)));
  if (!isRight) throw badParameter(`Param categories must hold at least one of {${CATEGORIES.join(", ")}}.`);
  return list.map(textOf);
};

/** `GET /{account}/flows?fields=`, with `limit` and `after`. */
export const listFlows: Handler = (call) => {
  const account = businessAccountOf(call);
  const flows = [...call.state.flows.values()].filter((flow) => flow.businessAccountId === account.id);
  const page = pageOf(
    call,
    flows.map((flow) => nodeOf(call.state, flow)),
  );
  return { operation: "flow.list", run: () => page };
};

/** `GET /{flow}?fields=` */
export const getFlow: Handler = (call) => {
  const view = viewOf(nodeOf(call.state, flowOf(call)), call.query);
  return { operation: "flow.get", run: () => ok(view) };
};

/** `POST /{flow}`: name, categories, endpoint. Throws 139001 for a flow that is no longer a draft. */
export const updateFlow: Handler = (call) => {
  const flow = draftOf(call);
  const { json: _, ...metadata } = metadataOf(call.state, flow, call.body);
  const run = () => {
    Object.assign(flow, metadata);
    return SUCCESS;
  };
  return { operation: "flow.update", run };
};

const draftOf = (call: Call): Flow => {
  const flow = flowOf(call);
  if (flow.status !== "DRAFT")
    throw new GraphError(139001, { details: "A flow that was published can no longer be updated." });
  return flow;
};

/**
 * `POST /{flow}/assets`: a form with `name` flow.json, `asset_type` FLOW_JSON and the `file`, which is kept even with
 * faults.
 */
export const uploadFlowJson: Handler = (call) => {
  const flow = draftOf(call);
  const { name, asset_type: type } = call.body;
  const file = call.payload.form?.get("file");
  if (call.body["file"] === undefined) throw required("file");
  if (name !== "flow.json") throw badParameter("Param name must be flow.json.");
  if (type !== "FLOW_JSON") throw badParameter("Param asset_type must be one of {FLOW_JSON}.");
  if (file?.filename === undefined) throw badParameter("Param file must be a file.");
  if (file.bytes.length > JSON_BYTES_MAX) throw badParameter("Param file must be at most 10 MB.");
  const text = new TextDecoder().decode(file.bytes);
  const run = () => {
    Object.assign(flow, { json: text, faults: readFlowJson(text).faults });
    return ok({ success: true, validation_errors: flow.faults });
  };
  return { operation: "flow.upload", run };
};

/** `DELETE /{flow}`: drafts only, else 139004. */
export const deleteFlow: Handler = (call) => {
  const flow = flowOf(call);
  if (flow.status !== "DRAFT")
    throw new GraphError(139004, {
      details: "After a flow has been published, it cannot be deleted. Deprecate it instead.",
    });
  const run = () => {
    call.state.flows.delete(flow.id);
    return SUCCESS;
  };
  return { operation: "flow.delete", run };
};
