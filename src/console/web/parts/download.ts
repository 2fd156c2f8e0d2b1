/** Gives the person a file that the page has made. */
export const download = (name: string, text: string, type = "text/csv;charset=utf-8"): void => {
  // spreadsheets read a text with this mark as UTF-8; JSON has none
  const mark = type === "application/json" ? "" : "\uFEFF";
  const url = URL.createObjectURL(new Blob([mark, text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};
