declare module "qrcode" {
  /** A PNG as a base64 data URL. */
  export function toDataURL(text: string): Promise<string>;
}
