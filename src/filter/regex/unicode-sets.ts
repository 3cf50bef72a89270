import { CODE_POINT_MAX, CodePointSet } from './code-point-set.ts'

const CHUNK = 0x800
const SURROGATE_FIRST = 0xd800
const SURROGATE_LAST = 0xdfff

const sets: Map<string, CodePointSet> = new Map()

/**
 * The code points of a character class in JavaScript's syntax for Unicode properties, such as `\p{Lu}\p{Nd}`: those of
 * the Unicode version that Node has, which may know more characters than a JVM's.
 */
export function unicodeSet(properties: string): CodePointSet {
  const known = sets.get(properties)
  if (known !== undefined) return known
  const set = scan(properties)
  sets.set(properties, set)
  return set
}

function scan(properties: string): CodePointSet {
  const runs = new RegExp(`[${properties}]+`, 'gu')
  const bounds: number[] = []
  for (let first = 0; first <= CODE_POINT_MAX; first += CHUNK) {
    if (first === SURROGATE_FIRST) continue
    for (const { 0: run, index } of chunkText(first).matchAll(runs)) {
      const width = first < 0x10000 ? 1 : 2
      bounds.push(first + index / width, first + (index + run.length) / width - 1)
    }
  }
  // Surrogates that stand alone share all their properties.
  if (runs.test('\ud800')) bounds.push(SURROGATE_FIRST, SURROGATE_LAST)
  return CodePointSet.ofRanges(bounds)
}

function chunkText(first: number): string {
  const codePoints = Array.from({ length: CHUNK }, (_, index) => first + index)
  return String.fromCodePoint(...codePoints)
}

/** The script of a name or of a code of ISO 15924, in any case; undefined: there is none. */
export function unicodeScript(name: string): CodePointSet | undefined {
  if (!/^\w+$/.test(name)) return undefined
  if (/^(?:unknown|zzzz)$/i.test(name)) return unicodeSet('\\p{Cn}\\p{Co}\\p{Cs}')
  for (const spelling of [capitalised(name), RARE_SPELLINGS.get(name.toLowerCase())]) {
    if (spelling === undefined) continue
    try {
      return unicodeSet(`\\p{Script=${spelling}}`)
    } catch {
      // Not a script that JavaScript knows by this name.
    }
  }
  return undefined
}

const RARE_SPELLINGS: ReadonlyMap<string, string> = new Map([['signwriting', 'SignWriting']])

function capitalised(name: string): string {
  return name
    .toLowerCase()
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('_')
}

/** The code points of general categories by their short names, such as Lu and Nd. */
export function categories(...names: readonly string[]): CodePointSet {
  return unicodeSet(names.map((name) => `\\p{${name}}`).join(''))
}
