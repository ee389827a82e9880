// How wide a text is in Grafana's font: Inter at 14 px, weight 500. Titles have to fit without being cut.

/** Pixels of each character, as the font file says. */
const glyphs = {
  3.5: 'ijl',
  3.7: ' ',
  3.8: 'I',
  4.4: "!',.:;",
  4.8: 't`|',
  5.2: '()/[\\]',
  5.4: 'fr',
  5.8: '1',
  6.2: '{}',
  6.7: '-^_"',
  7.6: '*?s',
  7.9: 'Lkxz',
  8.1: '7Jacvy',
  8.3: 'Fe',
  8.5: '5Ehnou',
  8.7: '2bdgpq',
  9: '3689PSZ0',
  9.2: '4$&BRT',
  9.4: '#+<=>~',
  9.7: 'K',
  9.9: 'AVXY',
  10.3: 'CDU',
  10.5: 'GHN',
  10.8: 'OQ',
  11.7: 'w',
  12.5: 'm',
  12.8: 'M',
  13.9: '%@',
  14.1: 'W',
} as const

const pixels = new Map(
  Object.entries(glyphs).flatMap(([width, characters]) => [...characters].map((one) => [one, Number(width)] as const)),
)

/** In pixels; a character that is not in the table counts as the widest. */
export function textWidth(text: string): number {
  return [...text].reduce((sum, character) => sum + (pixels.get(character) ?? 14.1), 0)
}

/** Grafana at 1440 x 900 with its menu open, as it is at first: what is left for the 24 columns of the grid. */
const GRID = 1_108
const GAP = 8
const COLUMN = (GRID - 23 * GAP) / 24
/** Beside the title of a panel: its padding, the mark of the description, the menu. */
const BESIDE_TITLE = 78

export function panelWidth(columns: number): number {
  return columns * COLUMN + (columns - 1) * GAP
}

export function titleRoom(columns: number): number {
  return panelWidth(columns) - BESIDE_TITLE
}
