import { imageScript } from "./marks.tsx";
import { formScript } from "./form-script.ts";
import { newPasswordScript } from "./new-password-script.ts";
import { revealScript } from "./reveal.tsx";
import { searchScript } from "./search.tsx";

/**
 * What makes pages easier to use; every page is complete without. One text for all pages: nothing in it is anybody's input, and what it says it reads from the page.
 * Stands in the head, so that no picture fails before somebody listens.
 */
export const pageScript = `
document.addEventListener("DOMContentLoaded", function () {
${formScript}
${revealScript}
${newPasswordScript}
${searchScript}
});
${imageScript}
`;
