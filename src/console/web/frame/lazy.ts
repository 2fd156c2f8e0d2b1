import type { FunctionComponent } from "preact";
import { lazy as loadedLater } from "preact-iso";
import { Broken } from "./broken.tsx";

/**
 * A page that is loaded when it is opened. A server of another version no longer has its file; the page then says so.
 */
export const lazy = <Props>(load: () => Promise<FunctionComponent<Props>>): FunctionComponent<Props> =>
  loadedLater<FunctionComponent<Props>>(() =>
    load().catch((error: unknown) => {
      reportError(error);
      return Broken;
    }),
  );
