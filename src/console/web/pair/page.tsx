import { CircleCheck, LinkIcon } from "lucide-preact";
import { useEffect } from "preact/hooks";
import { useAct } from "../frame/requests/act.ts";
import { timeOfDay } from "../frame/texts/format.ts";
import { languageTag } from "../frame/texts/languages.ts";
import { Button } from "../parts/button.tsx";
import { Pairing } from "../parts/phones/pairing.tsx";
import { pairingTexts } from "../parts/phones/pairing-texts.ts";
import { Failure, Notice, Skeleton } from "../parts/states.tsx";
import { isCut, type PairState, pairState, post } from "./state.ts";
import { pairTexts } from "./texts.ts";

const isNarrow = matchMedia("(max-width: 700px)").matches;

const Done = () => (
  <div class="pair-state" role="status">
    <CircleCheck class="good" size={56} strokeWidth={1.5} aria-hidden="true" />
    <h2>{pairTexts().done}</h2>
    <p>{pairTexts().doneHint}</p>
  </div>
);

const Over = () => (
  <div class="pair-state" role="status">
    <LinkIcon size={44} strokeWidth={1.5} aria-hidden="true" />
    <h2>{pairTexts().over}</h2>
    <p>{pairTexts().overHint}</p>
  </div>
);

const Asleep = () => {
  const act = useAct(() => post("start"));
  return (
    <div class="pair-state">
      <p>{pairTexts().asleep}</p>
      {act.error !== undefined && <Failure error={act.error} />}
      <Button tone="primary" isBusy={act.isRunning} onClick={() => void act.run()}>
        {pairTexts().show}
      </Button>
    </div>
  );
};

const Now = ({ now }: { now: PairState }) => {
  const t = pairingTexts();
  switch (now.state) {
    case "paired":
      return <Done />;
    case "asleep":
      return <Asleep />;
    case "linking":
      return (
        <div class="pair-state" role="status">
          <span class="spinner" aria-hidden="true" />
          <p>{t.linking}</p>
        </div>
      );
    case "passkey":
      return (
        <div class="pair-state">
          <p>{t.passkey}</p>
          <a class="button primary" href={now.passkeyUrl ?? ""} rel="noreferrer">
            {t.usePasskey}
          </a>
        </div>
      );
    default:
      return (
        <>
          <p class="soft">{pairTexts().lead}</p>
          <Pairing codes={now} isNarrow={isNarrow} onNumber={(phoneNumber) => post("code", { phoneNumber })} />
        </>
      );
  }
};

/** The page for somebody without an account: the label, the code and the result. */
export const PairPage = () => {
  const t = pairTexts();
  const now = pairState.value;
  const title = (now !== "over" && now?.label) || t.title;
  useEffect(() => {
    document.documentElement.lang = languageTag();
    document.title = t.title;
  }, [t]);
  return (
    <main class="pair">
      <section>
        <h1 dir="auto" tabIndex={-1}>
          {title}
        </h1>
        {isCut.value && <Notice tone="warning">{t.unreached}</Notice>}
        {now === undefined ? <Skeleton /> : now === "over" ? <Over /> : <Now now={now} />}
      </section>
      {now !== undefined && now !== "over" && now.state !== "paired" && (
        <footer>{t.until(timeOfDay(now.expiresAt))}</footer>
      )}
    </main>
  );
};
