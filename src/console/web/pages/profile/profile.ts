import { askConsole } from "../../frame/requests/own.ts";
import { refresh } from "../../frame/requests/query.ts";

/** The answer of `GET /profile`. */
export type Profile = {
  person: { name: string; email: string; language: string | null; theme: string | null };
  mayHavePasskeys: boolean;
  totp: { since: string } | null;
  passkeys: { id: string; name: string; createdAt: string; lastUsedAt: string | null }[];
  recoveryCodes: number;
  sessions: SessionRow[];
};
export type SessionRow = {
  id: string;
  isCurrent: boolean;
  address: string;
  userAgent: string | null;
  createdAt: string;
  seenAt: string;
};

export const loadProfile = (): Promise<Profile> => askConsole<Profile>("GET", "/profile");

/** Asks for the profile again, after a change. */
export const refreshProfile = (): void => refresh("profile");
