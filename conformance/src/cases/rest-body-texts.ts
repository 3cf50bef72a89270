/** Documents with marked places, and the texts that stand at each place in turn. */

/** Texts by a label. */
export type Texts = Readonly<Record<string, string>>

/** JSON of every type, and numbers at their extremes. */
export const JSON_TEXTS: Texts = {
  null: 'null',
  true: 'true',
  number: '5',
  negative: '-1',
  fraction: '1.5',
  'too large for 32 bits': '2147483648',
  'largest of 64 bits': '9223372036854775807',
  'too large for 64 bits': '9223372036854775808',
  'too large for a double': '1e400',
  'empty text': '""',
  'digits as text': '"7"',
  text: '"te:xt"',
  base64: '"Zjph"',
  'empty array': '[]',
  array: '["Zjph"]',
  'array of null': '[null]',
  'empty object': '{}',
  object: '{"a":"Zjph"}',
}

interface Place {
  readonly name: string
  readonly start: number
  readonly end: number
}

const OPENED = /«([\w ]+):/y

/** The document without its marks, and where the places are in it. */
function parseMarks(marked: string): { text: string; places: Place[] } {
  const places: Place[] = []
  const open: Place[] = []
  let text = ''
  for (let at = 0; at < marked.length; ) {
    OPENED.lastIndex = at
    const opened = OPENED.exec(marked)
    if (opened !== null) {
      open.push({ name: opened[1]!, start: text.length, end: 0 })
      at += opened[0].length
    } else if (marked[at] === '»') {
      places.push({ ...open.pop()!, end: text.length })
      at++
    } else text += marked[at++]
  }
  return { text, places: places.sort((a, b) => a.start - b.start || b.end - a.end) }
}

/**
 * A document for every marked place, `«place:text»`, and every text, with the text at the place; and first the document as
 * it is. A place called `... member` is left out instead.
 */
export function placed(marked: string, texts: Texts): (readonly [label: string, document: string])[] {
  const { text, places } = parseMarks(marked)
  const all = places.flatMap(({ name, start, end }) => {
    const put = (other: string): string => text.slice(0, start) + other + text.slice(end)
    if (name.endsWith(' member')) return [[`no ${name}`, put('')] as const]
    return Object.entries(texts).map(([label, other]) => [`${name} ${label}`, put(other)] as const)
  })
  return [['whole', text], ...all]
}
