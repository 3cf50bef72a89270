/** Lines over the same steps as an SVG picture, and lines of text beside them. */

export interface Chart {
  readonly title: string
  readonly lines: readonly { readonly name: string; readonly values: readonly number[] }[]
  readonly notes: readonly string[]
}

const WIDTH = 480
const HEIGHT = 300
const MARGIN = 24
const NOTE_HEIGHT = 15
const NOTES_WIDTH = 620
const COLOURS = ['#246', '#c50', '#393', '#939']

export function lineChart({ title, lines, notes }: Chart): string {
  const most = Math.max(...lines.flatMap(({ values }) => values), Number.MIN_VALUE)
  const height = Math.max(HEIGHT, (notes.length + 2) * NOTE_HEIGHT)
  const drawn = lines.map(({ name, values }, i) => {
    const colour = COLOURS[i % COLOURS.length]!
    const points = values.map((value, step) => {
      const x = MARGIN + ((WIDTH - 2 * MARGIN) * step) / Math.max(values.length - 1, 1)
      const y = HEIGHT - MARGIN - ((HEIGHT - 4 * MARGIN) * value) / most
      return `${x.toFixed(1)},${y.toFixed(1)}`
    })
    const label = text(
      MARGIN,
      2 * MARGIN + i * NOTE_HEIGHT,
      `${name}, at most ${Math.max(...values)}`,
      colour,
    )
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>\n${label}`
  })
  const beside = notes.map((note, i) =>
    text(WIDTH + MARGIN, MARGIN + i * NOTE_HEIGHT, note, '#000', 'monospace'),
  )
  const axis = `<line x1="${MARGIN}" y1="${HEIGHT - MARGIN}" x2="${WIDTH - MARGIN}" y2="${HEIGHT - MARGIN}" stroke="#999"/>`
  const size = `width="${WIDTH + NOTES_WIDTH}" height="${height}"`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="12">`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    text(MARGIN, MARGIN, title),
    axis,
    ...drawn,
    ...beside,
    '</svg>\n',
  ].join('\n')
}

function text(x: number, y: number, what: string, colour = '#000', font = 'sans-serif'): string {
  const escaped = what.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const style = `fill="${colour}" font-family="${font}" xml:space="preserve"`
  return `<text x="${x}" y="${y}" ${style}>${escaped}</text>`
}
