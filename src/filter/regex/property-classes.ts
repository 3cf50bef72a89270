import { ALL_CODE_POINTS, CodePointSet } from './code-point-set.ts'
import { unicodeDigits, unicodeSpace, unicodeWord } from './predefined-classes.ts'
import { unicodeBlock } from './unicode-blocks.ts'
import { categories, unicodeScript, unicodeSet } from './unicode-sets.ts'

type ClassTable = Readonly<Record<string, () => CodePointSet>>

const ranges = (...bounds: readonly number[]): (() => CodePointSet) => {
  const set = CodePointSet.ofRanges(bounds)
  return () => set
}
const properties = (expression: string): (() => CodePointSet) => {
  return () => unicodeSet(expression)
}

const CATEGORIES = new Set(
  'Cn Lu Ll Lt Lm Lo Mn Me Mc Nd Nl No Zs Zl Zp Cc Cf Co Cs Pd Ps Pe Pc Po Sm Sc Sk So Pi Pf L M N Z C P S LC'.split(
    ' ',
  ),
)
const IDENTIFIER_IGNORABLE = '\\x00-\\x08\\x0e-\\x1b\\x7f-\\x9f\\p{Cf}'

/** POSIX's classes over US-ASCII and the methods of java.lang.Character, by their names in \p{...}. */
const JAVA_CLASSES: ClassTable = {
  LD: properties('\\p{L}\\p{Nd}'),
  L1: ranges(0, 0xff),
  all: () => ALL_CODE_POINTS,
  ASCII: ranges(0, 0x7f),
  Alnum: ranges(0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a),
  Alpha: ranges(0x41, 0x5a, 0x61, 0x7a),
  Blank: ranges(0x09, 0x09, 0x20, 0x20),
  Cntrl: ranges(0, 0x1f, 0x7f, 0x7f),
  Digit: ranges(0x30, 0x39),
  Graph: ranges(0x21, 0x7e),
  Lower: ranges(0x61, 0x7a),
  Print: ranges(0x20, 0x7e),
  Punct: ranges(0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e),
  Space: ranges(0x09, 0x0d, 0x20, 0x20),
  Upper: ranges(0x41, 0x5a),
  XDigit: ranges(0x30, 0x39, 0x41, 0x46, 0x61, 0x66),
  javaLowerCase: properties('\\p{Lowercase}'),
  javaUpperCase: properties('\\p{Uppercase}'),
  javaAlphabetic: properties('\\p{Alphabetic}'),
  javaIdeographic: properties('\\p{Ideographic}'),
  javaTitleCase: properties('\\p{Lt}'),
  javaDigit: properties('\\p{Nd}'),
  javaDefined: properties('\\P{Cn}'),
  javaLetter: properties('\\p{L}'),
  javaLetterOrDigit: properties('\\p{L}\\p{Nd}'),
  javaJavaIdentifierStart: properties('\\p{L}\\p{Nl}\\p{Sc}\\p{Pc}'),
  javaJavaIdentifierPart: properties(
    `\\p{L}\\p{Nl}\\p{Sc}\\p{Pc}\\p{Nd}\\p{Mc}\\p{Mn}${IDENTIFIER_IGNORABLE}`,
  ),
  javaUnicodeIdentifierStart: properties('\\p{ID_Start}'),
  javaUnicodeIdentifierPart: properties(`\\p{ID_Continue}${IDENTIFIER_IGNORABLE}`),
  javaIdentifierIgnorable: properties(IDENTIFIER_IGNORABLE),
  javaSpaceChar: properties('\\p{Z}'),
  javaWhitespace: () => unicodeSet('\\p{Z}\\t-\\r\\x1c-\\x1f').intersection(NO_BREAK_SPACES.complement()),
  javaISOControl: ranges(0, 0x1f, 0x7f, 0x9f),
  javaMirrored: properties('\\p{Bidi_Mirrored}'),
}
const NO_BREAK_SPACES = CodePointSet.of(0xa0, 0x2007, 0x202f)

/** POSIX's classes over Unicode, in upper case, by their names in \p{Is...} and for UNICODE_CHARACTER_CLASS. */
const UNICODE_POSIX_CLASSES: ClassTable = {
  ALPHA: properties('\\p{Alphabetic}'),
  LOWER: properties('\\p{Lowercase}'),
  UPPER: properties('\\p{Uppercase}'),
  SPACE: unicodeSpace,
  PUNCT: properties('\\p{P}'),
  XDIGIT: properties('\\p{Nd}\\p{Hex_Digit}'),
  ALNUM: properties('\\p{Alphabetic}\\p{Nd}'),
  CNTRL: properties('\\p{Cc}'),
  DIGIT: unicodeDigits,
  BLANK: properties('\\p{Zs}\\t'),
  GRAPH: () => graphic(),
  PRINT: () => graphic().union(unicodeSet('\\p{Zs}\\t')).intersection(categories('Cc').complement()),
}

