import type { JSX } from "preact";
import type { Drawing } from "./drawing.ts";
import { Icon } from "./icons.tsx";

/** Shows or hides the content of a password field. Hidden without JavaScript. */
export function Reveal({ t, field }: Pick<Drawing, "t"> & { readonly field: string }): JSX.Element {
  return (
    <button type="button" class="reveal" aria-label={t.text("passwordShow")} aria-pressed="false" aria-controls={field} hidden>
      <Icon name="eye" />
      <Icon name="eye-off" />
    </button>
  );
}

/**
 * The script of {@link Reveal}. It hides the field before the form is submitted, so that browsers recognize it as a
 * password.
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
