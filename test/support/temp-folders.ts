import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** New folders of one test file, and their removal. */
export const tempFolders = () => {
  const folders: string[] = [];
  return {
    newFolder: (): string => {
      const folder = mkdtempSync(join(tmpdir(), "recado-test-"));
      folders.push(folder);
      return folder;
    },
    removeFolders: (): void => {
      for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
    },
  };
};
