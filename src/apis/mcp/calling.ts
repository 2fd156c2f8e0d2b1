import { TOOL_HEADER } from "../gateway/auth.ts";
import { type Call, ToolRefused } from "./tool.ts";

/** `send` takes a request to the gateway API at `baseUrl`. */
export type Gateway = {
  baseUrl: string;
  key: string;
  send(url: string, init: RequestInit): Promise<Response> | Response;
};

/** Makes the requests of one use of a tool with the rights of a key. The first one names the tool, for the audit log. */
export const callingAs =
  ({ baseUrl, key, send }: Gateway) =>
  (name: string): Call => {
    let isNamed = false;
    return async (method, path, { query = {}, body } = {}) => {
      const naming = isNamed ? {} : { [TOOL_HEADER]: name };
      isNamed = true;
      const url = new URL(baseUrl + path);
      for (const [field, value] of Object.entries(query))
        if (value !== undefined) url.searchParams.set(field, String(value));
      const response = await send(url.href, {
        method,
        headers: { "x-api-key": key, ...naming, ...(body ? { "content-type": "application/json" } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      const answer: unknown = response.headers.get("content-type")?.startsWith("application/json")
        ? JSON.parse(text)
        : text;
      if (!response.ok) throw new ToolRefused(response.status, answer);
      return answer;
    };
  };
