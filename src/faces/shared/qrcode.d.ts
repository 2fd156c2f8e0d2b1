declare module "qrcode" {
  /** A PNG as a base64 data URL. */
  export function toDataURL(text: string): Promise<string>;
  /** The modules of a code, row by row: 1 is dark. */
  export function create(text: string): { modules: { data: Uint8Array } };
}
