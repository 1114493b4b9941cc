import type { JSX } from "preact";
import type { Drawing } from "./drawing.ts";

/** The number of rows from which a list has a search field. */
const fromRows = 9;

/**
 * Renders a search field that filters the rows of a list by their text. It is hidden without JavaScript, and not
 * rendered for short lists.
 * @param list the id of the list.
 */
export function Search({ t, list, rows }: Pick<Drawing, "t"> & { readonly list: string; readonly rows: number }): JSX.Element | null {
  if (rows < fromRows) return null;
  return (
    <div class="field search" hidden>
      <label for="search">{t.text("organizationSearch")}</label>
      <input
        id="search"
        class="input"
        type="search"
        autocomplete="off"
        spellcheck={false}
        dir="auto"
        aria-controls={list}
        data-found={t.text("organizationFound", { count: "{count}", total: String(rows) })}
        data-none={t.text("organizationNone")}
      />
      <p class="hint" role="status" />
    </div>
  );
}

/**
 * The script for {@link Search}. The field is outside the form, so that the Enter key does not submit the first row.
 * The visitor may omit accents.
 */
export const searchScript = `
  var search = document.getElementById("search");
  function plain(text) {
    return text.normalize("NFD").replace(/[\\u0300-\\u036f]/g, "").toLowerCase();
  }
  function find() {
    var wanted = plain(search.value.trim());
    var rows = document.querySelectorAll("#" + search.getAttribute("aria-controls") + " .row");
    var count = 0;
    rows.forEach(function (row) {
      row.hidden = plain(row.querySelector(".row-text").textContent).indexOf(wanted) === -1;
      if (!row.hidden) count++;
    });
    var said = count ? search.getAttribute("data-found").replace("{count}", count) : search.getAttribute("data-none");
    search.parentElement.querySelector("[role=status]").textContent = wanted ? said : "";
  }
  if (search) {
    search.parentElement.hidden = false;
    search.addEventListener("input", find);
    find();
  }
`;
