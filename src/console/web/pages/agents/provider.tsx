import { KeyRound, Settings2 } from "lucide-preact";
import { useState } from "preact/hooks";
import type {
  LlmIntegration,
  UpdateLlmIntegrationRequest,
} from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Field, Form, onlyTouched, type Touched, textIn } from "../../parts/forms/form.tsx";
import { Notice } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { agentSensesTexts } from "./senses-texts.ts";
import { agentsTexts } from "./texts.ts";

/** The account's provider of language models. */
const useProvider = () => useQuery("llm", (signal) => gateway.ai.getLlmIntegration({ signal }));

/** Opens the settings of the provider. */
export const ProviderButton = () => {
  const t = agentsTexts();
  const { data } = useProvider();
  const [isOpen, setOpen] = useState(false);
  if (!data || !may("ai.write")) return null;
  return (
    <>
      <Button icon={Settings2} onClick={() => setOpen(true)}>
        {t.provider}
      </Button>
      {isOpen && <ProviderDialog known={data} onClose={() => setOpen(false)} />}
    </>
  );
};

/** Says that no key is set, and how to set one. */
export const ProviderNotice = () => {
  const t = agentsTexts();
  const { data } = useProvider();
  const [isOpen, setOpen] = useState(false);
  if (!data || data.configured) return null;
  return (
    <Notice tone="warning">
      <p>{t.providerNone}</p>
      {may("ai.write") && (
        <p class="notice-act">
          <Button icon={KeyRound} onClick={() => setOpen(true)}>
            {t.providerSet}
          </Button>
        </p>
      )}
      {isOpen && <ProviderDialog known={data} onClose={() => setOpen(false)} />}
    </Notice>
  );
};

/** An empty field returns to the server's default. An empty key keeps the stored key. */
const changesOf = (form: FormData, touched: Touched): UpdateLlmIntegrationRequest => {
  const text = (name: string): string | null => textIn(form, name) || null;
  const [tokens, apiKey, embeddingApiKey] = [text("dailyTokens"), text("apiKey"), text("embeddingApiKey")];
  return {
    ...onlyTouched(touched, {
      baseUrl: text("baseUrl"),
      defaultModel: text("defaultModel"),
      embeddingModel: text("embeddingModel"),
      embeddingBaseUrl: text("embeddingBaseUrl"),
      transcriptionModel: text("transcriptionModel"),
      transcriptionLanguage: text("transcriptionLanguage"),
      speechModel: text("speechModel"),
      dailyTokens: tokens === null ? null : Number(tokens),
    }),
    ...(apiKey === null ? {} : { apiKey }),
    ...keyOfKnowledge(embeddingApiKey, touched.has("embeddingBaseUrl") && text("embeddingBaseUrl") === null),
  };
};

/** The provider of chats takes over with its own key: the other one's is removed. */
const keyOfKnowledge = (given: string | null, isRemoved: boolean): { embeddingApiKey?: string | null } => {
  if (given !== null) return { embeddingApiKey: given };
  return isRemoved ? { embeddingApiKey: null } : {};
};

const ProviderDialog = ({ known, onClose }: { known: LlmIntegration; onClose: () => void }) => {
  const t = agentsTexts();
  const act = useAct(async (form: FormData, touched: Touched) => {
    await gateway.ai.updateLlmIntegration(changesOf(form, touched));
    refresh("llm");
    notify(t.saved);
    onClose();
  });
  const { keyHint } = known;
  return (
    <Dialog title={t.provider} onClose={onClose}>
      <p class="soft">{t.providerAbout}</p>
      <Form act={act} submit={t.save} onCancel={onClose}>
        <Field
          label={t.apiKey}
          name="apiKey"
          type="password"
          autocomplete="off"
          isOptional={keyHint !== null}
          hint={keyHint === null ? undefined : t.apiKeyStored(keyHint)}
          minLength={8}
        />
        <Field label={t.baseUrl} name="baseUrl" type="url" defaultValue={known.baseUrl} isOptional />
        <Field label={t.defaultModel} name="defaultModel" defaultValue={known.defaultModel} isOptional />
        <Field label={t.embeddingModel} name="embeddingModel" defaultValue={known.embeddingModel} isOptional />
        <Field
          label={t.embeddingBaseUrl}
          hint={t.embeddingBaseUrlHint}
          name="embeddingBaseUrl"
          type="url"
          defaultValue={known.embeddingBaseUrl ?? ""}
          isOptional
        />
        <Field
          label={t.embeddingApiKey}
          name="embeddingApiKey"
          type="password"
          autocomplete="off"
          hint={known.embeddingKeyHint ? t.apiKeyStored(known.embeddingKeyHint) : undefined}
          minLength={8}
          isOptional
        />
        <OfVoice known={known} />
        <Field
          label={t.dailyTokensAccount}
          name="dailyTokens"
          type="number"
          min={1}
          defaultValue={String(known.dailyTokens)}
          isOptional
        />
      </Form>
    </Dialog>
  );
};

/** What hears voice notes, and what speaks. */
const OfVoice = ({ known }: { known: LlmIntegration }) => {
  const t = agentSensesTexts();
  return (
    <>
      <Field
        label={t.transcriptionModel}
        hint={t.voiceModelHint}
        name="transcriptionModel"
        defaultValue={known.transcriptionModel}
        isOptional
      />
      <Field
        label={t.transcriptionLanguage}
        hint={t.transcriptionLanguageHint}
        name="transcriptionLanguage"
        pattern="[a-z]{2}"
        maxLength={2}
        defaultValue={known.transcriptionLanguage ?? ""}
        isOptional
      />
      <Field
        label={t.speechModel}
        hint={t.voiceModelHint}
        name="speechModel"
        defaultValue={known.speechModel}
        isOptional
      />
    </>
  );
};
