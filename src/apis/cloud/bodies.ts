import type { Json } from "../../kernel/texts/json.ts";
import { jsonObjectIn } from "../shared/http/bodies.ts";
import { bodyTermsOf } from "../shared/http/request.ts";
import type { CloudEnv } from "./env.ts";

// Clients of the Cloud API send JSON, forms, or parameters in the query, and objects also as JSON text. Fields that a
// route does not know are ignored.

const FORM = "application/x-www-form-urlencoded";

/**
 * The parameters of a request: the fields of its body, else those of its query.
 * @throws Malformed or AppError for a body that cannot be read
 */
export const paramsOf = async ({ intake }: Pick<CloudEnv, "intake">, request: Request): Promise<Json> => {
  const { access_token: _, ...query } = Object.fromEntries(new URL(request.url).searchParams);
  if (request.method === "GET") return query;
  const bytes = await intake.read(request, bodyTermsOf(request).maxBodyBytes);
  const [contentType = ""] = (request.headers.get("content-type") ?? "").split(";");
  if (contentType.trim().toLowerCase() === FORM) return { ...query, ...fieldsOf(new TextDecoder().decode(bytes)) };
  return { ...query, ...jsonObjectIn(bytes) };
};

const fieldsOf = (form: string): Json => {
  const fields: [string, string][] = [...new URLSearchParams(form)].filter(([name]) => name !== "__proto__");
  return Object.fromEntries(fields);
};
