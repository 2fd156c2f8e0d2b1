/** TABLE: the themes; `system` follows the machine. */
export const THEMES = ["system", "light", "dark"] as const;

/** Shows the person's theme; null: that of the machine. */
export const chooseTheme = (theme: string | null): void => {
  const root = document.documentElement;
  if (theme === "light" || theme === "dark") root.dataset["theme"] = theme;
  else delete root.dataset["theme"];
};
