/** A refusal in the network's form. */
export type Refusal = { code: number; text: string };

export const refusal = (code: number, text: string): Refusal => ({ code, text });
export const BAD_REQUEST = refusal(400, "bad-request");
export const NOT_AUTHORIZED = refusal(401, "not-authorized");
export const FORBIDDEN = refusal(403, "forbidden");
export const NOT_FOUND = refusal(404, "item-not-found");
export const NOT_ACCEPTABLE = refusal(406, "not-acceptable");
export const CONFLICT = refusal(409, "conflict");
export const GONE = refusal(410, "gone");
export const FULL = refusal(419, "resource-limit");
