import { useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from "preact-iso";
import { ButtonLink } from "../parts/button.tsx";
import { ProofDialog } from "../parts/forms/proof-dialog.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Empty, Failure, Skeleton } from "../parts/states.tsx";
import { Toasts } from "../parts/toasts.tsx";
import { BASE, href } from "./base.ts";
import { Unbroken } from "./broken.tsx";
import { Navigation } from "./navigation.tsx";
import { isOpenTo, OPEN_PAGES, PAGES, type Page } from "./routes.tsx";
import { account, isOperator, session } from "./session.ts";
import { languageTag } from "./texts/languages.ts";
import { frameTexts } from "./texts/texts.ts";

const Missing = () => {
  const t = frameTexts();
  return (
    <>
      <PageHeader title={t.notFound} lead={t.notFoundHint} />
      <ButtonLink path="/">{t.home}</ButtonLink>
    </>
  );
};

const Forbidden = () => {
  const t = frameTexts();
  return <PageHeader title={t.forbidden} lead={t.forbiddenHint} />;
};

const NoAccount = () => {
  const t = frameTexts();
  return (
    <>
      <PageHeader title={t.noAccount} />
      <Empty title={t.noAccount} hint={t.noAccountHint} />
    </>
  );
};

/** A page of the table, or the reason why the person may not see it. */
const guarded = (page: Page) => {
  const { component: Component } = page;
  if (isOpenTo(page)) return Component;
  return account.value === undefined && !isOperator.value && page.group !== "hidden" ? NoAccount : Forbidden;
};

/** The pages of a person who has signed in. `:id?` and `:tab?`: one thing of the page, and a part of it. */
const Inside = () => (
  <div class="shell">
    <a class="skip" href="#content">
      {frameTexts().skip}
    </a>
    <Navigation />
    <main id="content" tabIndex={-1} key={account.value?.id}>
      <Unbroken>
        <ErrorBoundary>
          <Router>
            {PAGES.map((page) => (
              <Route
                key={page.path}
                path={page.path === "/" ? `${BASE}/` : `${BASE}${page.path}/:id?/:tab?`}
                component={guarded(page)}
              />
            ))}
            <Route path={BASE} component={guarded(PAGES[0] as Page)} />
            <Route default component={Missing} />
          </Router>
        </ErrorBoundary>
      </Unbroken>
    </main>
    <Toasts />
    <ProofDialog />
  </div>
);

/** The pages of anybody: signing in and setting up. All others lead to the sign-in page, and back. */
const Outside = () => {
  const { path, url, route } = useLocation();
  const open = OPEN_PAGES.find((page) => href(page.path) === path);
  useEffect(() => {
    if (!open) route(`${href("/sign-in")}?next=${encodeURIComponent(url)}`, true);
  }, [open, url]);
  return (
    <main id="content" class="outside" tabIndex={-1}>
      {open && (
        <ErrorBoundary>
          <open.component />
        </ErrorBoundary>
      )}
    </main>
  );
};

const Pages = () => {
  useSignalEffect(() => {
    document.documentElement.lang = languageTag();
  });
  const { path, route } = useLocation();
  const found = session.value;
  const isOutside = OPEN_PAGES.some((page) => href(page.path) === path);
  useEffect(() => {
    if (found && isOutside) route(nextPath(), true);
  }, [found, isOutside]);
  if (found === undefined) return <Skeleton />;
  return found && !isOutside ? <Inside /> : <Outside />;
};

/** The page after signing in. The address may name only a path of the console. */
const nextPath = (): string => {
  const next = URL.parse(new URLSearchParams(location.search).get("next") ?? "", location.origin);
  const isOurs = next?.origin === location.origin && (next.pathname === BASE || next.pathname.startsWith(`${BASE}/`));
  return isOurs ? next.pathname + next.search : href("/");
};

export const App = () => (
  <LocationProvider scope={BASE}>
    <Pages />
  </LocationProvider>
);

/** Says that the console did not reach the server when it was opened. */
export const Unreached = ({ error }: { error: unknown }) => (
  <main class="outside">
    <Failure error={error} onAgain={() => location.reload()} />
  </main>
);
