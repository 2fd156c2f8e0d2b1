import { useEffect, useState } from "preact/hooks";
import type { Phone, Pairing as Shown } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/layout.tsx";
import { Pairing } from "../../parts/phones/pairing.tsx";
import { pairingTexts } from "../../parts/phones/pairing-texts.ts";
import { Failure, Skeleton } from "../../parts/states.tsx";
import { phoneTexts } from "./phone-texts.ts";

const WAIT_SECONDS = 20;
const AGAIN_MS = 3000;

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** The pairing of a phone with its changes. Each question waits until the server has a new state. */
const usePairing = (id: string): { now: Shown | undefined; error: unknown } => {
  const [state, setState] = useState<{ now: Shown | undefined; error: unknown }>({ now: undefined, error: undefined });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const follow = async (): Promise<void> => {
      let now: Shown | undefined;
      while (!signal.aborted) {
        try {
          const query = now ? { seen: now.version, wait: WAIT_SECONDS } : {};
          const next = await gateway.phones.getPairing(id, { query, signal });
          if (now && now.state !== next.state) refresh("phones/");
          now = next;
          setState({ now, error: undefined });
          if (next.state === "paired") return;
        } catch (error) {
          if (signal.aborted) return;
          setState({ now, error });
          await sleep(AGAIN_MS, signal);
        }
      }
    };
    void follow();
    return () => controller.abort();
  }, [id]);
  return state;
};

/** Links the phone: live codes, and their progress. */
export const Linking = ({ phone: { id } }: { phone: Phone }) => {
  const { now, error } = usePairing(id);
  return (
    <Card title={phoneTexts().linkTitle}>
      {error !== undefined && <Failure error={error} />}
      {now === undefined ? error === undefined && <Skeleton lines={6} /> : <Now id={id} now={now} />}
    </Card>
  );
};

const Now = ({ id, now }: { id: string; now: Shown }) => {
  const t = pairingTexts();
  switch (now.state) {
    case "asleep":
      return <Asleep id={id} />;
    case "linking":
    case "paired":
      return (
        <p class="phone-linking" role="status">
          {now.state === "linking" && <span class="spinner" aria-hidden="true" />}
          {now.state === "linking" ? t.linking : t.paired}
        </p>
      );
    case "passkey":
      return (
        <div class="form">
          <p>{t.passkey}</p>
          <a class="button primary" href={now.passkeyUrl ?? ""} target="_blank" rel="noreferrer">
            {t.usePasskey}
          </a>
        </div>
      );
    default:
      return (
        <Pairing
          codes={now}
          onNumber={(phoneNumber, force) =>
            gateway.phones.createPairingCode(id, { phoneNumber, ...(force ? { force } : {}) })
          }
        />
      );
  }
};

const Asleep = ({ id }: { id: string }) => {
  const t = phoneTexts();
  const act = useAct(async () => {
    await gateway.phones.reconnect(id);
    refresh("phones/");
  });
  return (
    <div class="form">
      <p class="soft">{t.asleep}</p>
      {act.error !== undefined && <Failure error={act.error} />}
      <div>
        <Button tone="primary" isBusy={act.isRunning} onClick={() => void act.run()}>
          {t.connect}
        </Button>
      </div>
    </div>
  );
};
