import {
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeTypeDescription,
  type Json,
  NodeOperationError,
} from "n8n-workflow";
import { loadOptions } from "../../options.ts";
import { CREDENTIAL, listOf, request } from "../../request.ts";
import { isJson } from "../../values.ts";
import type { Field } from "./content.ts";
import { FIELDS } from "./fields.ts";
import { OPERATIONS } from "./operations.ts";

/**
 * The name of what the node does for one item: the same when n8n tries the node again, another one in each run of a loop,
 * in another execution, and in another n8n whose executions have the same numbers.
 */
const idempotencyKeyOf = async (run: IExecuteFunctions, itemIndex: number): Promise<string> => {
  const { $runIndex } = run.getWorkflowDataProxy(itemIndex);
  const parts = [
    run.getInstanceId(),
    run.getWorkflow().id,
    run.getExecutionId(),
    run.getNode().id,
    $runIndex,
    itemIndex,
  ];
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(parts)));
  return `n8n-${Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
};

const operationOf = (run: IExecuteFunctions, itemIndex: number) => {
  const [resource, operation] = ["resource", "operation"].map((name) => String(run.getNodeParameter(name, itemIndex)));
  const found = OPERATIONS[resource ?? ""]?.[operation ?? ""];
  if (found) return found;
  throw new NodeOperationError(run.getNode(), `There is no operation ${operation} of ${resource}`, { itemIndex });
};

/** What one item asks for, done. @throws NodeApiError with the code of a refusal, NodeOperationError for a bad field. */
const perform = async (run: IExecuteFunctions, itemIndex: number): Promise<Json[]> => {
  const { call: callOf, isList } = operationOf(run, itemIndex);
  const field: Field = (name) => run.getNodeParameter(name, itemIndex, "");
  let call: ReturnType<typeof callOf>;
  try {
    call = callOf(field);
  } catch (error) {
    throw new NodeOperationError(run.getNode(), error instanceof Error ? error.message : String(error), { itemIndex });
  }
  if (isList) {
    const limit = field("returnAll") === true ? Number.POSITIVE_INFINITY : Number(field("limit"));
    return listOf(run, call, limit, itemIndex);
  }
  const idempotencyKey = call.method === "POST" ? await idempotencyKeyOf(run, itemIndex) : undefined;
  const answer = await request(run, { ...call, idempotencyKey }, itemIndex);
  return [isJson(answer) ? answer : { answer }];
};

/** Sends messages, and reads what the account has. */
export class Recado {
  description: INodeTypeDescription = {
    displayName: "Recado",
    name: "recado",
    icon: "file:recado.svg",
    group: ["output"],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: "Send messages, answer in chats, and read phones, contacts, templates and events",
    defaults: { name: "Recado" },
    inputs: ["main"],
    outputs: ["main"],
    usableAsTool: true,
    credentials: [{ name: CREDENTIAL, required: true }],
    properties: FIELDS,
  };

  methods = { loadOptions };

  /** One result for each item, or one for each thing of a list. @throws for an item that fails, unless n8n goes on. */
  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const results: INodeExecutionData[] = [];
    for (const item of this.getInputData().keys()) {
      try {
        for (const json of await perform(this, item)) results.push({ json, pairedItem: { item } });
      } catch (error) {
        if (!this.continueOnFail()) throw error;
        results.push({ json: { error: error instanceof Error ? error.message : String(error) }, pairedItem: { item } });
      }
    }
    return [results];
  }
}
