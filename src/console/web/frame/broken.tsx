import type { ComponentChildren } from "preact";
import { useEffect, useErrorBoundary } from "preact/hooks";
import { useLocation } from "preact-iso";
import { Button } from "../parts/button.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { frameTexts } from "./texts/texts.ts";

/** Stands in place of a page that could not be loaded or drawn. */
export const Broken = () => {
  const t = frameTexts();
  return (
    <>
      <PageHeader title={t.broken} lead={t.brokenHint} />
      <Button tone="primary" onClick={() => location.reload()}>
        {t.reload}
      </Button>
    </>
  );
};

/** Shows its children, or that they have failed. Going to another page tries anew. */
export const Unbroken = ({ children }: { children: ComponentChildren }) => {
  const { path } = useLocation();
  const caught: readonly [unknown, () => void] = useErrorBoundary((thrown: unknown) => reportError(thrown));
  const [error, forget] = caught;
  useEffect(() => {
    if (error !== undefined) forget();
  }, [path]);
  return error === undefined ? <>{children}</> : <Broken />;
};
