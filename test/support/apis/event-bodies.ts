import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { CutEvent, GATEWAY_EVENTS, GatewayEvent } from "../../../src/apis/gateway/events/event-schemas/index.ts";
import { GATEWAY_HEADERS } from "../../../src/apis/gateway/events/render.ts";
import { PLATFORM_EVENTS, PlatformEvent } from "../../../src/apis/platform/events/definitions.ts";
import { PLATFORM_HEADERS } from "../../../src/apis/platform/events/render.ts";
import { newComponents } from "../../../src/apis/shared/description/components.ts";
import { plainSchema } from "../../../src/apis/shared/description/json-schema.ts";
import { type JsonSchema, strictSchema } from "../description/strict-schemas.ts";

export type ApiName = "gateway" | "platform";

const APIS = {
  gateway: { events: GATEWAY_EVENTS, others: { "*": GatewayEvent, cut: CutEvent }, headers: GATEWAY_HEADERS },
  platform: { events: PLATFORM_EVENTS, others: { "*": PlatformEvent }, headers: PLATFORM_HEADERS },
};

const ajv = new Ajv2020({ strict: false, validateSchema: false });
formats(ajv);

/** The strict schemas of each event: a property that no schema names is a fault. */
const bodiesOf = (api: ApiName): ReadonlyMap<string, JsonSchema> => {
  const { events, others } = APIS[api];
  const components = newComponents();
  const references = [
    ...events.map(({ type, name, schema }) => [type, components.lifted(plainSchema(schema), name)] as const),
    ...Object.entries(others).map(([type, schema]) => [type, components.lifted(plainSchema(schema), type)] as const),
  ];
  return new Map(references.map(([type, schema]) => [type, strictSchema(schema, components.schemas)]));
};
const schemas = { gateway: bodiesOf("gateway"), platform: bodiesOf("platform") };

/**
 * The whole strict schema of a type of event, without references out of it. `*`: any event; `cut`: the body in place of
 * an event that is too large. Throws for a type that the API does not have.
 */
export const eventSchemaOf = (api: ApiName, type: string): JsonSchema => {
  const schema = schemas[api].get(type);
  if (!schema) throw new Error(`the ${api} API describes no event ${type}`);
  return schema;
};

const checks = new Map<JsonSchema, ValidateFunction>();
const checkOf = (schema: JsonSchema): ValidateFunction => {
  const check = checks.get(schema) ?? ajv.compile(schema);
  checks.set(schema, check);
  return check;
};

type Body = { type: string; data?: { isCut?: boolean } };

const faultsBy = (schema: JsonSchema, body: unknown): string[] => {
  const check = checkOf(schema);
  return check(body)
    ? []
    : (check.errors ?? []).map(({ instancePath, message, params }) =>
        `${instancePath} ${message} ${JSON.stringify(params)}`.trim(),
      );
};

/** The faults of the body of an event of `type`; empty if the API describes it so. */
export const eventFaults = (api: ApiName, body: unknown, type?: string): string[] => {
  const { type: stated, data } = body as Body; // or the schema refuses it
  return faultsBy(eventSchemaOf(api, data?.isCut ? "cut" : (type ?? stated)), body);
};

/** Why a body is no event of the API. */
export const unionFaults = (api: ApiName, body: unknown): string[] => faultsBy(eventSchemaOf(api, "*"), body);

/** The faults of a delivery's headers and body. A header that only one API sends names the API. */
export const deliveryFaults = (headers: Readonly<Record<string, string>>, body: unknown): string[] => {
  const api = (["gateway", "platform"] as const).find((one) =>
    Object.keys(APIS[one].headers).some((name) => /^x-.*-attempt$/i.test(name) && name.toLowerCase() in headers),
  );
  if (!api) return [];
  const missing = Object.keys(APIS[api].headers).filter((name) => !(name.toLowerCase() in headers));
  return [...missing.map((name) => `the header ${name} is missing`), ...eventFaults(api, body)];
};
