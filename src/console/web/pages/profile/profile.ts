import { askConsole } from "../../frame/own.ts";
import { refresh } from "../../frame/query.ts";

/** What the profile shows, as `GET /profile` answers it. */
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

const BROWSERS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["SamsungBrowser", "Samsung Internet"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const SYSTEMS = [
  ["iPhone", "iOS"],
  ["iPad", "iPadOS"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
] as const;

/** The browser and system that a user agent names; undefined for one that names neither. */
export const deviceIn = (userAgent: string | null): string | undefined => {
  const found = [BROWSERS, SYSTEMS].map((list) => list.find(([mark]) => userAgent?.includes(mark))?.[1]);
  return found.filter(Boolean).join(", ") || undefined;
};
