// The generated part of the Python client: the types of an API, its functions, and the table that they run by.
import type { Document, Operation, Parameter, Schema } from "./document.ts";
import { typeName } from "./names.ts";
import { docstring, laidOut, literal, snake } from "./python-names.ts";
import { type PythonTypes, pythonTypes } from "./python-types.ts";
import { namedRoutes, PARTS } from "./typescript.ts";

type Route = ReturnType<typeof namedRoutes>[number];
/** A parameter in a function's signature. */
type Argument = { name: string; type: string; isNeeded: boolean };
/** One way to call a function: its parameters, and its answer. */
type Signature = { fields: Argument[]; answer: string };

const sorted = (routes: Route[]): Route[] => routes.toSorted((a, b) => (a.operation.path < b.operation.path ? -1 : 1));

const byNamespace = (routes: Route[]): [namespace: string, routes: Route[]][] =>
  [...Map.groupBy(sorted(routes), ({ namespace }) => namespace)].sort(([a], [b]) => (a < b ? -1 : 1));

const union = (types: string[]): string => {
  const unique = [...new Set(types)];
  return unique.length > 1 ? `Union[${unique.join(", ")}]` : (unique[0] ?? "None");
};

const isDry = ({ $ref = "" }: Schema): boolean => /\/DryRun\w*$/.test($ref);
const answersOf = ({ answers }: Operation): Schema[] => answers.flatMap((one) => one.anyOf ?? one.oneOf ?? [one]);

/** The query of a route without names that its body has too, because one argument cannot go to both. */
const queryOf = (types: PythonTypes, { body, query }: Operation): Parameter[] => {
  const sent = body?.schema ? types.fieldsOf(body.schema).map(({ wire }) => wire) : [];
  return query.filter(({ name }) => !sent.includes(name));
};

/** The arguments for a path. They are given by position, so the body may have the same names. */
const inPathOf = (types: PythonTypes, { body, inPath }: Operation): string[] => {
  const sent = body?.schema ? types.fieldsOf(body.schema).map(({ wire }) => wire) : [];
  return inPath.map((name) => (sent.includes(name) ? `${snake(name)}_` : snake(name)));
};

/** The parameters of a route's function beside the path; `options` comes last. */
const argumentsOf = (types: PythonTypes, operation: Operation, variant?: Schema): Argument[] => {
  const { body, headers } = operation;
  const schema = variant ?? body?.schema;
  const sent = schema ? types.fieldsOf(schema).map((one) => ({ ...one, name: snake(one.wire) })) : [];
  const asked = [...queryOf(types, operation), ...headers]
    .filter(({ name }) => name !== "dryRun")
    .map(({ name, schema: type = {}, required = false }: Parameter) => ({
      name: snake(name),
      type: types.typeOf(type, "request", "t."),
      isNeeded: required,
    }));
  const all = [...sent, ...asked];
  const names = [...all.map(({ name }) => name), "options", "self", "dry_run"];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new Error(`${twice} would be two arguments of one function`);
  return all.toSorted((a, b) => Number(b.isNeeded) - Number(a.isNeeded));
};

/** Several ways to call a function as one: a part that differs among them may be anything. */
const merged = (ways: Argument[][]): Argument[] => {
  const names = [...new Set(ways.flatMap((way) => way.map(({ name }) => name)))];
  return names
    .map((name) => {
      const found = ways.flatMap((way) => way.filter((one) => one.name === name));
      const isNeeded = found.length === ways.length && found.every((one) => one.isNeeded);
      const type = union(found.map((one) => one.type));
      return { name, type: type.length > 80 ? "Any" : type, isNeeded };
    })
    .toSorted((a, b) => Number(b.isNeeded) - Number(a.isNeeded));
};

const answerOf = (types: PythonTypes, operation: Operation, answers: Schema[]): string => {
  if (operation.isFile) return "Response";
  const own = answers.map((one) => types.typeOf(one, "answer", "t."));
  return union([...own, ...(operation.isSometimesEmpty || own.length === 0 ? ["None"] : [])]);
};

