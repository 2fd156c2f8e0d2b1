import { signal } from "@preact/signals";

/** The act that waits for the person's proof of identity; null without one. */
export const proofAsked = signal<{ end(isProven: boolean): void } | null>(null);

/** Asks for the password or a passkey again. Resolves to whether the person gave it. Several askers share one dialog. */
export const askProof = (): Promise<boolean> =>
  new Promise((resolve) => {
    const before = proofAsked.peek();
    proofAsked.value = {
      end(isProven) {
        proofAsked.value = null;
        before?.end(isProven);
        resolve(isProven);
      },
    };
  });

/** Whether an answer refuses an act because the person's last proof of identity is too old. */
export const wantsProof = async (answer: Response): Promise<boolean> => {
  if (answer.status !== 403) return false;
  const text = await answer.clone().text();
  return text.includes('"REAUTHENTICATION_NEEDED"');
};
