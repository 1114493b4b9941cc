import type { JSX } from "preact";
import type { Translate } from "../../locales/translate.ts";

interface SecretTextProps {
  readonly t: Translate;
  /** The key or code, without spaces. */
  readonly value: string;
  /** The name of the text for screen readers. */
  readonly label: string;
  /** The text of the button that copies the value. */
  readonly copyLabel: string;
}

/**
 * Renders a key or code that the user must type elsewhere or store: in groups of four characters, with a button that
 * copies it without spaces. Without JavaScript, the button is hidden, and a click selects the whole text.
 */
export function SecretText({ t, value, label, copyLabel }: SecretTextProps): JSX.Element {
  return (
    <div class="secret" role="group" aria-label={label}>
      <code dir="ltr">{value.match(/.{1,4}/g)?.join(" ")}</code>
      <button type="button" class="button small copy" data-copy={value} data-copied={t.text("copied")} hidden>
        {copyLabel}
      </button>
      <span class="hint" role="status" />
    </div>
  );
}

/** The script for {@link SecretText}. Browsers offer the clipboard only to pages with HTTPS or on localhost. */
export const copySecretScript = `
  document.querySelectorAll(".copy").forEach(function (button) {
    if (!navigator.clipboard) return;
    button.hidden = false;
    button.addEventListener("click", function () {
      navigator.clipboard.writeText(button.dataset.copy).then(function () {
        button.nextElementSibling.textContent = button.dataset.copied;
      });
    });
  });
`;
