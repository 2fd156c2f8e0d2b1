import { QrCode, SmartphoneNfc } from "lucide-preact";
import { useEffect, useState } from "preact/hooks";
import { RecadoError } from "../../../../../clients/typescript/src/errors.ts";
import { useAct } from "../../frame/requests/act.ts";
import { Check, Field, Form, textIn } from "../forms/form.tsx";
import { Notice } from "../states.tsx";
import { hintText, pairingTexts } from "./pairing-texts.ts";

/** The codes that link a phone now. `dataUrl`: the QR code as a PNG. `code`: to be typed. */
export type PairingCodes = {
  dataUrl: string | null;
  code: string | null;
  hint: { code: string; en: string; pt: string } | null;
};

const Steps = ({ text }: { text: string }) => (
  <ol class="pairing-steps">
    {text.split("\n").map((step) => (
      <li key={step}>{step}</li>
    ))}
  </ol>
);

/** A code in two halves, as the network writes it. */
const inHalves = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/** The time within which a requested code should come. */
const LATE_MS = 10_000;

/**
 * Stands in place of a code until it comes. After a while it says what may delay the code, unless the server has said
 * what does.
 */
const Preparing = ({ isExplained }: { isExplained: boolean }) => {
  const t = pairingTexts();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return <span class="soft">{isLate && !isExplained ? t.late : t.preparing}</span>;
};

/** Asks for a code for a number. `force`: also if another phone of the account is linked with it. */
type OnNumber = (number: string, force: boolean) => Promise<unknown>;

const ByCode = ({ codes: { code, hint }, onNumber }: { codes: PairingCodes; onNumber: OnNumber }) => {
  const t = pairingTexts();
  const [isAsked, setAsked] = useState(code !== null);
  const [isLinked, setLinked] = useState(false);
  const act = useAct(async (form: FormData) => {
    try {
      await onNumber(textIn(form, "phoneNumber"), form.has("force"));
    } catch (error) {
      if (error instanceof RecadoError && String(error.code) === "PHONE_ALREADY_LINKED") setLinked(true);
      throw error;
    }
    setLinked(false);
    setAsked(true);
  });
  if (!isAsked && code === null)
    return (
      <Form act={act} submit={t.getCode}>
        <Field
          label={t.number}
          hint={t.numberHint}
          name="phoneNumber"
          type="tel"
          autocomplete="tel"
          minLength={8}
          maxLength={20}
        />
        {isLinked && <Check label={t.force} hint={t.forceHint} name="force" />}
      </Form>
    );
  return (
    <>
      <p class="pairing-code" role="status" aria-label={t.code}>
        {code === null ? <Preparing isExplained={hint !== null} /> : inHalves(code)}
      </p>
      <button type="button" class="link" onClick={() => setAsked(false)}>
        {t.otherNumber}
      </button>
    </>
  );
};

const ByQr = ({ codes: { dataUrl, hint } }: { codes: PairingCodes }) => {
  const t = pairingTexts();
  return (
    <figure class="pairing-qr">
      {dataUrl === null ? (
        <div class="pairing-blank" role="status">
          <Preparing isExplained={hint !== null} />
        </div>
      ) : (
        <img src={dataUrl} alt={t.qr} width={264} height={264} />
      )}
      <figcaption class="hint">{t.renewed}</figcaption>
    </figure>
  );
};

/**
 * The means to link a phone: a QR code to scan, or a code to type. `onNumber` asks for a code for a number. `isNarrow`:
 * the page is on the phone itself, which cannot scan its own screen.
 */
export const Pairing = ({
  codes,
  isNarrow = false,
  onNumber,
}: {
  codes: PairingCodes;
  isNarrow?: boolean;
  onNumber: OnNumber;
}) => {
  const t = pairingTexts();
  const [way, setWay] = useState<"qr" | "code">(isNarrow ? "code" : "qr");
  const ways = [
    ["qr", t.byQr, QrCode],
    ["code", t.byCode, SmartphoneNfc],
  ] as const;
  return (
    <div class="pairing">
      <div class="pairing-ways" role="group" aria-label={t.ways}>
        {ways.map(([name, text, Icon]) => (
          <button key={name} type="button" aria-pressed={way === name} onClick={() => setWay(name)}>
            <Icon size={16} aria-hidden="true" />
            {text}
          </button>
        ))}
      </div>
      {codes.hint && <Notice tone="warning">{hintText(codes.hint)}</Notice>}
      <div class="pairing-body">
        <Steps text={way === "qr" ? t.qrSteps : t.codeSteps} />
        <div class="pairing-now">
          {way === "qr" ? <ByQr codes={codes} /> : <ByCode codes={codes} onNumber={onNumber} />}
        </div>
      </div>
    </div>
  );
};
