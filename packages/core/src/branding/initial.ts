/** Created for the first page that needs it, because its creation takes five times as long as its use. */
let graphemes: Intl.Segmenter | undefined;

/** Returns the first grapheme of a name, with accents and joined emoji. */
export function initial(name: string): string {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const [first] = graphemes.segment(name.trim());
  return (first?.segment ?? "·").toUpperCase();
}
