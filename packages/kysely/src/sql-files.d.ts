/** An imported SQL file is its content as a string. */
declare module "*.sql" {
  const text: string;
  export default text;
}
