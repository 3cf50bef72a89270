/** Filters that take long on a row of the attacked table. */

import type { Comparator, Filter, FuzzyKey } from '../../src/model/filter.ts'
import { numbered } from './attacked-table.ts'

/** Pattern.CANON_EQ. */
const CANON_EQ = 128

export function valueIs(comparator: Comparator): Filter {
  return { kind: 'ValueFilter', operator: 'EQUAL', comparator }
}

export function oneOf(count: number, comparator: (index: number) => Comparator): Filter {
  const filters = Array.from({ length: count }, (_, index) => valueIs(comparator(index)))
  return { kind: 'FilterList', operator: 'MUST_PASS_ONE', filters }
}

export function substrings(count: number): Filter {
  return oneOf(count, (index) => ({ kind: 'SubstringComparator', substring: `missing ${index}` }))
}

export function otherValues(count: number): Filter {
  return oneOf(count, (index) => ({ kind: 'BinaryComparator', value: Buffer.from(`value${index}`) }))
}

function regex(pattern: string, { flags = 0, charset = 'UTF-8' } = {}): Filter {
  return valueIs({ kind: 'RegexStringComparator', pattern, flags, charset, engine: 'JAVA' })
}

/** An automaton of it has more states than there is room for. */
export const MANY_STATES: Filter = regex('(a|b|c)*a[abc]{900}[^abc]')
/** It is matched by trying one way after the other. */
export const BACKTRACKING: Filter = regex('(?=x)(?:x|y)*?z')
export const CANONICAL: Filter = regex('(e|o)*x[^y]{100}y', { flags: CANON_EQ })
export const CANONICAL_BACKTRACKING: Filter = regex('(?=x)(?:x|y)*?z', { flags: CANON_EQ })

export function inCharset(charset: string): Filter {
  return regex('a[abc]{20}[^abc]x', { charset })
}

/** Keys of rows that are not there, of which the filter looks at each in each row. */
export function fuzzyKeys(count: number): Filter {
  const mask = Buffer.from([1, 0, 0, 0, 1, 0, 0, 0, 0, 0])
  const keys = Array.from({ length: count }, (_, index): FuzzyKey => {
    const row = numbered('rox', index)
    return { row, mask }
  })
  return { kind: 'FuzzyRowFilter', keys, isMaskV2: false }
}

export function prefixes(count: number): Filter {
  const made = Array.from({ length: count }, (_, index) => numbered('q', index * 2))
  return { kind: 'MultipleColumnPrefixFilter', prefixes: made }
}

/** Lists of lists that see the whole row at its end. */
export function dependentColumns(count: number): Filter {
  const filters = Array.from(
    { length: count },
    (_, index): Filter => ({
      kind: 'DependentColumnFilter',
      family: Buffer.from('f'),
      qualifier: numbered('q', index),
      dropDependentColumn: false,
      operator: 'NO_OP',
      comparator: undefined,
    }),
  )
  return { kind: 'FilterList', operator: 'MUST_PASS_ALL', filters }
}
