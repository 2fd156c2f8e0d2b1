import { ChevronDown, LogOut, Menu, UserRound } from "lucide-preact";
import { useEffect, useId, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { ChoiceField } from "../parts/forms/search-field.tsx";
import { SEARCHED_FROM } from "../parts/forms/search-options.ts";
import { href } from "./base.ts";
import { liveState } from "./requests/live.ts";
import { type Group, isOpenTo, PAGES } from "./routes.tsx";
import { account, CONSOLE_HEADER, chooseAccount, session, takeSession } from "./session.ts";
import { type PageName, pageNames } from "./texts/page-names.ts";
import { frameTexts } from "./texts/texts.ts";

const GROUPS: readonly Exclude<Group, "hidden">[] = ["home", "talk", "connect", "build", "own", "machine"];

const isCurrent = (path: string, pagePath: string): boolean =>
  pagePath === "/"
    ? path === href("") || path === href("/")
    : path === href(pagePath) || path.startsWith(`${href(pagePath)}/`);

const Links = () => {
  const { path } = useLocation();
  const names = pageNames();
  const t = frameTexts();
  return (
    <nav class="pages" aria-label={t.pages}>
      {GROUPS.map((group) => {
        const pages = PAGES.filter((page) => page.group === group && isOpenTo(page));
        if (pages.length === 0) return null;
        return (
          <div key={group} class="group">
            {group !== "home" && <h2>{t.groups[group]}</h2>}
            <ul>
              {pages.map(({ name, path: pagePath, icon: Icon }) => (
                <li key={name}>
                  <a href={href(pagePath)} {...(isCurrent(path, pagePath) ? { "aria-current": "page" as const } : {})}>
                    <Icon size={18} aria-hidden="true" />
                    {names[name]}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
};

/** TABLE: the pages of the bar below a narrow window. The others are in the menu. */
const BELOW: readonly Extract<PageName, "overview" | "inbox" | "messages" | "phones">[] = [
  "overview",
  "inbox",
  "messages",
  "phones",
];

/** The bar of a narrow window: the pages that people need most, and the menu with all of them. */
const Below = ({ isOpen, onMenu }: { isOpen: boolean; onMenu: () => void }) => {
  const { path } = useLocation();
  const t = frameTexts();
  return (
    <nav class="below" aria-label={t.mainPages}>
      {BELOW.map((name) => {
        const page = PAGES.find((one) => one.name === name);
        if (!page || !isOpenTo(page)) return null;
        const { path: pagePath, icon: Icon } = page;
        return (
          <a
            key={name}
            href={href(pagePath)}
            {...(t.below[name] === pageNames()[name] ? {} : { "aria-label": pageNames()[name] })}
            {...(isCurrent(path, pagePath) ? { "aria-current": "page" as const } : {})}
          >
            <Icon size={22} aria-hidden="true" />
            {t.below[name]}
          </a>
        );
      })}
      <button type="button" aria-expanded={isOpen} aria-controls="all-pages" onClick={onMenu}>
        <Menu size={22} aria-hidden="true" />
        {t.menu}
      </button>
    </nav>
  );
};

/** The choice that leads to the list of all accounts. */
const MORE = "more";

/** The account whose data the pages show. */
const AccountChoice = () => {
  const accounts = session.value?.accounts ?? [];
  const { route } = useLocation();
  const t = frameTexts();
  const id = useId();
  if (accounts.length < 2) return <p class="account-name">{account.value?.name}</p>;
  const choose = (chosen: string): void => {
    if (chosen !== MORE) chooseAccount(chosen);
    route(href(chosen === MORE ? "/accounts" : "/"));
  };
  if (accounts.length >= SEARCHED_FROM)
    return (
      <div class="account-choice is-searched">
        <label class="visually-hidden" for={id}>
          {t.chooseAccount}
        </label>
        <ChoiceField
          id={id}
          value={account.value?.id ?? ""}
          options={[
            ...accounts.map((one) => [one.id, one.name] as const),
            ...(session.value?.hasMoreAccounts ? [[MORE, t.moreAccounts] as const] : []),
          ]}
          onChange={choose}
        />
      </div>
    );
  return (
    <label class="account-choice">
      <span class="visually-hidden">{t.chooseAccount}</span>
      <select value={account.value?.id} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {accounts.map((one) => (
          <option key={one.id} value={one.id} selected={one.id === account.value?.id}>
            {one.name}
          </option>
        ))}
      </select>
    </label>
  );
};

const LiveState = () => {
  const t = frameTexts();
  return (
    <p class={`live ${liveState.value}`} role="status" title={liveState.value === "cut" ? t.cutHint : undefined}>
      {t[liveState.value]}
    </p>
  );
};

const signOut = async (): Promise<void> => {
  await fetch(href("/sign-out"), { method: "POST", headers: CONSOLE_HEADER });
  takeSession(null);
  location.replace(href("/")); // the answers in memory were this person's
};

const PersonMenu = () => {
  const t = frameTexts();
  const person = session.value?.person;
  return (
    <div class="person">
      <button type="button" class="person-button" popovertarget="person-menu">
        <span class="avatar" aria-hidden="true">
          {[...(person?.name ?? "?")][0]?.toUpperCase()}
        </span>
        <span class="person-name">{person?.name}</span>
        <ChevronDown size={16} aria-hidden="true" />
      </button>
      <div id="person-menu" class="menu" popover="auto">
        <p class="small soft">{person?.email}</p>
        <a href={href("/profile")}>
          <UserRound size={16} aria-hidden="true" /> {t.profile}
        </a>
        <button type="button" onClick={() => void signOut()}>
          <LogOut size={16} aria-hidden="true" /> {t.signOut}
        </button>
      </div>
    </div>
  );
};

/** The pages at the left, or in a bar below and its menu in a narrow window; the account and the person above. */
export const Navigation = () => {
  const { path } = useLocation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    setOpen(false);
    document.getElementById("person-menu")?.hidePopover();
  }, [path]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === "Escape") setOpen(false);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isOpen]);
  return (
    <>
      <header class="top">
        <a class="brand" href={href("/")}>
          Recado
        </a>
        <AccountChoice />
        <LiveState />
        <PersonMenu />
      </header>
      <Below isOpen={isOpen} onMenu={() => setOpen(!isOpen)} />
      <div id="all-pages" class={isOpen ? "side open" : "side"}>
        <Links />
      </div>
      {isOpen && <div class="backdrop" aria-hidden="true" onClick={() => setOpen(false)} />}
    </>
  );
};
