type Entry = readonly [httpStatus: number, message: string];

/**
 * The errors of the Messenger Platform by `code` or `code/subcode`: HTTP status and message
 * (https://developers.facebook.com/docs/messenger-platform/error-codes, read as of March 2026).
 */
const CATALOGUE: Readonly<Record<string, Entry>> = {
  "1": [500, "An unknown error occurred."],
  "1/1357046": [500, "Received invalid JSON reply."],
  "2": [500, "An unexpected error has occurred. Please retry your request later."],
  "4": [403, "Application request limit reached"],
  "10": [403, "Application does not have permission for this action"],
  "10/2018278": [400, "This message is sent outside of allowed window."],
  "10/2018300": [403, "Another app is controlling this thread now."],
  "27": [403, "The app is not allowed to take thread control."],
  "100": [400, "Invalid parameter"],
  "100/33": [400, "Unsupported request. Object does not exist or cannot be loaded due to missing permissions."],
  "100/2018001": [400, "No matching user found"],
  "100/2018008": [400, "Failed to fetch the file from the url"],
  "100/2018047": [400, "Upload attachment failure."],
  "100/2018074": [400, "Invalid Attachment ID"],
  "190": [401, "Invalid OAuth access token."],
  "200": [403, "Permissions error"],
  "200/1545041": [403, "Message Not Sent: This person isn't receiving messages from you right now."],
  "230": [403, "Requires pages_messaging permission to manage the object"],
  "368": [400, "The action attempted has been deemed abusive or is otherwise disallowed"],
  "551": [400, "This person isn't available right now."],
  "551/1545041": [400, "This person isn't available right now."],
  "613": [429, "Calls to this api have exceeded the rate limit."],
  "1200": [500, "Temporary send message failure. Please try again later."],
};

/** The codes of the catalogue, for tests that walk over them. */
export const ERRORS: readonly { code: number; subcode?: number }[] = Object.keys(CATALOGUE).map((key) => {
  const [code = 0, subcode] = key.split("/").map(Number);
  return { code, ...(subcode === undefined ? {} : { subcode }) };
});

/** A refusal in the form of the Graph API. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly subcode: number | undefined;
  constructor(code: number, subcode?: number, message?: string) {
    const [status, usual] = CATALOGUE[`${code}/${subcode}`] ?? CATALOGUE[String(code)] ?? [400, "Unknown error"];
    super(message ?? `(#${code}) ${usual}`);
    [this.status, this.code, this.subcode] = [status, code, subcode];
  }
}

export const invalid = (message: string): Refusal => new Refusal(100, undefined, `(#100) ${message}`);

export const envelopeOf = ({ message, code, subcode }: Refusal): object => ({
  error: {
    message,
    type: "OAuthException",
    code,
    ...(subcode === undefined ? {} : { error_subcode: subcode }),
    fbtrace_id: "AbCdEfGhIjK",
  },
});
