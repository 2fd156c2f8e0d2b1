import { credentialsBy, failuresWithout } from "../meta/credentials.ts";

/** The contents of a SOCIAL channel's vault. Times in milliseconds, 0 if they are not known. */
export type Credentials = { igUserId: string; accessToken: string; issuedAt: number; expiresAt: number };

export const readCredentials = credentialsBy<Credentials>(({ igUserId, accessToken, tokenIssuedAt, tokenExpiresAt }) =>
  igUserId && accessToken
    ? { igUserId, accessToken, issuedAt: Number(tokenIssuedAt ?? 0), expiresAt: Number(tokenExpiresAt ?? 0) }
    : undefined,
);

export const FAILURE_WITHOUT = failuresWithout("IG_CREDS_MISSING");