/** The ways to call a route: one way for each `type` of its body, and one for a dry run. */
const signaturesOf = (types: PythonTypes, operation: Operation): Signature[] => {
  const variants = operation.body?.schema ? types.variantsOf(operation.body.schema) : [];
  const ways =
    variants.length > 0 ? variants.map((one) => argumentsOf(types, operation, one)) : [argumentsOf(types, operation)];
  const [all, tried] = [answersOf(operation), answersOf(operation).filter(isDry)];
  if (!operation.query.some(({ name }) => name === "dryRun") || tried.length === 0)
    return ways.map((fields) => ({ fields, answer: answerOf(types, operation, all) }));
  const done = answerOf(
    types,
    operation,
    all.filter((one) => !isDry(one)),
  );
  const dryRun = { name: "dry_run", type: "Literal[True]", isNeeded: true };
  const notDry = { name: "dry_run", type: "Literal[False]", isNeeded: false };
  return [
    ...ways.map((fields) => ({ fields: [...fields, notDry], answer: done })),
    { fields: [dryRun, ...merged(ways)], answer: answerOf(types, operation, tried) },
  ];
};

const OPTIONS = "options: Optional[RequestOptions] = None";

const headOf = (types: PythonTypes, operation: Operation, fields: Argument[]): string[] => [
  "self",
  ...inPathOf(types, operation).map((name) => `${name}: str`),
  ...(isUpload(operation) ? ["file: Upload"] : []),
  "*",
  ...fields.map(({ name, type, isNeeded }) => `${name}: ${type}${isNeeded ? "" : " = NOT_GIVEN"}`),
  OPTIONS,
];

const isUpload = ({ body }: Operation): boolean => body !== undefined && !body.schema;

const methodOf = (types: PythonTypes, { operation, namespace, name }: Route, isAsync: boolean): string => {
  const { list } = operation;
  const inPath = inPathOf(types, operation);
  const own = snake(name);
  const full = literal(`${snake(namespace)}.${own}`);
  const word = isAsync && !list ? "async def" : "def";
  const answerFor = (answer: string): string =>
    list ? `${isAsync ? "AsyncPages" : "Pages"}[${types.typeOf(list.item, "answer", "t.")}]` : answer;
  const call = list ? `self._pages(${full}, ` : `${isAsync ? "await " : ""}self._call(${full}, `;
  const note = docstring(`${operation.summary}. \`${operation.method} ${operation.path}\``, "        ");
  const signatures = signaturesOf(types, operation);
  const [only] = signatures;
  if (signatures.length === 1 && only)
    return `${laidOut(`${word} ${own}(`, headOf(types, operation, only.fields), `) -> ${answerFor(only.answer)}:`, "    ")}${note}        return ${call}locals())\n`;
  const overloads = signatures.map(
    ({ fields, answer }) =>
      `    @overload\n${laidOut(`${word} ${own}(`, headOf(types, operation, fields), `) -> ${answerFor(answer)}: ...`, "    ")}`,
  );
  const path = inPath.map((one) => `${one}: str, `).join("");
  const given = ["**given", ...inPath.map((one) => `"${one}": ${one}`)].toReversed().join(", ");
  return `${overloads.join("\n")}\n    ${word} ${own}(self, ${path}**given: Any) -> Any:\n${note}        return ${call}{${given}})\n`;
};

const pairs = (names: string[]): string =>
  `{${names.map((name) => `${literal(snake(name))}: ${literal(name)}`).join(", ")}}`;
const namesOf = (parameters: Parameter[]): string[] => parameters.map(({ name }) => name);

/** The row of a route in the table that the functions read. */
const rowOf = (types: PythonTypes, { operation, namespace, name }: Route): string => {
  const { method, path, headers, body, list, isFile } = operation;
  const inPath = inPathOf(types, operation);
  const query = queryOf(types, operation);
  const shape = body?.schema ? types.shapeOf(body.schema) : undefined;
  const answers = answersOf(operation).map((one) => types.typeOf(one, "answer", "t."));
  const answer = answers.length > 1 ? `one_of(${answers.join(", ")})` : answers[0];
  const parts = [
    literal(method),
    literal(path.replaceAll(/\{\w+\}/g, () => `{${inPath.shift() ?? ""}}`)),
    ...(query.length > 0 ? [`query=${pairs(namesOf(query))}`] : []),
    ...(headers.length > 0 ? [`headers=${pairs(namesOf(headers))}`] : []),
    ...(body ? [`body=${literal(body.schema ? (body.isRequired ? "json" : "optional") : "file")}`] : []),
    ...(shape ? [`shape=${literal(shape)}`] : []),
    ...(answer ? [`answer=${answer}`] : []),
    ...(list
      ? [`item=${types.typeOf(list.item, "answer", "t.")}`, ...(list.cursor === "after" ? [`cursor="after"`] : [])]
      : []),
    ...(isFile ? ["is_file=True"] : []),
  ];
  return laidOut(`${literal(`${snake(namespace)}.${snake(name)}`)}: Route(`, parts, "),", "    ");
};

