/**
 * Whether text is a host name in the form in which URLs contain it: labels in lower case, the last of which is not a
 * number.
 */
export function isHostName(text: string): boolean {
  const labels = text.split(".");
  return (
    text.length <= 189 &&
    !/^\d+$/.test(labels.at(-1) ?? "") &&
    labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)) &&
    URL.canParse(`http://${text}`) &&
    new URL(`http://${text}`).hostname === text
  );
}
