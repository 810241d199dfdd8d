/** Bytes of a picture that a logo is made of. */
export const LOGO_BYTES_MAX = 1024 * 1024;

/** What such a picture may be. */
export const LOGO_TYPES = ['image/png', 'image/jpeg'] as const;

/** The box on paper that a logo is drawn in (mm). */
export const LOGO_BOX = { width: 60, height: 20 } as const;

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * How large a logo is drawn in a box, in whatever the box is measured in: it fills the box one way, its
 * proportions kept.
 *
 * @param png it says in its first chunk how many pixels it has (ISO/IEC 15948 § 11.2.2)
 * @param pixel how large a pixel may become at most; as large as it takes when absent
 */
export function fitLogo(png: Uint8Array, box: Size, pixel = Infinity): Size {
  const header = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const [width, height] = [header.getUint32(16), header.getUint32(20)];
  const scale = Math.min(box.width / width, box.height / height, pixel);
  return { width: width * scale, height: height * scale };
}
