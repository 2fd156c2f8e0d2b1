import { hkdfSync } from "node:crypto";

/**
 * Why a backup cannot be made, or why a file is not a valid backup. The message is for the operator and says what to
 * do.
 */
export class BackupFault extends Error {}

/** The key that seals and encrypts backups. It is derived from the master key that `keyId` names. */
export type BackupKey = { keyId: string; secret: Uint8Array };

type Source = { readonly keyId: string; derive(purpose: string): Uint8Array };

export const backupKeyOf = ({ keyId, derive }: Source): BackupKey => ({ keyId, secret: derive("backups") });

/** The key of a backup's HMAC. */
export const sealKeyOf = ({ secret }: BackupKey): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", secret, "", "recado:backup-seal", 32));
