/**
 * The data of a person that the browser keeps until they are signed out. Only this file uses the browser's storage, so
 * that nothing stays behind for the browser's next user.
 */
const PREFIX = "recado-";

export const kept = (name: string): string | null =>
  sessionStorage.getItem(PREFIX + name) ?? localStorage.getItem(PREFIX + name);

export const keepInTab = (name: string, value: string): void => sessionStorage.setItem(PREFIX + name, value);

/** Keeps a value for this tab, and for tabs that are opened later. */
export const keep = (name: string, value: string): void => {
  keepInTab(name, value);
  localStorage.setItem(PREFIX + name, value);
};

/** The values that all tabs read and write at any time. */
export const keptForAll = (name: string): string | null => localStorage.getItem(PREFIX + name);
export const keepForAll = (name: string, value: string): void => localStorage.setItem(PREFIX + name, value);

export const dropKept = (name: string): void => {
  for (const storage of [sessionStorage, localStorage]) storage.removeItem(PREFIX + name);
};

/** Removes all kept values. Called when nobody is signed in any more. */
export const forgetPerson = (): void => {
  for (const storage of [sessionStorage, localStorage])
    for (const name of Object.keys(storage)) if (name.startsWith(PREFIX)) storage.removeItem(name);
};
