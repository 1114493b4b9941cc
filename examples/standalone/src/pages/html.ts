/** HTML text. Only a template creates it. */
class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type { Markup };

/** A value in a template. Text is escaped, markup stays unchanged, lists are joined, and `undefined` is empty. */
export type Insertable = string | number | Markup | undefined | readonly Insertable[];

/** Creates markup from a template. */
export function html(parts: TemplateStringsArray, ...values: readonly Insertable[]): Markup {
  return new Markup(parts.map((part, index) => part + insert(values[index])).join(""));
}

function insert(value: Insertable): string {
  if (value === undefined) return "";
  if (value instanceof Markup) return value.text;
  if (typeof value === "object") return value.map(insert).join("");
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
