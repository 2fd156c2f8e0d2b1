import { hkdfSync } from "node:crypto";

/** What keeps a backup from being made, or a file from being one; in the operator's words, with what to do. */
export class BackupFault extends Error {}

/** What seals and encrypts backups: derived from a master key, which `keyId` names. */
export type BackupKey = { keyId: string; secret: Uint8Array };

type Source = { readonly keyId: string; derive(purpose: string): Uint8Array };

export const backupKeyOf = ({ keyId, derive }: Source): BackupKey => ({ keyId, secret: derive("backups") });

/** The key of the HMAC that lies in a backup. */
export const sealKeyOf = ({ secret }: BackupKey): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", secret, "", "recado:backup-seal", 32));
