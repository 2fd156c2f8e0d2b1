import { useState } from "preact/hooks";
import type { CreateOwnApiKeyRequest, IssuedApiKey } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useAct, useQuery } from "../../frame/requests/query.ts";
import { session } from "../../frame/session.ts";
import { Button } from "../../parts/button.tsx";
import { CodeBlock, CopyLine } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Field, Form, Select, textIn } from "../../parts/forms/form.tsx";
import { usePhonesFound } from "../../parts/phones/phones.tsx";
import { Notice } from "../../parts/states.tsx";
import { phoneTexts } from "../phones/phone-texts.ts";
import { firstMessage } from "./first-message.ts";
import { SENDING } from "./sending.ts";
import { keysTexts } from "./texts.ts";

type Right = keyof ReturnType<typeof keysTexts>["rights"];

const rightsIn = (form: FormData, right: Right): Pick<CreateOwnApiKeyRequest, "scopes" | "readOnly"> => {
  if (right === "send") return { scopes: [...SENDING] };
  if (right === "read") return { readOnly: true };
  return right === "own" ? { scopes: form.getAll("scope").map(String) } : {};
};

const bodyIn = (form: FormData, right: Right): CreateOwnApiKeyRequest => {
  const addresses = textIn(form, "allowedAddresses")
    .split(/[\s,]+/)
    .filter(Boolean);
  const until = textIn(form, "expiresAt");
  return {
    name: textIn(form, "name"),
    ...rightsIn(form, right),
    ...(addresses.length > 0 ? { allowedAddresses: addresses } : {}),
    ...(until === "" ? {} : { expiresAt: new Date(until).toISOString() }),
  };
};

/** Makes a key with a name and its rights. */
export const MakeKey = ({ onMade, onClose }: { onMade: (key: IssuedApiKey) => void; onClose: () => void }) => {
  const t = keysTexts();
  const [right, setRight] = useState<Right>("all");
  const act = useAct(async (form: FormData) => onMade(await gateway.keys.create(bodyIn(form, right))));
  return (
    <Dialog title={t.makeTitle} onClose={onClose}>
      <Form act={act} submit={t.submit} onCancel={onClose}>
        <Field label={t.name} hint={t.nameHint} name="name" maxLength={100} defaultValue={t.nameDefault} autoFocus />
        <Select
          label={t.may}
          value={right}
          options={(Object.keys(t.rights) as Right[]).map((name) => [name, t.rights[name]] as const)}
          onChange={({ currentTarget }) => setRight(currentTarget.value as Right)}
        />
        {right === "own" && <Scopes />}
        <details>
          <summary>{t.further}</summary>
          <div class="form">
            <Field label={t.addresses} hint={t.addressesHint} name="allowedAddresses" isOptional />
            <Field label={t.until} name="expiresAt" type="datetime-local" isOptional />
          </div>
        </details>
      </Form>
    </Dialog>
  );
};

const Scopes = () => (
  <fieldset class="key-scopes">
    <legend>{keysTexts().scope}</legend>
    {session.value?.keyScopes.map((scope) => (
      <label key={scope}>
        <input type="checkbox" name="scope" value={scope} />
        <code>{scope}</code>
      </label>
    ))}
  </fieldset>
);

/** The address at which programs reach the gateway. It may differ from the console's. */
const askGatewayUrl = async (signal: AbortSignal): Promise<string> => {
  const answer = await fetch(href("/"), { headers: { accept: "application/json" }, signal });
  const { gatewayUrl } = (await answer.json()) as { gatewayUrl: string };
  return gatewayUrl;
};

/** The new key, shown once, with the command that sends a first message. */
export const MadeKey = ({ made, onClose }: { made: IssuedApiKey; onClose: () => void }) => {
  const t = keysTexts();
  const phones = usePhonesFound();
  const gatewayUrl = useQuery("keys/gateway-url", askGatewayUrl);
  const phone = phones.data?.items.find(({ status }) => status === "CONNECTED") ?? phones.data?.items[0];
  return (
    <Dialog title={t.madeTitle} onClose={onClose} isWide isHeld>
      <Notice tone="warning">{t.once}</Notice>
      <CopyLine text={made.key} />
      {gatewayUrl.data !== undefined && phones.data !== undefined && (
        <>
          <CodeBlock
            label={t.first}
            text={firstMessage({
              gatewayUrl: gatewayUrl.data,
              key: made.key,
              phoneId: phone?.id,
              text: phoneTexts().testText,
            })}
          />
          {phone === undefined && <p class="soft">{t.noPhone}</p>}
        </>
      )}
      <div class="dialog-actions">
        <Button tone="primary" onClick={onClose}>
          {t.done}
        </Button>
      </div>
    </Dialog>
  );
};
