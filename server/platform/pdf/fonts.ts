import fs from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The faces on the paper. Typst takes for each character the first family of this order that has
 * it: Space Grotesk for the language of the land, Noto for the names that people bring with them.
 * The fonts are under the SIL Open Font License 1.1, which allows to embed them.
 */
const FACES: readonly { readonly family: string; readonly files: readonly string[] }[] = [
  {
    family: 'Space Grotesk',
    files: [
      'space-grotesk/400Regular/SpaceGrotesk_400Regular.ttf',
      'space-grotesk/500Medium/SpaceGrotesk_500Medium.ttf',
      'space-grotesk/700Bold/SpaceGrotesk_700Bold.ttf',
    ],
  },
  {
    family: 'Noto Sans',
    files: [
      'noto-sans/400Regular/NotoSans_400Regular.ttf',
      'noto-sans/500Medium/NotoSans_500Medium.ttf',
      'noto-sans/700Bold/NotoSans_700Bold.ttf',
    ],
  },
  {
    family: 'Noto Sans Arabic',
    files: ['noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf'],
  },
  {
    family: 'Noto Sans Hebrew',
    files: ['noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf'],
  },
  { family: 'Noto Sans Thai', files: ['noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf'] },
  { family: 'Noto Sans SC', files: ['noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf'] },
  { family: 'NanumGothic', files: ['nanum-gothic/400Regular/NanumGothic_400Regular.ttf'] },
  { family: 'Noto Emoji', files: ['noto-emoji/400Regular/NotoEmoji_400Regular.ttf'] },
];

/** The families in the order in which they are tried. */
export const FONT_FAMILIES: readonly string[] = FACES.map(({ family }) => family);

/** Where the font files are, in the order of the families. */
export function fontFiles(): string[] {
  return FACES.flatMap(({ files }) => files).map((file) =>
    fileURLToPath(import.meta.resolve(`@expo-google-fonts/${file}`)),
  );
}

/** The font files' contents, in the order of the families. */
export function readFonts(): Buffer[] {
  return fontFiles().map((file) => fs.readFileSync(file));
}
