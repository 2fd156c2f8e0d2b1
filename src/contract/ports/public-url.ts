import { type Issue, issue } from "../../kernel/schema.ts";

/**
 * Whether a URL has a form that outbound requests may use. Resolves no name: its addresses are checked when a request
 * is made.
 */
export type IsUrlAllowed = (url: string) => boolean;

/** The issues of a file's URL, which the network or Recado downloads. */
export const publicUrlIssues = (path: string, url: string, isUrlAllowed: IsUrlAllowed): Issue[] =>
  isUrlAllowed(url) ? [] : [issue(path, "format", "must be a public HTTPS URL")];
