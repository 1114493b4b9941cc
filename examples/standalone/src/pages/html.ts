/** Text that is HTML already. Only a template makes it. */
class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type { Markup };

/** What may stand in a template: text is escaped, markup stays, lists are joined, and `undefined` is nothing. */
export type Insertable = string | number | Markup | undefined | readonly Insertable[];

/** Markup from a template. */
export function html(parts: TemplateStringsArray, ...values: readonly Insertable[]): Markup {
  return new Markup(parts.map((part, index) => part + insert(values[index])).join(""));
}

function insert(value: Insertable): string {
  if (value === undefined) return "";
  if (value instanceof Markup) return value.text;
  if (typeof value === "object") return value.map(insert).join("");
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
