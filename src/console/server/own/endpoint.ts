import type { Static, TSchema } from "@sinclair/typebox";
import { visitorOf } from "../../../apis/shared/http/request.ts";
import { asPerson } from "../../../core/tenancy/audit/audit.ts";
import type { AskingPerson, ConsolePerson } from "../../../core/tenancy/sign-in/console-sessions.ts";
import type { PasskeySite } from "../../../core/tenancy/sign-in/passkeys.ts";
import type { Visitor } from "../../../core/tenancy/sign-in/sessions.ts";
import { invalid } from "../../../kernel/errors.ts";
import { issuesOf } from "../../../kernel/schema.ts";
import type { ConsoleEnv } from "../env.ts";

/** The place of the console: its URL, and its path without a slash at the end. */
export type ConsolePlace = { consoleUrl: string; prefix: string };

/** The input of every endpoint of the console itself. */
export type Asked = {
  env: ConsoleEnv;
  request: Request;
  place: ConsolePlace;
  site: PasskeySite;
  from: Visitor;
  body: Record<string, unknown>;
  /** The part of the path that the endpoint's `*` stands for. */
  id: string;
};
export type AskedBy = Asked & { person: AskingPerson };

/** An answer as JSON; without a body 204. */
export type Own = { status?: number; body?: object; cookies?: readonly string[] };

/** The host to which passkeys belong, and the origin at which they sign. */
const siteOf = ({ consoleUrl }: ConsolePlace): PasskeySite => {
  const { origin, hostname } = new URL(consoleUrl);
  return { origin, host: hostname };
};

/** Whether a browser can make passkeys at the console's address: over https, or on localhost; never for an IP address. */
export const mayHavePasskeys = ({ consoleUrl }: ConsolePlace): boolean => {
  const { protocol, hostname } = new URL(consoleUrl);
  if (hostname === "localhost" || hostname.endsWith(".localhost")) return true;
  return protocol === "https:" && !/^[\d.]+$|^\[/.test(hostname);
};

export const askedOf = (
  env: ConsoleEnv,
  request: Request,
  { place, body, id }: Pick<Asked, "place" | "body" | "id">,
): Asked => ({
  env,
  request,
  place,
  site: siteOf(place),
  from: visitorOf(request),
  body,
  id,
});

/** The requester of an act: the person of the request. */
export const askedBy = (asked: Asked, person: ConsolePerson): AskedBy => ({
  ...asked,
  person: { ...person, ...asPerson(person.key, asked.from) },
});

/** The body, which has the shape of the schema. @throws AppError VALIDATION. */
export const given = <Schema extends TSchema>({ body }: Asked, schema: Schema): Static<Schema> => {
  const issues = issuesOf(schema, body);
  if (issues.length > 0) throw invalid(...issues);
  return body;
};
