import type { MovingApi } from "../../../src/contract/abilities/moving.ts";

/** Moves identities in and out. The network's library is loaded with the first identity. */
export const MOVING: MovingApi = {
  formats: ["baileys", "whatsmeow"],
  read: async (...given) => (await import("./moving.ts")).readStored(...given),
  marksOf: async (keyStore) => (await import("./moving.ts")).marksIn(keyStore),
  entriesOf: async (keyStore) => (await import("./moving.ts")).entriesIn(keyStore),
  historyFormats: ["evolution", "waha"],
  readHistory: async (...given) => (await import("./history/stored.ts")).readStoredHistory(...given),
};
