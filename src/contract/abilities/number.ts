import type { UpstreamResult } from "../upstream.ts";

/** How a network sends the code that proves who owns a number. `language` as in `pt_BR`. */
export type CodeRequest = { method: "SMS" | "VOICE"; language: string };

/** `isReserved`: the number has the name, and people do not see it yet. */
export type Username = { username: string | null; isReserved: boolean };

/**
 * What the owner of a business number does with the number itself at the network: proves the ownership, registers it,
 * and gives it a username. A customer waits for these calls.
 */
export type NumberApi = {
  /** Has the network send a code. `already`: the number is verified. */
  requestCode(request: CodeRequest): Promise<UpstreamResult<"sent" | "already">>;
  verifyCode(code: string): Promise<UpstreamResult<true>>;
  /** Registers the number with a PIN of six digits. `wrong-pin`: the number already has another one. */
  register(pin: string): Promise<UpstreamResult<"registered" | "wrong-pin">>;
  username(): Promise<UpstreamResult<Username>>;
  /** `isTransfer`: takes the name from another number of the same owner, where the network asks for that. */
  claimUsername(username: string, isTransfer: boolean): Promise<UpstreamResult<Username>>;
  releaseUsername(): Promise<UpstreamResult<true>>;
  usernameSuggestions(): Promise<UpstreamResult<string[]>>;
};
