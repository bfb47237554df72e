/** The build minifies the style sheet and inserts its text. */
declare module "style" {
  const css: string;
  export default css;
}
