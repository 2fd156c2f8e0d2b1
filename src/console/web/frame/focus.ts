/** The heading that gets the focus when its element is gone: the open dialog's, else the page's. */
const heading = (): HTMLElement | null => {
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  return (dialog ?? document).querySelector<HTMLElement>(dialog ? "h2" : "main h1");
};

const isLost = (element: Element): boolean =>
  !element.isConnected || element.matches(":disabled") || !element.checkVisibility();

const hasFocusInside = (main: Element | null): boolean => {
  const active = document.activeElement;
  return main !== null && active !== null && active !== main && main.contains(active);
};

/**
 * Keeps the focus on the page. After a change of the page the new heading gets it, so that a screen reader says the
 * place. The heading gets it also when its element goes away, as a deleted row does. The browser would give it to the
 * whole document, where the next Tab begins at the top.
 */
export const keepFocus = (): void => {
  let last: Element | null = null;
  let path = location.pathname;
  /** The heading at the time when the path changed, until another heading has come. */
  let left: Element | null | undefined;
  let shown: Element | null = null;
  let isDue = false;
  const look = (): void => {
    isDue = false;
    const main = document.querySelector<HTMLElement>("main");
    const title = document.querySelector<HTMLElement>("main h1");
    if (left !== undefined && title !== null && title !== left) {
      left = undefined;
      if (!hasFocusInside(main)) title.focus({ preventScroll: true });
    }
    const active = document.activeElement;
    const holder = active === null || active === document.body ? last : active;
    if (holder !== null && isLost(holder)) (heading() ?? main)?.focus({ preventScroll: true });
    shown = title;
  };
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof Element) last = target;
  });
  new MutationObserver(() => {
    if (location.pathname !== path) {
      path = location.pathname;
      left = shown;
    }
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(look);
  }).observe(document.body, { subtree: true, childList: true, attributeFilter: ["disabled", "hidden", "open"] });
};
