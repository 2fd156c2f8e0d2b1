import type {
  INodePropertyOption,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
  Json,
} from "n8n-workflow";
import { WebhookVerificationError } from "../../../../typescript/src/errors.ts";
import { webhooks } from "../../../../typescript/src/webhooks.ts";
import { EVENT_FILTERS } from "../../generated/options.ts";
import { loadOptions } from "../../options.ts";
import { CREDENTIAL } from "../../request.ts";
import { subscription } from "./subscription.ts";

/** The event of a delivery; undefined for what Recado did not sign with the secret, or not now. */
const verified = async (hook: IWebhookFunctions): Promise<Json | undefined> => {
  const { secret } = hook.getWorkflowStaticData("node");
  const request = hook.getRequestObject();
  await request.readRawBody?.();
  if (typeof secret !== "string" || request.rawBody === undefined) return undefined;
  try {
    return await webhooks.verify(request.rawBody, hook.getHeaderData(), secret);
  } catch (error) {
    if (error instanceof WebhookVerificationError) return undefined;
    throw error;
  }
};

const DIRECTIONS: INodePropertyOption[] = [
  { name: "Inbound", value: "inbound" },
  { name: "Outbound", value: "outbound" },
];

/** Starts a workflow for each event of Recado. */
export class RecadoTrigger {
  description: INodeTypeDescription = {
    displayName: "Recado Trigger",
    name: "recadoTrigger",
    icon: "file:recado.svg",
    group: ["trigger"],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: "Starts the workflow when something happens at a phone of Recado",
    defaults: { name: "Recado Trigger" },
    inputs: [],
    outputs: ["main"],
    credentials: [{ name: CREDENTIAL, required: true }],
    webhooks: [{ name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook" }],
    properties: [
      {
        displayName: "Events",
        name: "events",
        type: "multiOptions",
        options: EVENT_FILTERS,
        default: ["message:received"],
        required: true,
        description: "What starts the workflow. Nothing chosen means every event.",
      },
      {
        displayName: "Phone Names or IDs",
        name: "phoneIds",
        type: "multiOptions",
        typeOptions: { loadOptionsMethod: "getPhones" },
        default: [],
        description: "The phones whose events count. Nothing chosen means all phones, also later ones.",
      },
      {
        displayName: "Directions",
        name: "directions",
        type: "multiOptions",
        options: DIRECTIONS,
        default: [],
        description: "Of which messages there are events. Nothing chosen means both.",
      },
    ],
  };

  methods = { loadOptions };

  webhookMethods = { default: subscription };

  /**
   * Runs the workflow with the event of a signed delivery; 401 for any other call. A test of the webhook runs it only
   * while somebody listens for one in the editor.
   */
  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const event = await verified(this);
    if (event === undefined) {
      this.getResponseObject().status(401).json({ message: "The signature is missing or wrong" });
      return { noWebhookResponse: true };
    }
    if (this.getHeaderData()["x-gateway-test"] === "true" && this.getMode() !== "manual") return {};
    return { workflowData: [[{ json: event }]] };
  }
}
