import type { UpstreamResult } from "../upstream.ts";

/** How a network sends the code that proves who owns a number. `language` as in `pt_BR`. */
export type CodeRequest = { method: "SMS" | "VOICE"; language: string };

/** `isReserved`: the name is reserved for the number, but people do not see it yet. */
export type Username = { username: string | null; isReserved: boolean };

/**
 * The owner's acts on a business number at the network: verification, registration and username. A customer waits for
 * these calls.
 */
export type NumberApi = {
  /** Has the network send a code. `already`: the number is verified. */
  requestCode(request: CodeRequest): Promise<UpstreamResult<"sent" | "already">>;
  verifyCode(code: string): Promise<UpstreamResult<true>>;
  /** Registers the number with a PIN of six digits. `wrong-pin`: the number already has another PIN. */
  register(pin: string): Promise<UpstreamResult<"registered" | "wrong-pin">>;
  username(): Promise<UpstreamResult<Username>>;
  /** `isTransfer`: takes the name from another number of the same owner, if the network requires that. */
  claimUsername(username: string, isTransfer: boolean): Promise<UpstreamResult<Username>>;
  releaseUsername(): Promise<UpstreamResult<true>>;
  usernameSuggestions(): Promise<UpstreamResult<string[]>>;
};
