import { type KeyStore, KeyStoreLost } from "../../../src/contract/key-store.ts";
import type { Vault } from "../../../src/contract/plugin.ts";

/**
 * A vault whose key ring can be shut from this side: what a socket still does after its end is then written nowhere.
 */
export const shuttable = (vault: Vault): { vault: Vault; shut(): void } => {
  let isShut = false;
  const writeTo =
    (keyStore: KeyStore): KeyStore["write"] =>
    async (changes) => {
      if (isShut) throw new KeyStoreLost();
      await keyStore.write(changes);
    };
  return {
    vault: {
      ...vault,
      async openKeyStore() {
        const keyStore = await vault.openKeyStore();
        return { ...keyStore, write: writeTo(keyStore) };
      },
    },
    shut() {
      isShut = true;
    },
  };
};
