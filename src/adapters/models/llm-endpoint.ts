import type { LlmProvider } from "../../contract/ports/llm.ts";

/** TABLE: the calls. People copy their paths at the end of a base URL from a provider's examples. */
const CALLS = ["chat/completions", "embeddings", "audio/transcriptions", "audio/speech"] as const;
export type CallName = (typeof CALLS)[number];
/** `urls`: where the call may be, the likeliest first. The others count only where the one before is no such page. */
export type Endpoint = { urls: readonly string[]; headers: Record<string, string> };

const VERSION = /\/v\d[\da-z]*(?:\/|$)/;
const DEPLOYMENT = /\/deployments\/[^/]*$/;

/** The path of a base URL without the path of a call and without slashes at its end. */
const pathOf = ({ pathname }: URL): string => {
  const path = withoutSlashes(pathname);
  const call = CALLS.find((name) => path.endsWith(`/${name}`));
  return call === undefined ? path : withoutSlashes(path.slice(0, -call.length));
};

const withoutSlashes = (path: string): string => {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
};

/**
 * The paths that a base URL stands for. A path without a version is taken as it is, then with `/v1`: Groq, OpenRouter
 * and LiteLLM have such prefixes. A URL without a path is taken with `/v1` first, as most providers need it.
 */
const pathsOf = (path: string): readonly string[] => {
  if (VERSION.test(path)) return [path];
  return path === "" ? ["/v1", ""] : [path, `${path}/v1`];
};

/** The path of Azure's API, without a deployment. */
const azureRoot = (path: string): string => path.replace(DEPLOYMENT, "") || "/openai";

/** The path of an Azure deployment, whose name is the model's. Azure's newer API has a version and no deployments. */
const azurePath = (path: string, model: string): string =>
  VERSION.test(path) ? path : `${azureRoot(path)}/deployments/${encodeURIComponent(model)}`;

const isAzure = ({ searchParams }: URL): boolean => searchParams.has("api-version");

/** A base URL may have a query, which stays behind its path. */
const addressIn = ({ origin, search }: URL, prefix: string, call: string): string =>
  `${origin}${prefix}/${call}${search}`;

/** Where a provider lists its models, the likeliest address. */
export const modelsUrlOf = (baseUrl: string): string => {
  const url = new URL(baseUrl);
  const path = pathOf(url);
  const [prefix = ""] = isAzure(url) && !VERSION.test(path) ? [azureRoot(path)] : pathsOf(path);
  return addressIn(url, prefix, "models");
};

/**
 * Where a provider takes a call for a model, and with which headers. A base URL with an `api-version` is Azure's: its
 * key has a header of its own, and a bearer token would be refused there.
 */
export const endpointOf = ({ baseUrl, apiKey }: LlmProvider, call: CallName, model: string): Endpoint => {
  const url = new URL(baseUrl);
  const path = pathOf(url);
  const paths = isAzure(url) ? [azurePath(path, model)] : pathsOf(path);
  return {
    urls: paths.map((prefix) => addressIn(url, prefix, call)),
    headers: {
      ...(isAzure(url) ? { "api-key": apiKey } : { authorization: `Bearer ${apiKey}` }),
      accept: call === "audio/speech" ? "*/*" : "application/json",
      "user-agent": "recado",
    },
  };
};
