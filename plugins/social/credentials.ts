import { credentialsBy, failuresWithout } from "../meta/credentials.ts";

/** What the vault of a SOCIAL channel holds. Times in milliseconds, 0 where they are not known. */
export type Credentials = { igUserId: string; accessToken: string; issuedAt: number; expiresAt: number };

export const readCredentials = credentialsBy<Credentials>(({ igUserId, accessToken, tokenIssuedAt, tokenExpiresAt }) =>
  igUserId && accessToken
    ? { igUserId, accessToken, issuedAt: Number(tokenIssuedAt ?? 0), expiresAt: Number(tokenExpiresAt ?? 0) }
    : undefined,
);

export const FAILURE_WITHOUT = failuresWithout("IG_CREDS_MISSING");
