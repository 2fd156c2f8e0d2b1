import { type Fields, fieldsOf, textOf } from "../shape.ts";
import type { ParameterFormat } from "./model.ts";
import { refused, refusedHandle } from "./refusals.ts";
import { variablesOf } from "./texts.ts";

/** The type of the file that an upload handle stands for; undefined for an unknown handle. */
export type Handles = (handle: string) => string | undefined;

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

const missingExample = (type: string) =>
  refused("noExample", `component of type ${type} is missing expected field(s) (example)`);

/** Throws 2388043 unless each variable of the body has an example: in a list of lists, or by its name. */
export const checkBodyExamples = ({ text, example }: Fields, format: ParameterFormat): void => {
  const variables = variablesOf(text);
  if (variables.length === 0) return;
  const { body_text: rows, body_text_named_params: named } = fieldsOf(example);
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
  const isComplete =
    format === "NAMED"
      ? hasEach(named, variables)
      : Array.isArray(row) && row.length === variables.length && row.every(isText);
  if (!isComplete) throw missingExample("BODY");
};

const hasEach = (named: unknown, variables: string[]): boolean => {
  const given = (Array.isArray(named) ? named : []).map(fieldsOf).filter(({ example }) => isText(example));
  return variables.every((name) => given.some((one) => one["param_name"] === name));
};

const HEADER_FILES: Record<string, RegExp> = {
  IMAGE: /^image\/(jpe?g|png)$/,
  VIDEO: /^video\/mp4$/,
  DOCUMENT: /^application\/pdf$/,
};

/** Throws 2388043 unless the header's variable or file has an example, 2494102 for a handle of another kind of file. */
export const checkHeaderExamples = (
  { format, text, example }: Fields,
  parameterFormat: ParameterFormat,
  handles: Handles,
): void => {
  const { header_text: words, header_text_named_params: named, header_handle: files } = fieldsOf(example);
  const variables = variablesOf(text);
  const isComplete =
    parameterFormat === "NAMED"
      ? hasEach(named, variables)
      : Array.isArray(words) && words.length === variables.length && words.every(isText);
  if (variables.length > 0 && !isComplete) throw missingExample("HEADER");
  const wanted = HEADER_FILES[textOf(format)];
  if (!wanted) return;
  const handle: unknown = Array.isArray(files) && files.length === 1 ? files[0] : undefined;
  if (!isText(handle)) throw missingExample("HEADER");
  if (!wanted.test(handles(handle) ?? "")) throw refusedHandle();
};
