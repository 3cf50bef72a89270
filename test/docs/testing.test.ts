/** The seed and the rules in docs/testing.md are taken as they stand there. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseFaultRules } from '../../src/gateway/policies/test-mode/fault-rules.ts'
import { parseSeed } from '../../src/gateway/policies/test-mode/seed.ts'
import { cellsOf } from '../../src/model/cell-block.ts'

const text = readFileSync('docs/testing.md', 'utf8')

test('the seed', () => {
  const [, json] = /```json\n([\s\S]*?)```/.exec(text)!
  const { tables } = parseSeed(JSON.parse(json!))
  const { rows } = tables[0]!
  const values = [0, 1].flatMap((row) => cellsOf(rows.blockOf(row)).map(({ value }) => value.toString('hex')))
  expect(values).toEqual(['3132', '6d616465', '0000000000000007'])
})

test('the rules', () => {
  const [, json] = /faults -d '(.*)'/.exec(text)!
  expect(parseFaultRules(JSON.parse(json!))).toMatchObject([{ table: 'shop:orders', after: 2, times: 1 }])
})
