import type { Page } from "playwright-core";
import type { Task } from "./tasks.ts";

/**
 * Goes to a page by the navigation, as a person does: at the left, in the bar below a narrow window, or else in its
 * menu, which costs a click more. `name`: as the navigation shows it. Every click counts for the task.
 */
export const goByNavigation = async (page: Page, name: string, task?: Task): Promise<void> => {
  const click = (target: ReturnType<Page["locator"]>) => (task ? task.click(target) : target.click());
  await page.locator("header.top").waitFor();
  const [below, side] = [page.locator("nav.below"), page.locator("nav.pages")];
  if (await below.isVisible()) {
    const link = below.getByRole("link", { name, exact: true });
    if ((await link.count()) > 0) return click(link);
    await click(below.getByRole("button", { name: "Men" }));
  }
  await click(side.getByRole("link", { name, exact: true }));
};
