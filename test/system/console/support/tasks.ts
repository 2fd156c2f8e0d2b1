import type { Locator, Page } from "playwright-core";

/** A task of `console.md`, section 2. Typing is free; every click, choice and tap counts. */
export type Task = {
  click(target: Locator): Promise<void>;
  /** Chooses from a list: one click. */
  choose(target: Locator, value: string): Promise<void>;
  /** Gives a file to a field or button: one click. */
  attach(target: Locator, files: Parameters<Locator["setInputFiles"]>[0]): Promise<void>;
  readonly clicks: number;
  /** Notes the count for the table. @throws when it is above `most`. */
  done(): void;
};

const counted: { name: string; where: string; clicks: number; most: number }[] = [];

/** Begins a task, from the overview. `most`: the clicks that it may take. */
export const beginTask = (name: string, most: number, where = "1280"): Task => {
  let clicks = 0;
  return {
    async click(target) {
      clicks += 1;
      await target.click();
    },
    async choose(target, value) {
      clicks += 1;
      await target.selectOption(value);
    },
    async attach(target, files) {
      clicks += 1;
      await target.setInputFiles(files);
    },
    get clicks() {
      return clicks;
    },
    done() {
      counted.push({ name, where, clicks, most });
      if (clicks > most) throw new Error(`${name} takes ${clicks} clicks, and may take ${most}`);
    },
  };
};

/** Prints the clicks of all tasks so far. */
export const printTasks = (): void => {
  for (const { name, where, clicks, most } of counted.splice(0))
    console.log(`clicks: ${name.padEnd(60)} ${where.padEnd(8)} ${clicks} of ${most}`);
};

const focusedName = `(() => {
  const node = document.activeElement;
  if (!node || node === document.body) return "";
  const labels = node.labels ? [...node.labels].map((label) => label.textContent) : [];
  const parts = [node.getAttribute("aria-label"), ...labels, node.textContent, node.getAttribute("title")];
  return parts.filter(Boolean).join(" ").replace(/\\s+/g, " ").trim();
})()`;

/** Drives a page by keyboard alone. */
export const keyboardOf = (page: Page) => ({
  /** Presses Tab until the focus is on a control of this name. @throws when `most` tabs do not reach it. */
  async reach(name: string | RegExp, most = 60): Promise<void> {
    const seen: string[] = [];
    for (let tabs = 0; tabs < most; tabs++) {
      await page.keyboard.press("Tab");
      const focused = await page.evaluate<string>(focusedName);
      if (typeof name === "string" ? focused.includes(name) : name.test(focused)) return;
      seen.push(focused.slice(0, 40));
    }
    throw new Error(`${most} tabs do not reach ${name}; they reached: ${seen.join(" | ")}`);
  },
  /** The same, then presses Enter there. */
  async enter(name: string | RegExp, most?: number): Promise<void> {
    await this.reach(name, most);
    await page.keyboard.press("Enter");
  },
  /** The same with the space bar. */
  async space(name: string | RegExp, most?: number): Promise<void> {
    await this.reach(name, most);
    await page.keyboard.press("Space");
  },
  /** Reaches a field and types into it, in place of what it holds. */
  async type(name: string | RegExp, text: string, most?: number): Promise<void> {
    await this.reach(name, most);
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.insertText(text);
  },
});