/** Unicode's binary properties that Java knows by \p{Is...}, in upper case. */
const UNICODE_CLASSES: ClassTable = {
  ALPHABETIC: properties('\\p{Alphabetic}'),
  ASSIGNED: properties('\\P{Cn}'),
  CONTROL: properties('\\p{Cc}'),
  HEXDIGIT: properties('\\p{Nd}\\p{Hex_Digit}'),
  IDEOGRAPHIC: properties('\\p{Ideographic}'),
  JOINCONTROL: ranges(0x200c, 0x200d),
  LETTER: properties('\\p{L}'),
  LOWERCASE: properties('\\p{Lowercase}'),
  NONCHARACTERCODEPOINT: properties('\\p{Noncharacter_Code_Point}'),
  TITLECASE: properties('\\p{Lt}'),
  PUNCTUATION: properties('\\p{P}'),
  UPPERCASE: properties('\\p{Uppercase}'),
  WHITESPACE: unicodeSpace,
  WORD: unicodeWord,
}

/** Names that Unicode writes with underscores. */
const UNDERSCORED: ReadonlyMap<string, string> = new Map([
  ['HEX_DIGIT', 'HEXDIGIT'],
  ['JOIN_CONTROL', 'JOINCONTROL'],
  ['NONCHARACTER_CODE_POINT', 'NONCHARACTERCODEPOINT'],
  ['WHITE_SPACE', 'WHITESPACE'],
])

/** Classes of one case, which mean all cases where case is ignored. */
const CASED_ASCII = new Set(['Lower', 'Upper'])
const CASED = new Set(
  'Lu Ll Lt javaLowerCase javaUpperCase javaTitleCase LOWER UPPER LOWERCASE UPPERCASE TITLECASE'.split(' '),
)

function graphic(): CodePointSet {
  return unicodeSet('\\p{Z}\\p{Cc}\\p{Cs}\\p{Cn}\\t-\\r\\x85').complement()
}

function lookUp(table: ClassTable, name: string): CodePointSet | undefined {
  return Object.hasOwn(table, name) ? table[name]!() : undefined
}

function javaClass(name: string, ignoreCase: boolean): CodePointSet | undefined {
  if (ignoreCase && CASED_ASCII.has(name)) return lookUp(JAVA_CLASSES, 'Alpha')
  if (ignoreCase && CASED.has(name) && /^[Lj]/.test(name))
    return name.startsWith('j') ? unicodeSet('\\p{Lowercase}\\p{Uppercase}\\p{Lt}') : categories('LC')
  return CATEGORIES.has(name) ? categories(name) : lookUp(JAVA_CLASSES, name)
}

function unicodeClass(table: ClassTable, name: string, ignoreCase: boolean): CodePointSet | undefined {
  if (ignoreCase && CASED.has(name)) return unicodeSet('\\p{Lowercase}\\p{Uppercase}\\p{Lt}')
  return lookUp(table, name)
}

/** The class of \p{name}; undefined: Java knows none. */
export function namedClass(
  name: string,
  ignoreCase: boolean,
  isUnicodePosix: boolean,
): CodePointSet | undefined {
  if (name.startsWith('In')) return unicodeBlock(name.slice(2))
  if (name.startsWith('Is')) {
    const short = name.slice(2)
    const upper = short.toUpperCase()
    return (
      unicodeClass(UNICODE_CLASSES, UNDERSCORED.get(upper) ?? upper, ignoreCase) ??
      unicodeClass(UNICODE_POSIX_CLASSES, upper, ignoreCase) ??
      javaClass(short, ignoreCase) ??
      unicodeScript(short)
    )
  }
  const posix = isUnicodePosix
    ? unicodeClass(UNICODE_POSIX_CLASSES, name.toUpperCase(), ignoreCase)
    : undefined
  return posix ?? javaClass(name, ignoreCase)
}

/** The class of \p{property=value}; undefined: Java knows none. `property` is in lower case. */
export function valuedClass(property: string, value: string, ignoreCase: boolean): CodePointSet | undefined {
  switch (property) {
    case 'sc':
    case 'script':
      return unicodeScript(value)
    case 'blk':
    case 'block':
      return unicodeBlock(value)
    case 'gc':
    case 'general_category':
      return javaClass(value, ignoreCase)
    default:
      return undefined
  }
}
