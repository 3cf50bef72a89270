import type { Comparator } from '../../model/filter.ts'

const COLON = 0x3a

/** java.util.regex.Pattern's flags. */
export const CASE_INSENSITIVE = 2
export const DOTALL = 32

/** Reads `type:value`. HBase: ParseFilter.createComparator. `refuse` is told what was expected instead. */
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
      return regex(value, DOTALL)
    case 'regexstringnocase':
      return regex(value, CASE_INSENSITIVE | DOTALL)
    case 'substring':
      return { kind: 'SubstringComparator', substring: value.toString().toLowerCase() }
    default:
      return refuse('a comparator of type binary, binaryprefix, regexstring, regexstringnocase or substring')
  }
}

function regex(value: Buffer, flags: number): Comparator {
  return {
    kind: 'RegexStringComparator',
    pattern: value.toString(),
    flags,
    charset: 'UTF-8',
    engine: 'JAVA',
  }
}
