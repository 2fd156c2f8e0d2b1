import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { RecadoError } from "../../../../../clients/typescript/src/errors.ts";
import type { SocialConfig } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { href } from "../../frame/base.ts";
import { dropKept, keepInTab, kept } from "../../frame/kept.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { Button } from "../../parts/button.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Failure, Loaded, Notice } from "../../parts/states.tsx";
import { phonesTexts } from "./texts.ts";

/** Binds the way back to this browser: another page cannot bring an account of its own here. */
const STATE = "instagram-state";
const ownAddress = (): string => new URL(href("/phones/instagram"), location.origin).href;

const consentUrl = ({ appId, authorizeUrl, scopes }: SocialConfig): string => {
  const state = crypto.randomUUID();
  keepInTab(STATE, state);
  const url = new URL(authorizeUrl);
  for (const [name, value] of Object.entries({
    client_id: appId,
    redirect_uri: ownAddress(),
    response_type: "code",
    scope: scopes.join(","),
    state,
  }))
    url.searchParams.set(name, value);
  return url.href;
};

/** The way to the page where an account's owner agrees; or the settings that the operator has to make before. */
export const AskConsent = () => {
  const t = phonesTexts();
  const config = useQuery("phones/instagram", (signal) => gateway.phones.getSocialOAuthConfig({ signal }));
  if (config.error instanceof RecadoError && config.error.status === 503)
    return <Notice tone="warning">{t.notConfigured}</Notice>;
  return (
    <Loaded query={config} lines={2}>
      {(found) =>
        found.redirectUris.includes(ownAddress()) ? (
          <div class="form">
            <p class="hint">{t.consentHint}</p>
            <div class="form-actions">
              <Button tone="primary" onClick={() => location.assign(consentUrl(found))}>
                {t.consent}
              </Button>
            </div>
          </div>
        ) : (
          <Notice tone="warning">{t.noRedirect(ownAddress())}</Notice>
        )
      }
    </Loaded>
  );
};

/** The page to which Instagram leads back. It takes the consent, and goes on to the phone. */
export const Consented = () => {
  const t = phonesTexts();
  const { query, route } = useLocation();
  const [isOwn] = useState(() => query["state"] !== undefined && query["state"] === kept(STATE));
  const act = useAct(async (code: string) => {
    dropKept(STATE);
    const { id } = await gateway.phones.connectSocialAccount({ code, redirectUri: ownAddress() });
    refresh("phones/");
    route(href(`/phones/${id}`), true);
  });
  const code = query["code"];
  useEffect(() => {
    if (isOwn && code) void act.run(code);
  }, [isOwn, code]);
  return (
    <>
      <PageHeader title={t.kinds.SOCIAL} back={{ path: "/phones", name: t.back }} />
      {act.error !== undefined && <Failure error={act.error} />}
      {isOwn && code ? <p role="status">{t.connecting}</p> : <Notice tone="warning">{t.consentRefused}</Notice>}
    </>
  );
};
