import type { ErrorObject } from "ajv";
import type { Description } from "../description/description.ts";
import type { Answer } from "../world.ts";
import { bodySchemaOf, type FuzzCall, type FuzzRoute, parametersOf } from "./calls.ts";
import { isUnstorable } from "./faults.ts";

/** The description's verdict on a request: the faulty fields, no fault, or uncertain. */
export type Foretold = { is: "allowed" } | { is: "refused"; fields: string[] } | { is: "open" };

const fieldOf = ({ instancePath, params }: ErrorObject): string | undefined =>
  instancePath.split("/")[1] ?? (params as { missingProperty?: string }).missingProperty;

/** A value of a query or a header, in the type of its schema. */
const readAs = (type: unknown, text: string): unknown => {
  if (type === "integer" || type === "number") return text.trim() === "" ? text : Number(text);
  return type === "boolean" && (text === "true" || text === "false") ? text === "true" : text;
};

/** The parameters in queries and headers that are missing, or that their schemas do not allow. */
const faultyParameters = (description: Description, { operation }: FuzzRoute, { query, headers }: FuzzCall): string[] =>
  parametersOf(description, operation)
    .filter((one) => one.in === "query" || one.in === "header")
    .filter(({ name, in: place, schema, required }) => {
      const given = (place === "query" ? query : headers)[name];
      if (given === undefined) return required === true;
      return !description.check(schema, false)(readAs(description.resolved(schema)["type"], given));
    })
    .map(({ name }) => name);

/** A value that is empty, or that no schema can describe, may count as missing; so may a null body. */
const isOpen = ({ operation }: FuzzRoute, schema: object | undefined, { query, headers, body }: FuzzCall): boolean =>
  Object.values(query).includes("") ||
  isUnstorable([body, query, headers]) ||
  (operation.requestBody !== undefined && (schema === undefined || body === undefined || body === null));

/** The description's verdict on the request of a call, which names things by their ids. */
export const foretold = (description: Description, route: FuzzRoute, call: FuzzCall): Foretold => {
  const { body } = call;
  const schema = bodySchemaOf(description, route.operation);
  if (isOpen(route, schema, call)) return { is: "open" };
  const faulty = faultyParameters(description, route, call);
  const check = schema && description.check(schema, false);
  const isTaken = check?.(JSON.parse(JSON.stringify(body))) ?? true;
  const errors = isTaken ? [] : (check?.errors ?? []);
  if (errors[0]?.keyword === "format") return { is: "open" }; // a schema leaves open whether a format is held to
  if (isTaken && faulty.length === 0) return { is: "allowed" };
  return {
    is: "refused",
    fields: [...new Set([...faulty, ...errors.map(fieldOf).filter((one) => one !== undefined)])],
  };
};

/** The fields that a refusal of either API names; undefined if it does not concern the form of the request. */
const refusedFields = ({ status, body }: Answer): string[] | undefined => {
  if (status !== 400) return undefined;
  const { error, errors, details } = (body ?? {}) as { error?: any; errors?: any[]; details?: any[] };
  if (error?.code === "VALIDATION_ERROR") return Object.keys((error.details.fieldErrors ?? {}) as object);
  if (Array.isArray(errors)) return errors.map((one: { path: string }) => one.path.split(".")[0] ?? "");
  if (Array.isArray(details)) return details.map((one: { field: string }) => one.field.split(".")[0] ?? "");
  return undefined;
};

/** A rule that only the text of an operation states, because no schema can. */
export type StatedRule = { operationId: string; field: string };

type Answered = { call: FuzzCall; route: FuzzRoute; answer: Answer };

/** The fault of the answer to a call; undefined without a fault. */
export const verdictOf = (
  foretelling: Foretold,
  answered: Answered,
  isStated: (rule: StatedRule) => boolean,
): string | undefined => {
  const { call, route, answer } = answered;
  if (answer.text.includes('"INTERNAL_ERROR"') || answer.text.includes("went wrong on our side"))
    return "a fault of the server";
  if (call.caller === "none" || call.caller === "wrong") {
    const isRefused = answer.status >= 400 && answer.status < 500;
    return isRefused || route.operation.security?.length === 0 ? undefined : "an answer without credentials";
  }
  const isStatedHere = (field: string) => isStated({ operationId: call.operationId, field });
  if (foretelling.is === "refused") return verdictOfRefused(foretelling.fields, answer, isStatedHere);
  if (foretelling.is === "open") return undefined;
  const unstated = (refusedFields(answer) ?? []).filter((field) => !isStatedHere(field));
  return unstated.length > 0 ? `a refusal of ${unstated.join()}, which the schema allows` : undefined;
};

/** A refusal may also name a rule of the text, which is checked before the form of what the schema describes. */
const verdictOfRefused = (
  fields: readonly string[],
  answer: Answer,
  isStated: (field: string) => boolean,
): string | undefined => {
  if (answer.status < 400) return `taken, although the schema forbids ${fields.join() || "it"}`;
  const isNamed = fields.length === 0 || fields.some((field) => answer.text.includes(field));
  const named = refusedFields(answer);
  return named && !isNamed && !named.some(isStated) ? `a refusal that does not name ${fields.join()}` : undefined;
};
