/** The limits and the format of a picture that is made anew. */
interface Use {
  /** Most pixels that are unpacked: 16 million interlaced ones fill 150 MB. Telephones take 12 million, or 24. */
  readonly pixels: number;
  /** The box that it is made to fit. */
  readonly width: number;
  readonly height: number;
  /** Otherwise a JPEG stays one. */
  readonly isAlwaysPng: boolean;
}

/** A logo fits its box on paper, 60 × 20 mm, at 305 dots an inch; an attachment a page at 250. */
export const PICTURE_USES = {
  logo: { pixels: 16_000_000, width: 720, height: 240, isAlwaysPng: true },
  attachment: { pixels: 25_000_000, width: 3000, height: 3000, isAlwaysPng: false },
} satisfies Record<string, Use>;

export type PictureUse = keyof typeof PICTURE_USES;

/** A picture that was made anew; null when it has too many pixels. */
export type NewPicture = Buffer | null;

/** The first bytes of PNG (ISO/IEC 15948 § 5.2) and JPEG (ISO/IEC 10918-1 B.1). */
const SIGNATURES = [
  ['png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['jpg', [0xff, 0xd8, 0xff]],
] as const;

/** The type of a picture by its first bytes; null for other files. */
export function pictureTypeOf(bytes: Uint8Array): 'png' | 'jpg' | null {
  const found = SIGNATURES.find(([, signature]) =>
    signature.every((byte, at) => bytes[at] === byte),
  );
  return found ? found[0] : null;
}
