/**
 * The script that marks each requirement for a new password that the current input meets. The server checks the same
 * patterns (`identity/passwords/strength.ts`). During input, a requirement that is not met yet is not marked as an
 * error. Screen readers announce the state when the input pauses. The script contains no regular expression literal
 * with a property escape, because an engine that cannot parse such a literal rejects the whole page script. In such an
 * engine the list of requirements does not change, and only the server checks the password.
 */
export const newPasswordScript = `
  var letterOrDigit;
  try { letterOrDigit = new RegExp("[\\\\p{L}\\\\p{Nd}]", "su"); } catch (unsupported) {}
  function longestSequence(text) {
    var before, direction = 0, run = 1, longest = 1;
    Array.from(text.toLowerCase()).forEach(function (character) {
      var point = letterOrDigit.test(character) ? character.codePointAt(0) : NaN;
      var step = Math.abs(point - before) === 1 ? point - before : 0;
      run = step ? (step === direction ? run + 1 : 2) : 1;
      direction = step;
      longest = Math.max(longest, run);
      before = point;
    });
    return longest;
  }
  function keeps(item, text) {
    var matched = JSON.parse(item.getAttribute("data-patterns")).filter(function (pattern) { return new RegExp(pattern, "su").test(text); });
    var most = item.getAttribute("data-sequence");
    return matched.length >= Number(item.getAttribute("data-least")) && (most === null || Number(most) >= longestSequence(text));
  }
  if (letterOrDigit) document.querySelectorAll("[data-demands-of]").forEach(function (list) {
    var field = document.getElementById(list.getAttribute("data-demands-of"));
    var status = list.nextElementSibling;
    var pause;
    field.addEventListener("input", function () {
      var text = field.value.normalize("NFKC");
      var items = list.querySelectorAll("li");
      var count = 0;
      items.forEach(function (item) {
        var kept = text !== "" && keeps(item, text);
        if (kept) count++;
        item.className = kept ? "kept" : "";
        item.querySelector(".verdict").textContent = text === "" ? "" : " " + list.getAttribute(kept ? "data-kept" : "data-open");
      });
      clearTimeout(pause);
      pause = setTimeout(function () {
        var said = list.getAttribute(count === items.length ? "data-all" : "data-some").replace("{count}", count);
        status.textContent = text === "" ? "" : said;
      }, 800);
    });
  });
`;
