/**
 * The origin of the images in the exhibits. Code that displays an exhibit must respond to the requests for its images.
 */
export const pictures = "https://pictures.example.test";

const house = '<path d="M20 58V22h14l26 36V22" stroke="#c2571a" stroke-width="9" fill="none"/>';
const lettering = (color: string): string =>
  `<path d="M20 60c20-40 40-40 60 0" stroke="${color}" stroke-width="12" fill="none"/>` +
  `<text x="100" y="62" font-family="sans-serif" font-size="48" font-weight="700" fill="${color}">harbour</text>`;

/** Returns the SVG image at a path under {@link pictures}. The image at `/broken.svg` is invalid. */
export function pictureAt(path: string): string {
  switch (path) {
    case "/broken.svg":
      return "no picture";
    case "/wide.svg":
      return svg(320, 80, lettering("#0b6e4f"));
    case "/tall.svg":
      return svg(80, 320, `<rect width="80" height="320" fill="#dce8ff"/><path d="M40 10v300" stroke="#2b54d1" stroke-width="24"/>`);
    case "/white.svg":
      return svg(320, 80, lettering("#fff"));
    case "/dark.svg":
      return svg(320, 80, lettering("#14161b"));
    case "/mira.svg":
      return svg(
        80,
        80,
        '<rect width="80" height="80" fill="#f2c9a1"/><circle cx="40" cy="32" r="15" fill="#7a4a2b"/><path d="M10 80c0-40 60-40 60 0" fill="#365"/>',
      );
    default:
      return svg(80, 80, `<rect width="80" height="80" fill="#fff3d6"/>${house}`);
  }
}

function svg(width: number, height: number, body: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${body}</svg>`;
}
