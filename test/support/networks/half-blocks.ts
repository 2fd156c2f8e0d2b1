// oxlint-disable-next-line no-control-regex -- it is these that colour the picture
const COLOURS = /\u001b\[\d*m/g;
/** The upper and the lower module of a character: 1 is dark. */
const HALVES: Record<string, readonly [upper: number, lower: number]> = {
  " ": [0, 0],
  "▄": [0, 1],
  "▀": [1, 0],
  "█": [1, 1],
};

/** The modules of a picture, which has a light margin of one module. */
export const modulesIn = (picture: string, size: number): number[] => {
  const lines = picture.replaceAll(COLOURS, "").split("\n");
  const rows = lines.flatMap((line) =>
    [0, 1].map((half) => Array.from(line, (character) => HALVES[character]?.[half] ?? Number.NaN)),
  );
  return rows.slice(1, size + 1).flatMap((row) => row.slice(1, size + 1));
};
