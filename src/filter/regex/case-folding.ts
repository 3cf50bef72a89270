import { CodePointSet } from './code-point-set.ts'
import { PatternFlag } from './pattern-flags.ts'

/** No character with case lies above. */
const CASED_MAX = 0x1e943
const DOTTED_CAPITAL_I = 0x130

/** A character's one-character upper case. Java: Character.toUpperCase(int). */
export function toUpperCase(codePoint: number): number {
  return (
    single(String.fromCodePoint(codePoint).toUpperCase()) ?? greekUpperCases().get(codePoint) ?? codePoint
  )
}

/** Java: Character.toLowerCase(int). */
export function toLowerCase(codePoint: number): number {
  if (codePoint === DOTTED_CAPITAL_I) return 0x69
  return single(String.fromCodePoint(codePoint).toLowerCase()) ?? codePoint
}

/** Two characters are equal regardless of case if this is the same for both. */
export function foldCase(codePoint: number): number {
  return toLowerCase(toUpperCase(codePoint))
}

function single(text: string): number | undefined {
  const codePoint = text.codePointAt(0)!
  return text.length === (codePoint > 0xffff ? 2 : 1) ? codePoint : undefined
}

let greek: Map<number, number> | undefined

/** Greek letters with a subscript iota: their upper case is two letters in JavaScript, and one in Java. */
function greekUpperCases(): Map<number, number> {
  if (greek !== undefined) return greek
  greek = new Map()
  for (let codePoint = 0x1f80; codePoint <= 0x1fff; codePoint++) {
    const lower = toLowerCase(codePoint)
    if (lower !== codePoint && String.fromCodePoint(lower).toUpperCase().length > 1)
      greek.set(lower, codePoint)
  }
  return greek
}

interface CasedCharacter {
  readonly codePoint: number
  readonly upper: number
  readonly fold: number
}

let cased: CasedCharacter[] | undefined

function casedCharacters(): readonly CasedCharacter[] {
  if (cased !== undefined) return cased
  cased = []
  for (let codePoint = 0x41; codePoint <= CASED_MAX; codePoint++) {
    const upper = toUpperCase(codePoint)
    const fold = toLowerCase(upper)
    if (upper !== codePoint || fold !== codePoint) cased.push({ codePoint, upper, fold })
  }
  return cased
}

const asciiUpperCase = (codePoint: number): number =>
  codePoint >= 0x61 && codePoint <= 0x7a ? codePoint - 0x20 : codePoint
const asciiLowerCase = (codePoint: number): number =>
  codePoint >= 0x41 && codePoint <= 0x5a ? codePoint + 0x20 : codePoint

/** The sets of characters below 256, which patterns are mostly made of, by character and case flags. */
const characterSets: Map<number, CodePointSet> = new Map()
const BOTH_CASES = PatternFlag.CaseInsensitive | PatternFlag.UnicodeCase

/** The set that one character of a pattern matches. */
export function characterSet(codePoint: number, flags: number): CodePointSet {
  if (codePoint > 0xff) return newCharacterSet(codePoint, flags)
  const key = (codePoint << 8) | (flags & BOTH_CASES)
  const known = characterSets.get(key)
  if (known !== undefined) return known
  const set = newCharacterSet(codePoint, flags)
  characterSets.set(key, set)
  return set
}

function newCharacterSet(codePoint: number, flags: number): CodePointSet {
  if ((flags & PatternFlag.CaseInsensitive) === 0) return CodePointSet.of(codePoint)
  if ((flags & PatternFlag.UnicodeCase) === 0)
    return CodePointSet.of(asciiUpperCase(codePoint), asciiLowerCase(codePoint))
  const fold = foldCase(codePoint)
  const equal = casedCharacters().filter((character) => character.fold === fold)
  return CodePointSet.of(codePoint, fold, ...equal.map((character) => character.codePoint))
}

/** The set that a range of a class matches. */
export function rangeSet(first: number, last: number, flags: number): CodePointSet {
  if ((flags & PatternFlag.CaseInsensitive) === 0) return CodePointSet.ofRanges([first, last])
  const isIn = (codePoint: number): boolean => codePoint >= first && codePoint <= last
  const bounds = [first, last]
  if ((flags & PatternFlag.UnicodeCase) === 0) {
    for (let letter = 0x61; letter <= 0x7a; letter++)
      if (isIn(letter) || isIn(asciiUpperCase(letter)))
        bounds.push(letter, letter, asciiUpperCase(letter), asciiUpperCase(letter))
  } else {
    for (const { codePoint, upper, fold } of casedCharacters())
      if (isIn(upper) || isIn(fold)) bounds.push(codePoint, codePoint)
  }
  return CodePointSet.ofRanges(bounds)
}
