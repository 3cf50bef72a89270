import { CodePointSet } from './code-point-set.ts'
import { PatternFlag } from './pattern-flags.ts'
import { unicodeSet } from './unicode-sets.ts'

/** The line terminators of `.`, `^` and `$` where UNIX_LINES is off. */
export const LINE_TERMINATORS: CodePointSet = CodePointSet.of(0x0a, 0x0d, 0x85, 0x2028, 0x2029)
export const LINE_FEED: CodePointSet = CodePointSet.of(0x0a)
/** \v, and the one-character line breaks of \R. */
export const VERTICAL_SPACE: CodePointSet = CodePointSet.ofRanges([0x0a, 0x0d, 0x85, 0x85, 0x2028, 0x2029])

const HORIZONTAL_SPACE = CodePointSet.of(0x09, 0x20, 0xa0, 0x1680, 0x180e, 0x202f, 0x205f, 0x3000).union(
  CodePointSet.ofRanges([0x2000, 0x200a]),
)
const ASCII_DIGITS = CodePointSet.ofRanges([0x30, 0x39])
const ASCII_SPACE = CodePointSet.ofRanges([0x09, 0x0d, 0x20, 0x20])
const ASCII_WORD = CodePointSet.ofRanges([0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a])

/** \w of UNICODE_CHARACTER_CLASS. */
export const unicodeWord = (): CodePointSet =>
  unicodeSet('\\p{Alphabetic}\\p{Mn}\\p{Me}\\p{Mc}\\p{Nd}\\p{Pc}\\u200c\\u200d')
export const unicodeDigits = (): CodePointSet => unicodeSet('\\p{Nd}')
export const unicodeSpace = (): CodePointSet => unicodeSet('\\p{Z}\\t-\\r\\x85')

/** The class of \d, \h, \s, \v or \w, or of its upper case form; undefined: the letter names none. */
export function predefinedClass(letter: string, flags: number): CodePointSet | undefined {
  const set = classOf(letter.toLowerCase(), (flags & PatternFlag.UnicodeCharacterClass) !== 0)
  return letter === letter.toLowerCase() ? set : set?.complement()
}

function classOf(letter: string, isUnicode: boolean): CodePointSet | undefined {
  switch (letter) {
    case 'd':
      return isUnicode ? unicodeDigits() : ASCII_DIGITS
    case 'h':
      return HORIZONTAL_SPACE
    case 's':
      return isUnicode ? unicodeSpace() : ASCII_SPACE
    case 'v':
      return VERTICAL_SPACE
    case 'w':
      return isUnicode ? unicodeWord() : ASCII_WORD
    default:
      return undefined
  }
}
