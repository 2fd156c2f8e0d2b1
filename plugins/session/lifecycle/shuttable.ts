import type { Vault } from "../../../src/contract/plugin.ts";
import { type KeyStore, KeyStoreLost } from "../../../src/contract/ports/key-store.ts";

/**
 * A vault whose key store can be shut: after `shut` every write is refused, so a socket that is ending changes nothing.
 * Writes throw KeyStoreLost then.
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
