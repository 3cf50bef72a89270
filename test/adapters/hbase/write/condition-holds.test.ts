import { expect, test } from 'vitest'
import { conditionHolds } from '../../../../adapters/hbase/write/condition-holds.ts'
import type { CompareOperator } from '../../../../src/model/filter.ts'

/** For the values a, m, z and none against a cell of m, an empty one, and none: as HBase answers. */
test.each([
  ['LESS', 'y..n ...y ...y'],
  ['LESS_OR_EQUAL', 'yy.n ...y ...y'],
  ['EQUAL', '.y.n ...y ...y'],
  ['NOT_EQUAL', 'y.yy yyyn ...n'],
  ['GREATER_OR_EQUAL', '.yyn yyyy ...y'],
  ['GREATER', '..yn yyyy ...y'],
] satisfies [CompareOperator, string][])('the value is on the left of %s', (operator, expected) => {
  const common = { family: Buffer.from('f'), qualifier: Buffer.from('q'), operator }
  const answers = [Buffer.from('m'), Buffer.alloc(0), undefined].map((found) =>
    ['a', 'm', 'z', ''].map((value) => {
      return conditionHolds({ ...common, value: Buffer.from(value) }, found) ? 'y' : 'n'
    }),
  )
  expect(answers.map((line) => line.join('')).join(' ')).toBe(expected.replaceAll('.', 'n'))
  expect(conditionHolds({ ...common, value: undefined }, undefined)).toBe(operator !== 'NOT_EQUAL')
})
