import type { JSX } from "preact";
import type { Drawing } from "./drawing.ts";
import { Icon } from "./icons.tsx";

/** Renders the button that shows or hides the content of a password field. Without JavaScript, the button is hidden. */
export function Reveal({ t, field }: Pick<Drawing, "t"> & { readonly field: string }): JSX.Element {
  return (
    <button type="button" class="reveal" aria-label={t.text("passwordShow")} aria-pressed="false" aria-controls={field} hidden>
      <Icon name="eye" />
      <Icon name="eye-off" />
    </button>
  );
}

/**
 * The script for {@link Reveal}. It hides the content again before the form is submitted, so that browsers recognize
 * the field as a password field.
 */
export const revealScript = `
  document.querySelectorAll(".reveal").forEach(function (button) {
    var field = document.getElementById(button.getAttribute("aria-controls"));
    function show(shown) {
      field.type = shown ? "text" : "password";
      button.setAttribute("aria-pressed", String(shown));
    }
    button.hidden = false;
    button.addEventListener("click", function () {
      show(field.type === "password");
      field.focus();
    });
    field.form.addEventListener("submit", function () {
      show(false);
    });
  });
`;
