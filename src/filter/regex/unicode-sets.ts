import { CodePointSet } from './code-point-set.ts'

/** Where characters are assigned one by one: first code point and the one after the last. */
const ASSIGNED: readonly (readonly [number, number])[] = [
  [0, 0xd800],
  [0xe000, 0x33500],
  [0xe0000, 0xe0200],
]
/** The ranges in which all code points are alike: surrogates that stand alone, unassigned planes, private use. */
const ALIKE: readonly (readonly [number, number])[] = [
  [0xd800, 0xe000],
  [0x33500, 0xe0000],
  [0xe0200, 0xf0000],
  [0xf0000, 0x100000],
  [0x100000, 0x110000],
]
/** The last two code points of each plane are no characters. */
const PLANE = 0x10000
const BLOCK = 0x100

const sets: Map<string, CodePointSet> = new Map()

/**
 * The code points of a character class in JavaScript's syntax for Unicode properties, such as `\p{Lu}\p{Nd}`, in the
 * Unicode version of Node, which may know more characters than a JVM's.
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
  const any = new RegExp(`[${properties}]`, 'u')
  const has = (codePoint: number): boolean => any.test(String.fromCodePoint(codePoint))
  const bounds: number[] = []
  blocks ??= assignedBlocks()
  for (const { first, text } of blocks) {
    const width = first < PLANE ? 1 : 2
    for (const { 0: run, index } of text.matchAll(runs))
      bounds.push(first + index / width, first + (index + run.length) / width - 1)
  }
  for (const [first, end] of ALIKE) if (has(first)) bounds.push(first, end - 1)
  const without = CodePointSet.of(...planeEnds.filter((codePoint) => !has(codePoint)))
  const more = CodePointSet.of(...planeEnds.filter(has))
  return CodePointSet.ofRanges(bounds).union(more).intersection(without.complement())
}

interface Block {
  readonly first: number
  readonly text: string
}

/** All that is assigned, as text to search for runs of a class: half a megabyte, kept for the next class. */
let blocks: readonly Block[] | undefined

function assignedBlocks(): Block[] {
  const all: Block[] = []
  for (const [begin, end] of ASSIGNED)
    for (let first = begin; first < end; first += BLOCK) {
      const codePoints = Array.from({ length: BLOCK }, (_, index) => first + index)
      all.push({ first, text: String.fromCodePoint(...codePoints) })
    }
  return all
}

const planeEnds = Array.from({ length: 17 }, (_, plane) => [
  plane * PLANE + 0xfffe,
  plane * PLANE + 0xffff,
]).flat()

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
