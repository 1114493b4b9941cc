import type { JSX } from "preact";
import { encode } from "uqr";

/** The light border around the code, in modules (ISO/IEC 18004 requires four). */
const border = 4;

interface QrCodeProps {
  /** The text that a camera reads. At most some 1000 bytes, because cameras read larger codes badly. */
  readonly value: string;
  /** Describes the code to screen readers. The page must also show the content as text or as a link. */
  readonly label: string;
}

/**
 * Renders a QR code as inline SVG, without scripts and styles. The colors are fixed, because cameras need dark modules on
 * a light background in every theme.
 */
export function QrCode({ value, label }: QrCodeProps): JSX.Element {
  const { size, data } = encode(value, { ecc: "M", border });
  const path = data.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")).join("")).join("");
  return (
    <svg
      class="qr-code"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width="208"
      height="208"
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
