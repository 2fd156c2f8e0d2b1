import { describe, expect, test } from "bun:test";
import { sampleBodies } from "../../../../scripts/docs/events.ts";
import { STREAM_EVENT_TYPES } from "../../../../src/apis/gateway/events/event-types.ts";
import { EVENT_NAMES } from "../../../../src/apis/platform/events/definitions.ts";
import { type ApiName, eventFaults, eventSchemaOf, unionFaults } from "../../../support/apis/event-bodies.ts";
import { useWorld } from "../../../support/use-world.ts";

const TYPES: Record<ApiName, readonly string[]> = {
  gateway: STREAM_EVENT_TYPES.filter((type) => type !== "call:*"),
  platform: EVENT_NAMES,
};
const APIS = ["gateway", "platform"] as const;

type Body = Record<string, unknown>;
const sampleOf = (api: ApiName, type: string): Body => {
  const found = sampleBodies(api).find((one) => one.type === type);
  if (!found) throw new Error(`there is no sample of ${type}`);
  return structuredClone(found.body);
};
/** The part of a body that is its event's own. */
const ownOf = (api: ApiName, body: Body): Body => (api === "gateway" ? (body["data"] as Body) : body);

describe.each(APIS)("the events of the %s API", (api) => {
  test("every type is rendered by a sample", () => {
    expect([...new Set(sampleBodies(api).map(({ type }) => type))].toSorted()).toEqual([...TYPES[api]].toSorted());
  });

  test.each(sampleBodies(api).map(({ type, body }) => [type, body] as const))("%s is as described", (_, body) => {
    expect(eventFaults(api, body)).toEqual([]);
    expect(unionFaults(api, body)).toEqual([]);
  });

  test.each(TYPES[api])("%s with a missing, an unknown or a wrong field is not", (type) => {
    const missing = sampleOf(api, type);
    delete missing["timestamp"];
    const unknown = { ...sampleOf(api, type), unheardOf: 1 };
    const wrong = { ...sampleOf(api, type), id: 7 };
    const within = sampleOf(api, type);
    ownOf(api, within)["unheardOf"] = 1;
    for (const body of [missing, unknown, wrong, within]) {
      expect(eventFaults(api, body)).not.toEqual([]);
      expect(unionFaults(api, body)).not.toEqual([]);
    }
  });

  test("a body of another type than it says is none", () => {
    for (const type of TYPES[api]) {
      const body = sampleOf(api, type);
      expect(eventFaults(api, { ...body, type: "nothing" }, type)).not.toEqual([]);
    }
  });

  test("a type that the API does not have has no schema", () => {
    expect(() => eventSchemaOf(api, "nothing")).toThrow("describes no event nothing");
  });
});

test("the content of a message is that of its type", () => {
  const body = sampleOf("gateway", "message:received");
  const data = body["data"] as Body;
  expect(eventFaults("gateway", { ...body, data: { ...data, type: "location" } })).not.toEqual([]);
  expect(eventFaults("gateway", { ...body, data: { ...data, content: { text: 1 } } })).not.toEqual([]);
  expect(eventFaults("gateway", { ...body, data: { ...data, type: "image" } })).not.toEqual([]);
});

type Operation = {
  operationId: string;
  security: unknown[];
  parameters: { $ref: string }[];
  requestBody: { content: Record<string, { schema: { $ref?: string; anyOf?: { $ref: string }[] } }> };
  responses: Record<string, { $ref: string }>;
};
type Document = {
  webhooks: Record<string, { post: Operation }>;
  components: Record<string, Record<string, { name?: string }>>;
};

describe("the section webhooks of the description", () => {
  const w = useWorld();
  const documentOf = async (api: ApiName): Promise<Document> =>
    (await fetch(`${w.app.url}/${api}/openapi.json`)).json() as Promise<Document>;
  const nameOf = ({ $ref }: { $ref: string }): string => $ref.split("/").at(-1) ?? "";

  test.each(APIS)("has every type of the %s API, with a name and a schema of its own", async (api) => {
    const { webhooks, components } = await documentOf(api);
    expect(Object.keys(webhooks).toSorted()).toEqual([...TYPES[api]].toSorted());
    for (const { post } of Object.values(webhooks)) {
      const { schema } = post.requestBody.content["application/json"] ?? { schema: {} };
      const [own] = schema.anyOf ?? [schema as { $ref: string }];
      expect(own && nameOf(own)).toBe(post.operationId.replace(/^on(.*)$/, "$1Event"));
      expect(components["schemas"]).toHaveProperty(own ? nameOf(own) : "");
      expect(post.security).toEqual([]); // a customer's endpoint knows no key of ours
      for (const answer of Object.values(post.responses))
        expect(components["responses"]).toHaveProperty(nameOf(answer));
      expect(Object.keys(post.responses).toSorted()).toEqual(["2XX", "410", "default"]);
    }
    const ids = Object.values(webhooks).map(({ post }) => post.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("G-583 names the operations by the words of the API: a channel is a phone of the gateway", async () => {
    const [gateway, platform] = [await documentOf("gateway"), await documentOf("platform")];
    expect(gateway.webhooks["channel:restricted"]?.post.operationId).toBe("onPhoneRestricted");
    expect(gateway.webhooks["message:received"]?.post.operationId).toBe("onMessageReceived");
    expect(platform.webhooks["channel.connected"]?.post.operationId).toBe("onChannelConnected");
  });

  test("the headers of a delivery are parameters that all share", async () => {
    const { webhooks, components } = await documentOf("gateway");
    const names = Object.values(webhooks).map(({ post }) =>
      post.parameters.map((one) => components["parameters"]?.[nameOf(one)]?.name),
    );
    for (const one of names)
      expect(one).toEqual([
        "webhook-id",
        "webhook-timestamp",
        "webhook-signature",
        "X-Gateway-Signature",
        "X-Gateway-Attempt",
      ]);
  });
});
