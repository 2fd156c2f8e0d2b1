declare module "qrcode" {
  /** A PNG as a base64 data URL. */
  export function toDataURL(text: string): Promise<string>;
  /** Lines for a terminal, coloured by escape sequences; the last one is empty. */
  export function toString(
    text: string,
    options: { type: "terminal"; small: true; errorCorrectionLevel: "L" },
  ): Promise<string>;
  /** The modules of a code, row by row: 1 is dark. */
  export function create(
    text: string,
    options?: { errorCorrectionLevel: "L" },
  ): { modules: { data: Uint8Array; size: number } };
}
