import type { ICredentialType, INodeProperties } from "n8n-workflow";

/** The address of a Recado and the key of an account. n8n tests it by asking which account that is. */
export class RecadoApi implements ICredentialType {
  name = "recadoApi";
  displayName = "Recado API";
  icon = "file:recado.svg";
  properties: INodeProperties[] = [
    {
      displayName: "Base URL",
      name: "baseUrl",
      type: "string",
      default: "",
      required: true,
      placeholder: "https://recado.example.com/gateway",
      description: "The address of the gateway API, with /gateway and without /v1",
    },
    {
      displayName: "API Key",
      name: "apiKey",
      type: "string",
      typeOptions: { password: true },
      default: "",
      required: true,
      description: "The key of an account",
    },
  ];
  authenticate = {
    type: "generic" as const,
    properties: { headers: { "X-API-Key": "={{$credentials.apiKey}}" } },
  };
  test = { request: { baseURL: "={{$credentials.baseUrl.replace(/\\/+$/, '')}}", url: "/v1/account" } };
}
