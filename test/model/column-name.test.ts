import { expect, test } from 'vitest'
import { columnsNamed, splitColumn } from '../../src/model/column-name.ts'
import { ALL_COLUMNS } from '../../src/model/query.ts'

test.each([
  ['f', 'f', undefined],
  ['f:', 'f', ''],
  ['f:q', 'f', 'q'],
  ['f:q:r', 'f', 'q:r'],
  [':q', '', 'q'],
  ['', '', undefined],
])('%j is split at its first colon', (name, family, qualifier) => {
  const split = splitColumn(Buffer.from(name))
  expect([split.family.toString(), split.qualifier?.toString()]).toEqual([family, qualifier])
})

test('columns are gathered by their families, in order', () => {
  const named = columnsNamed(['g:b', 'f', 'g:a', 'h:', 'g:b'].map((name) => Buffer.from(name)))
  expect(named.map(({ family, qualifiers }) => [family.toString(), qualifiers?.map(String)])).toEqual([
    ['f', undefined],
    ['g', ['a', 'b']],
    ['h', ['']],
  ])
  expect(columnsNamed([])).toEqual(ALL_COLUMNS)
})
