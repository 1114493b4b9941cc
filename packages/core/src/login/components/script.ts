const escapes: { readonly [character: string]: string } = {
  "<": "\\u003c",
  ">": "\\u003e",
  "&": "\\u0026",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};

/** Returns data as a JavaScript expression that can end neither the script element nor a line in the script. */
export function scriptValue(data: unknown): string {
  return JSON.stringify(data).replaceAll(/[<>&\u2028\u2029]/g, (character) => escapes[character] ?? "");
}
