import {
  FLOW_STATUSES,
  type FlowApi,
  type FlowMetadata,
  type UpstreamFlow,
} from "../../../src/contract/abilities/flows.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { type Json, listOf, recordOf } from "../../../src/kernel/texts/json.ts";
import { formBody, multipartBody } from "../../meta/bodies.ts";
import { type Graph, isSuccess } from "../../meta/graph.ts";
import { textOf } from "../../meta/json.ts";
import { askerOf } from "../credentials.ts";

const FLOW_FIELDS = ["id", "name", "status", "categories", "validation_errors"];
const LIST_BYTES = 1024 * 1024;
/** The maximum of the list of flows; the network allows more. */
const LIST_LIMIT = "500";

/** Flow management of the number's business account. */
export const wabaFlows = (host: ChannelHost, graph: Graph): FlowApi => {
  const ask = askerOf(host, graph);

  return {
    create: ({ json, ...metadata }) =>
      ask(
        ({ businessAccountId }) => ({
          method: "POST",
          path: [businessAccountId, "flows"],
          body: { ...metadataBody(metadata), ...(json === undefined ? {} : { flow_json: JSON.stringify(json) }) },
        }),
        (answer) => {
          const nativeId = textOf(answer["id"]);
          return nativeId === undefined
            ? undefined
            : { nativeId, validationErrors: listOf(answer["validation_errors"]) };
        },
      ),
    update: (nativeId, metadata) =>
      ask(() => ({ method: "POST", path: [nativeId], body: metadataBody(metadata) }), isSuccess),
    replaceScreens: (nativeId, json) =>
      ask(
        () => ({ method: "POST", path: [nativeId, "assets"], raw: screensBody(host, json) }),
        (answer) => (answer["success"] === undefined ? undefined : listOf(answer["validation_errors"])),
      ),
    publish: (nativeId) => ask(() => ({ method: "POST", path: [nativeId, "publish"] }), isSuccess),
    deprecate: (nativeId) => ask(() => ({ method: "POST", path: [nativeId, "deprecate"] }), isSuccess),
    remove: (nativeId) => ask(() => ({ method: "DELETE", path: [nativeId] }), isSuccess),
    read: (nativeId) => ask(() => ({ method: "GET", path: [nativeId], fields: FLOW_FIELDS }), flowOf),
    list: () =>
      ask(
        ({ businessAccountId }) => ({
          method: "GET",
          path: [businessAccountId, "flows"],
          fields: FLOW_FIELDS,
          query: { limit: LIST_LIMIT },
          maxResponseBytes: LIST_BYTES,
        }),
        (answer) => listOf(answer["data"]).flatMap((flow) => flowOf(recordOf(flow)) ?? []),
      ),
    uploadKey: (publicKey) =>
      ask(
        ({ phoneNumberId }) => ({
          method: "POST",
          path: [phoneNumberId, "whatsapp_business_encryption"],
          raw: formBody({ business_public_key: publicKey }),
        }),
        isSuccess,
      ),
  };
};

const metadataBody = ({ name, categories, exchangeUrl }: FlowMetadata): Json => ({
  ...(name === undefined ? {} : { name }),
  ...(categories === undefined ? {} : { categories: [...categories] }),
  ...(exchangeUrl === undefined ? {} : { endpoint_uri: exchangeUrl }),
});

const screensBody = (host: ChannelHost, json: object) =>
  multipartBody(host.random, [
    { name: "name", content: "flow.json" },
    { name: "asset_type", content: "FLOW_JSON" },
    { name: "file", content: JSON.stringify(json), filename: "flow.json", contentType: "application/json" },
  ]);

/** Undefined for any other value. An unknown status counts as a status in which a flow cannot be sent. */
const flowOf = (flow: Json): UpstreamFlow | undefined => {
  const nativeId = textOf(flow["id"]);
  if (nativeId === undefined) return undefined;
  return {
    nativeId,
    name: textOf(flow["name"]) ?? "",
    categories: listOf(flow["categories"]).flatMap((category) => textOf(category) ?? []),
    status: FLOW_STATUSES.find((status) => status === flow["status"]) ?? "BLOCKED",
    validationErrors: listOf(flow["validation_errors"]),
  };
};
