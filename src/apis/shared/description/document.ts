import { type Components, newComponents } from "./components.ts";
import { withNamedEnums } from "./enums.ts";
import { withExamples } from "./examples.ts";
import { mapValues, type Schema } from "./json-schema.ts";
import { REPLAYED, withKey } from "./keys.ts";
import { pascal } from "./names.ts";
import { type Answer, type Media, type Operation, type Parameter, type Placed, statusName } from "./operations.ts";
import { type DescribedWebhooks, describedWebhooks } from "./webhooks.ts";

/** An answer of an operation; it decides which headers the answer has. */
export type AnswerPlace = { status: string; method: string; path: string; operationId: string };

/** `isOf`: the answers that name the header. `short`: the name of its component. */
export type AnswerHeader = { short: string; description: string; schema: object; isOf(answer: AnswerPlace): boolean };

export type Refusals = {
  headers: Readonly<Record<string, AnswerHeader>>;
  /** TABLE: the codes of each status. */
  codes: Readonly<Record<string, readonly string[]>>;
};

export type Paths = Record<string, Record<string, object>>;
type Reference = { $ref: string };

/** The names of refusals that occur in every operation. */
const SHORT: Readonly<Record<string, string>> = {
  402: "Unpaid",
  408: "Timeout",
  413: "TooLarge",
  429: "TooMany",
  500: "Failed",
  503: "Unavailable",
};

/** The refusals of any body: too slow, too large, or over the budget. They have the shape of the route's others. */
const OF_BODIES = ["408", "413", "503"];

const withBodyRefusals = (operation: Operation): Operation => {
  const { requestBody, responses } = operation;
  if (!requestBody) {
    const { 413: _, ...others } = responses;
    return { ...operation, responses: others };
  }
  const refusal = responses["403"] ?? responses["400"];
  if (!refusal?.content) return operation;
  const added = OF_BODIES.map((status) => [status, { ...refusal, description: statusName(status) }]);
  return { ...operation, responses: { ...(Object.fromEntries(added) as Record<string, Answer>), ...responses } };
};

/** A list of everything never gives 404. */
const withoutMissing = (method: string, operation: Operation): Operation => {
  const namesOne = operation.parameters?.some((one) => one.in !== "query" || /[iI]d$/.test(one.name)) ?? false;
  if (method !== "get" || namesOne) return operation;
  const { 404: missing, ...responses } = operation.responses;
  return missing?.content ? { ...operation, responses } : operation;
};

const liftedMedia = (content: Media, { lifted }: Components, name: string): Media =>
  mapValues(content, ({ schema, ...rest }) => ({
    ...rest,
    ...(schema === undefined ? {} : { schema: lifted(schema, name) }),
  }));

const mergedHeaders = ({ headers: own }: Answer, { headers: shared }: Schema): Schema =>
  own === undefined && shared === undefined ? {} : { headers: { ...(shared as object | undefined), ...own } };

/** The shared parts of a document besides schemas: refusals, headers and parameters, each once. */
const newShared = ({ headers, codes }: Refusals, components: Components) => {
  const responses: Record<string, Answer> = {};
  const headersFor = (place: AnswerPlace): Schema => {
    const own = Object.entries(headers).filter(([, header]) => header.isOf(place));
    if (own.length === 0) return {};
    const references = own.map(([name, { short }]) => [name, { $ref: `#/components/headers/${short}` }]);
    return { headers: Object.fromEntries(references) as Schema };
  };
  const refusal = (place: AnswerPlace, answer: Answer, operation: string): Answer | Reference => {
    const content = answer.content?.["application/json"];
    if (!String(content?.schema?.["title"]).endsWith("Error") || content?.schema === undefined)
      return success(place, answer, operation);
    const { status } = place;
    const schema = components.lifted(content.schema, "Error");
    const shape = String(schema["$ref"]).split("/").at(-1) ?? "";
    const name = (SHORT[status] ?? pascal(statusName(status))) + shape.replace(/Error$/, "");
    responses[name] ??= {
      description: statusName(status),
      ...headersFor({ ...place, operationId: "" }),
      content: { "application/json": { schema } },
      ...(codes[status] === undefined ? {} : { "x-error-codes": codes[status] }),
    };
    return { $ref: `#/components/responses/${name}` };
  };
  const success = (place: AnswerPlace, answer: Answer, name: string): Answer => ({
    ...answer,
    ...mergedHeaders(answer, headersFor(place)),
    ...(answer.content ? { content: liftedMedia(answer.content, components, name) } : {}),
  });
  return {
    responses,
    answer: (place: AnswerPlace, answer: Answer, name: string): Answer | Reference =>
      place.status >= "400" ? refusal(place, answer, name) : success(place, answer, name),
  };
};

