declare module "swagger-ui-dist/swagger-ui-bundle.js" {
  /** The path of the file, in node_modules or inside the binary. */
  const path: string;
  export default path;
}
declare module "swagger-ui-dist/swagger-ui.css" {
  const path: string;
  export default path;
}
