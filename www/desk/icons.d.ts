/** The drawings of `www/icons` and `www/desk/icons` by file name; the build collects them. */
declare module "icons" {
  const icons: Record<string, string>;
  export default icons;
}