/** Parameters that occur more than once, as components. The most frequent one of a name has its plain name. */
const withSharedParameters = (paths: Paths): { paths: Paths; parameters: Record<string, Parameter> } => {
  const counts = new Map<string, { parameter: Parameter; count: number }>();
  for (const operation of operationsIn(paths))
    for (const parameter of operation.parameters ?? []) {
      const key = JSON.stringify(parameter);
      counts.set(key, { parameter, count: (counts.get(key)?.count ?? 0) + 1 });
    }
  const byKey = new Map<string, string>();
  const parameters: Record<string, Parameter> = {};
  for (const [key, { parameter, count }] of [...counts].toSorted(([, a], [, b]) => b.count - a.count)) {
    const name = namesOf(parameter).find((one) => !(one in parameters));
    if (count < 2 || name === undefined) continue;
    parameters[name] = parameter;
    byKey.set(key, name);
  }
  const shared = (parameter: Parameter): Parameter | Reference => {
    const name = byKey.get(JSON.stringify(parameter));
    return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
  };
  return {
    parameters,
    paths: mapValues(paths, (operations) =>
      mapValues(operations as Record<string, Operation>, (operation) => ({
        ...operation,
        ...(operation.parameters ? { parameters: operation.parameters.map(shared) } : {}),
      })),
    ),
  };
};

/** The names of a parameter, the best first: `The phone's id` → `PhoneId`, else its own, else with its place. */
const namesOf = ({ name, in: place, description = "" }: Parameter): string[] => {
  const [, owner] = /^The ([\w ]+?)(?:'s id|,)/.exec(description) ?? [];
  const own = owner === undefined ? [] : [pascal(`${owner}-${name}`)];
  return [...(name === "id" ? own : []), pascal(name), ...own, pascal(`${place}-${name}`)];
};

const operationsIn = (paths: Paths): Operation[] =>
  Object.values(paths).flatMap((one) => Object.values(one) as Operation[]);

/** The paths of an API's operations, and the components that they refer to. @throws Error for two schemas of one name. */
export const describedOperations = (
  operations: readonly Placed[],
  { webhooks: events, ...refusals }: Refusals & { webhooks?: DescribedWebhooks },
) => {
  const components = newComponents();
  const answerHeaders = { ...refusals.headers, ...REPLAYED };
  const shared = newShared({ ...refusals, headers: answerHeaders }, components);
  const paths: Paths = {};
  for (const { path, method, operation: found } of operations) {
    const { requestBody, responses, ...operation } = withoutMissing(method, withKey(method, withBodyRefusals(found)));
    const name = pascal(operation.operationId);
    const body = requestBody && {
      ...requestBody,
      content: liftedMedia(requestBody.content, components, `${name}Request`),
    };
    (paths[path] ??= {})[method] = {
      ...operation,
      ...(body ? { requestBody: body } : {}),
      responses: mapValues(responses, (answer, status) =>
        shared.answer({ status, method, path, operationId: operation.operationId }, answer, `${name}Result`),
      ),
    };
  }
  const sent = events && describedWebhooks(events, components);
  const named = withNamedEnums(
    { paths: { ...paths, ...sent?.webhooks }, responses: { ...shared.responses, ...sent?.responses } },
    components.schemas,
  );
  const { paths: all, parameters } = withSharedParameters(named.parts.paths);
  const [found, webhooks] = parted(all, (name) => name.startsWith("/"));
  const headers = Object.values(answerHeaders).map(({ short, description, schema }) => [
    short,
    { description, schema },
  ]);
  return {
    paths: found,
    webhooks,
    components: {
      schemas: sorted(withExamples(found, named.schemas)),
      responses: named.parts.responses,
      parameters,
      headers: Object.fromEntries(headers) as Schema,
    },
  };
};

/** The entries whose name satisfies `holds`, and the others. */
const parted = <Value>(record: Record<string, Value>, holds: (name: string) => boolean) => {
  const part = (isWanted: boolean): Record<string, Value> =>
    Object.fromEntries(Object.entries(record).filter(([name]) => holds(name) === isWanted));
  return [part(true), part(false)] as const;
};

const sorted = <Value>(record: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
