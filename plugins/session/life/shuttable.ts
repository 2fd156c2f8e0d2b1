import { type KeyRing, RingLost } from "../../../src/contract/key-ring.ts";
import type { Vault } from "../../../src/contract/plugin.ts";

/** A vault whose key ring can be shut from this side: what a socket still does after its end is then written nowhere. */
export const shuttable = (vault: Vault): { vault: Vault; shut(): void } => {
  let isShut = false;
  const writeTo =
    (ring: KeyRing): KeyRing["write"] =>
    async (changes) => {
      if (isShut) throw new RingLost();
      await ring.write(changes);
    };
  return {
    vault: {
      ...vault,
      async openRing() {
        const ring = await vault.openRing();
        return { ...ring, write: writeTo(ring) };
      },
    },
    shut() {
      isShut = true;
    },
  };
};
