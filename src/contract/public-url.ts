import { type Issue, issue } from "../kernel/schema.ts";

/**
 * Whether a URL is of a form that outbound requests may go to. Looks nothing up: where its name leads is checked when
 * it is reached.
 */
export type IsUrlAllowed = (url: string) => boolean;

/** What is wrong with the URL of a file, which the network or Recado fetches. */
export const publicUrlIssues = (path: string, url: string, isUrlAllowed: IsUrlAllowed): Issue[] =>
  isUrlAllowed(url) ? [] : [issue(path, "format", "must be a public HTTPS URL")];
