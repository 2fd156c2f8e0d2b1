import { nextView, type PairingView } from "../../core/channels/pairing/pairing-view.ts";
import { delay } from "../../kernel/async.ts";
import { type Clock, SECOND_MS } from "../../kernel/clock.ts";
import { sha256 } from "../../kernel/crypto.ts";
import { qrPng } from "./qr.ts";

/** A request waits less than a connection may be idle, and less than another node waits for its answer. */
export const MAX_WAIT_SECONDS = 25;

type Hint = { code: string; en: string; pt: string; retryAt?: string };

/** A pairing as pages get it. `version` names the shown state, so that a page can wait for another one. */
export type ShownPairing = {
  version: string;
  state: PairingView["state"];
  qr: string | null;
  dataUrl: string | null;
  code: string | null;
  hint: Hint | null;
  passkeyUrl: string | null;
};

const versionOf = (view: PairingView): string => sha256(JSON.stringify(view)).slice(0, 16);

/** The answer about a pairing; its QR code as a PNG too. */
export const shownPairing = async (view: PairingView): Promise<ShownPairing> => {
  const { qr, code, hint } = view.state === "waiting" ? view : {};
  return {
    version: versionOf(view),
    state: view.state,
    qr: qr ?? null,
    dataUrl: qr === undefined ? null : await qrPng(qr),
    code: code ?? null,
    hint: hint ?? null,
    passkeyUrl: view.state === "passkey" ? view.passkeyUrl : null,
  };
};

/** The result of `look`, once its version differs from `seen`, or after some seconds. Ends with the request. */
export const awaitedPairing = <View extends PairingView>(
  env: { clock: Clock },
  request: Request,
  look: () => Promise<View>,
  { seen, waitSeconds }: { seen: string | undefined; waitSeconds: number },
): Promise<View> =>
  nextView(env, look, {
    waitMs: waitSeconds * SECOND_MS,
    isNew: (view) => versionOf(view) !== seen,
    async pause(ms) {
      await delay(env.clock, ms);
      return !request.signal.aborted;
    },
  });
