/** Largest size of a logo file, in bytes. */
export const LOGO_BYTES_MAX = 1024 * 1024;

/** Accepted media types of a logo. */
export const LOGO_TYPES = ['image/png', 'image/jpeg'] as const;

/** The box for a logo on paper (mm). */
export const LOGO_BOX = { width: 60, height: 20 } as const;

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Size of a logo in a box, in the unit of the box: it fills one dimension and keeps its proportions.
 *
 * @param png its first chunk has the size in pixels (ISO/IEC 15948 § 11.2.2)
 * @param pixel largest size of one pixel; unlimited when absent
 */
export function fitLogo(png: Uint8Array, box: Size, pixel = Infinity): Size {
  const header = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const [width, height] = [header.getUint32(16), header.getUint32(20)];
  const scale = Math.min(box.width / width, box.height / height, pixel);
  return { width: width * scale, height: height * scale };
}