const className = (part: string, namespace: string, isAsync: boolean): string =>
  `${isAsync ? "Async" : ""}${part === "Admin" ? part : ""}${typeName(namespace)}Resource`;

const classesOf = (types: PythonTypes, part: string, routes: Route[], isAsync: boolean): string => {
  const groups = byNamespace(routes);
  const classes = groups.map(
    ([namespace, own]) =>
      `class ${className(part, namespace, isAsync)}(${isAsync ? "AsyncResource" : "Resource"}):\n${own.map((route) => methodOf(types, route, isAsync)).join("\n")}`,
  );
  const base = `${isAsync ? "Async" : ""}${part}Resources`;
  const fields = groups.map(([namespace]) => `    ${snake(namespace)}: ${className(part, namespace, isAsync)}\n`);
  const made = groups.map(
    ([namespace]) => `        self.${snake(namespace)} = ${className(part, namespace, isAsync)}(run)\n`,
  );
  return [
    ...classes,
    `class ${base}:\n${fields.join("")}\n    def _attach(self, run: ${isAsync ? "AsyncRun" : "Run"}) -> None:\n${made.join("")}`,
  ].join("\n\n");
};

const shapesOf = (types: PythonTypes): string => {
  const rows = Object.entries(types.shapes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, shape]) => {
      if ("by" in shape && typeof shape.by === "string" && typeof shape.of === "object")
        return laidOut(
          `${literal(name)}: Tagged(${literal(shape.by)}, {`,
          Object.entries(shape.of).map(([tag, one]) => `${literal(tag)}: ${literal(one)}`),
          "}),",
          "    ",
        );
      return laidOut(
        `${literal(name)}: {`,
        Object.entries(shape as Record<string, [string, string | null]>).map(
          ([one, [wire, inner]]) => `${literal(one)}: (${literal(wire)}, ${literal(inner)})`,
        ),
        "},",
        "    ",
      );
    });
  return `SHAPES: Dict[str, Shape] = {\n${rows.join("")}}\n`;
};

const preamble = (
  api: string,
): string => `# Written by npm run clients from the description of the ${api} API. Do not edit.
"""The functions of the ${api} API."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Dict, List, Literal, Optional, Union, overload

from httpx import Response

from . import ${api} as t
from ._models import one_of
from ._pages import AsyncPages, Pages
from ._requests import RequestOptions, Upload
from ._routes import NOT_GIVEN, AsyncResource, AsyncRun, Resource, Route, Run, Shape, Tagged
`;

/** The generated files of an API, by their paths in the package. */
export const pythonOf = (api: keyof typeof PARTS, document: Document): Record<string, string> => {
  const parts = PARTS[api].map((part) => ({ part, routes: namedRoutes(document, part) }));
  const types = pythonTypes(
    api,
    document,
    parts.flatMap(({ routes }) => routes.map(({ operation }) => operation)),
  );
  const tables = parts.map(({ part, routes }) => {
    const rows = byNamespace(routes).flatMap(([, own]) => own.map((route) => rowOf(types, route)));
    return `${part.name.toUpperCase()}_ROUTES: Dict[str, Route] = {\n${rows.join("")}}\n`;
  });
  const classes = parts.flatMap(({ part, routes }) =>
    [false, true].map((isAsync) => classesOf(types, part.name, routes, isAsync)),
  );
  return {
    [`recado/${api}.py`]: types.text,
    [`recado/_${api}.py`]: [preamble(api), ...tables, shapesOf(types), ...classes].join("\n\n"),
  };
};
