/**
 * What these nodes use of n8n-workflow, which n8n itself brings. The package weighs more than all of ours, so it is not
 * installed for its types. See https://docs.n8n.io/integrations/creating-nodes/build/reference/.
 */
declare module "n8n-workflow" {
  export type Json = Record<string, unknown>;
  type DisplayOptions = { show?: Record<string, readonly unknown[]>; hide?: Record<string, readonly unknown[]> };

  export type INodePropertyOption = {
    name: string;
    value: string | number | boolean;
    description?: string;
    /** What the node is called in the list while this operation is chosen. */
    action?: string;
  };
  export type INodePropertyGroup = { displayName: string; name: string; values: INodeProperties[] };
  export type INodeProperties = {
    displayName: string;
    name: string;
    type:
      | "boolean"
      | "collection"
      | "dateTime"
      | "fixedCollection"
      | "json"
      | "multiOptions"
      | "notice"
      | "number"
      | "options"
      | "string";
    default: unknown;
    description?: string;
    hint?: string;
    placeholder?: string;
    required?: boolean;
    noDataExpression?: boolean;
    options?: (INodePropertyOption | INodeProperties | INodePropertyGroup)[];
    typeOptions?: {
      loadOptionsMethod?: string;
      loadOptionsDependsOn?: string[];
      minValue?: number;
      maxValue?: number;
      multipleValues?: boolean;
      numberPrecision?: number;
      password?: boolean;
      rows?: number;
    };
    displayOptions?: DisplayOptions;
  };

  export type ICredentialType = {
    name: string;
    displayName: string;
    documentationUrl?: string;
    icon?: string;
    properties: INodeProperties[];
    authenticate?: { type: "generic"; properties: { headers?: Record<string, string> } };
    test?: { request: { baseURL: string; url: string } };
  };

  export type INodeTypeDescription = {
    displayName: string;
    name: string;
    icon: string;
    group: string[];
    version: number;
    subtitle?: string;
    description: string;
    defaults: { name: string };
    inputs: "main"[];
    outputs: "main"[];
    usableAsTool?: true;
    credentials: { name: string; required: boolean }[];
    webhooks?: { name: "default"; httpMethod: "POST"; responseMode: "onReceived"; path: string }[];
    properties: INodeProperties[];
  };

  export type INode = { id: string; name: string; type: string };
  export type INodeExecutionData = { json: Json; pairedItem?: { item: number } };
  export type IHttpRequestOptions = {
    method: string;
    url: string;
    qs?: Json;
    headers?: Record<string, string>;
    body?: unknown;
    json?: boolean;
    returnFullResponse?: boolean;
    ignoreHttpStatusErrors?: boolean;
  };
  type FullResponse = { statusCode: number; headers: Json; body: unknown };

  type Functions = {
    getCredentials(name: string): Promise<Json>;
    getNode(): INode;
    helpers: {
      /** Authenticates as the credential says. @throws NodeApiError where no answer comes. */
      httpRequestWithAuthentication(
        this: object,
        credential: string,
        options: IHttpRequestOptions,
      ): Promise<FullResponse>;
    };
  };
  export type IExecuteFunctions = Functions & {
    getInputData(): INodeExecutionData[];
    getNodeParameter(name: string, itemIndex: number, fallback?: unknown): unknown;
    getExecutionId(): string;
    getInstanceId(): string;
    getWorkflow(): { id?: string };
    getWorkflowDataProxy(itemIndex: number): { $runIndex: number };
    continueOnFail(): boolean;
  };
  export type ILoadOptionsFunctions = Functions & {
    getCurrentNodeParameter(name: string): unknown;
  };
  export type IHookFunctions = Functions & {
    getNodeParameter(name: string, fallback?: unknown): unknown;
    getNodeWebhookUrl(name: "default"): string | undefined;
    getWorkflow(): { id?: string; name?: string };
    /** Kept with the workflow; a change of the object is stored. */
    getWorkflowStaticData(type: "node"): Json;
  };
  export type IWebhookFunctions = {
    getMode(): string;
    getHeaderData(): Record<string, string | string[] | undefined>;
    getRequestObject(): { rawBody?: Uint8Array; readRawBody?(): Promise<void> };
    getResponseObject(): { status(code: number): { json(body: unknown): unknown; end(): unknown } };
    getWorkflowStaticData(type: "node"): Json;
  };
  /** `noWebhookResponse`: the node has answered itself. Without `workflowData` no workflow runs. */
  export type IWebhookResponseData = { workflowData?: INodeExecutionData[][]; noWebhookResponse?: boolean };

  type ErrorOptions = { message?: string; description?: string; httpCode?: string; itemIndex?: number };
  export class NodeApiError extends Error {
    constructor(node: INode, error: Json, options?: ErrorOptions);
  }
  export class NodeOperationError extends Error {
    constructor(node: INode, error: string, options?: ErrorOptions);
  }
}
