import { describe, expect, test } from "bun:test";
import { endpointOf, modelsUrlOf } from "../../../src/adapters/models/llm-endpoint.ts";

const KEY = "sk-the-key";
const urlsOf = (baseUrl: string, model = "m") => endpointOf({ baseUrl, apiKey: KEY }, "chat/completions", model).urls;

describe("a base URL", () => {
  test.each([
    ["with /v1", "https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions"],
    ["with slashes at its end", "https://api.openai.com/v1//", "https://api.openai.com/v1/chat/completions"],
    ["of a chat, as examples have it", "https://a.test/v1/chat/completions", "https://a.test/v1/chat/completions"],
    ["of embeddings", "https://a.test/v1/embeddings/", "https://a.test/v1/chat/completions"],
    ["of Groq", "https://api.groq.com/openai/v1", "https://api.groq.com/openai/v1/chat/completions"],
    [
      "of Gemini's door",
      "https://generativelanguage.googleapis.com/v1beta/openai/",
      "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions",
    ],
  ])("%s is one address", (_form, baseUrl, url) => {
    expect(urlsOf(baseUrl)).toEqual([url]);
  });

  test("without a version is tried as it is and with /v1; without a path, with /v1 first", () => {
    expect(urlsOf("http://127.0.0.1:11434/")).toEqual([
      "http://127.0.0.1:11434/v1/chat/completions",
      "http://127.0.0.1:11434/chat/completions",
    ]);
    expect(urlsOf("https://openrouter.ai/api")).toEqual([
      "https://openrouter.ai/api/chat/completions",
      "https://openrouter.ai/api/v1/chat/completions",
    ]);
  });

  test("is called with the key as a bearer token", () => {
    const { headers } = endpointOf({ baseUrl: "https://a.test/v1", apiKey: KEY }, "embeddings", "m");
    expect([headers["authorization"], headers["api-key"]]).toEqual([`Bearer ${KEY}`, undefined]);
  });
});

describe("a base URL with an api-version", () => {
  test.each([
    ["of a resource", "https://r.openai.azure.com?api-version=2024-10-21"],
    ["of its API", "https://r.openai.azure.com/openai/?api-version=2024-10-21"],
    ["of another deployment", "https://r.openai.azure.com/openai/deployments/other?api-version=2024-10-21"],
    [
      "as the portal shows it",
      "https://r.openai.azure.com/openai/deployments/other/chat/completions?api-version=2024-10-21",
    ],
  ])("%s is the address of the deployment that the model names", (_form, baseUrl) => {
    expect(urlsOf(baseUrl, "my gpt/4")).toEqual([
      "https://r.openai.azure.com/openai/deployments/my%20gpt%2F4/chat/completions?api-version=2024-10-21",
    ]);
  });

  test("of Azure's newer API has no deployment", () => {
    expect(urlsOf("https://r.openai.azure.com/openai/v1?api-version=preview")).toEqual([
      "https://r.openai.azure.com/openai/v1/chat/completions?api-version=preview",
    ]);
  });

  test("is called with the key in Azure's header alone, which refuses a bearer token", () => {
    const baseUrl = "https://r.openai.azure.com?api-version=2024-10-21";
    const { headers } = endpointOf({ baseUrl, apiKey: KEY }, "embeddings", "m");
    expect([headers["api-key"], headers["authorization"]]).toEqual([KEY, undefined]);
  });
});

test.each([
  ["https://api.openai.com/v1", "https://api.openai.com/v1/models"],
  ["https://api.openai.com/v1/chat/completions", "https://api.openai.com/v1/models"],
  ["http://127.0.0.1:11434/", "http://127.0.0.1:11434/v1/models"],
  ["https://openrouter.ai/api", "https://openrouter.ai/api/models"],
  [
    "https://r.openai.azure.com?api-version=2024-10-21",
    "https://r.openai.azure.com/openai/models?api-version=2024-10-21",
  ],
  [
    "https://r.openai.azure.com/openai/deployments/gpt/?api-version=2024-10-21",
    "https://r.openai.azure.com/openai/models?api-version=2024-10-21",
  ],
  [
    "https://r.openai.azure.com/openai/v1?api-version=preview",
    "https://r.openai.azure.com/openai/v1/models?api-version=preview",
  ],
])("the models of %s are listed at %s", (baseUrl, url) => {
  expect(modelsUrlOf(baseUrl)).toBe(url);
});
