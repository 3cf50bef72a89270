import { isHBaseError } from '../../model/errors.ts'
import type { Comparator } from '../../model/filter.ts'
import { decoderFor } from '../regex/charset.ts'
import { compileJavaRegex } from '../regex/java-regex.ts'
import { PatternFlag } from '../regex/pattern-flags.ts'

const COLON = 0x3a

const { CaseInsensitive, Dotall } = PatternFlag
const decodeUtf8 = decoderFor('UTF-8')

/** Reads `type:value`. HBase: ParseFilter.createComparator. `refuse` gets the text of what was expected instead. */
export function parseComparator(bytes: Buffer, refuse: (expected: string) => never): Comparator {
  const colon = bytes.indexOf(COLON)
  if (colon < 0) return refuse('a comparator "type:value"')
  const value = bytes.subarray(colon + 1)
  switch (bytes.toString('latin1', 0, colon)) {
    case 'binary':
      return { kind: 'BinaryComparator', value }
    case 'binaryprefix':
      return { kind: 'BinaryPrefixComparator', value }
    case 'regexstring':
      return regexComparator(value, Dotall, refuse)
    case 'regexstringnocase':
      return regexComparator(value, CaseInsensitive | Dotall, refuse)
    case 'substring':
      return { kind: 'SubstringComparator', substring: decodeUtf8(value, 0, value.length).toLowerCase() }
    default:
      return refuse('a comparator of type binary, binaryprefix, regexstring, regexstringnocase or substring')
  }
}

function regexComparator(value: Buffer, flags: number, refuse: (expected: string) => never): Comparator {
  const pattern = decodeUtf8(value, 0, value.length)
  try {
    compileJavaRegex(pattern, flags)
  } catch (error) {
    if (!isHBaseError(error)) throw error
    return refuse(`a regular expression (${error.message})`)
  }
  return { kind: 'RegexStringComparator', pattern, flags, charset: 'UTF-8', engine: 'JAVA' }
}
