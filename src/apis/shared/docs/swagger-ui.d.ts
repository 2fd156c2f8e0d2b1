declare module "swagger-ui-dist/swagger-ui-bundle.js" {
  /** Where the file lies, in node_modules or inside the binary. */
  const path: string;
  export default path;
}
declare module "swagger-ui-dist/swagger-ui.css" {
  const path: string;
  export default path;
}
