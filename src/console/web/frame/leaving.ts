import { frameTexts } from "./texts/texts.ts";

// The page asks before it loses a longer typed text, whether by a link, a step in the history, or a close or reload of
// the page.

const holders = new Set<symbol>();

const mayLeave = (): boolean => holders.size === 0 || confirm(frameTexts().discard);

/** Whether a press opens another page in this tab. */
const isLeavingBy = (event: MouseEvent): boolean => {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return false;
  return link.getAttribute("target") === null && !link.getAttribute("href")?.startsWith("#");
};

addEventListener("beforeunload", (event) => {
  if (holders.size > 0) event.preventDefault();
});
// before the router's own listener
document.addEventListener(
  "click",
  (event) => {
    if (!isLeavingBy(event) || mayLeave()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  { capture: true },
);

/** The event of a step in browsers with the Navigation API. Other browsers ask only if the page is reloaded. */
type Step = Event & { navigationType: string };
const { navigation } = globalThis as { navigation?: EventTarget };
navigation?.addEventListener("navigate", (event) => {
  if ((event as Step).navigationType === "traverse" && event.cancelable && !mayLeave()) event.preventDefault();
});

/** Asks before the page is left, until the returned function is called. */
export const holdPage = (): (() => void) => {
  const holder = Symbol("text that was typed");
  holders.add(holder);
  return () => void holders.delete(holder);
};
