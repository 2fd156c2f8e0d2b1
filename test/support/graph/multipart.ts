import { GraphError } from "./errors.ts";
import type { Fields } from "./shape.ts";

/** The fields of a form with files: a text as it stands, a file as its name, type and text. Throws 100 for a form that cannot be read. */
export const formFields = async (contentType: string, body: string): Promise<Fields> => {
  const form = await new Response(body, { headers: { "content-type": contentType } }).formData().catch(() => undefined);
  if (!form) throw new GraphError(100, { message: "(#100) The form could not be read." });
  const fields: Fields = {};
  for (const [name, value] of form) fields[name] = typeof value === "string" ? value : { name: value.name, type: value.type, text: await value.text() };
  return fields;
};
