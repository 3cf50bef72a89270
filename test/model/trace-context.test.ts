import { expect, test } from 'vitest'
import { joinedTrace, readTrace } from '../../src/model/trace-context.ts'

const IDS = '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test('what a later version has behind a parent is not kept, however long it is', () => {
  expect(joinedTrace(`cc-${IDS}-${'x'.repeat(100_000)}`)).toBe(`cc-${IDS}`)
  const joined = joinedTrace(`cc-${IDS}- evil=\u00e9`, 'good=1')
  expect(joined).toBe(`cc-${IDS} good=1`)
  expect(readTrace(joined)?.state).toBe('good=1')
})

test('this version has nothing behind it', () => {
  expect(joinedTrace(`00-${IDS}`)).toBe(`00-${IDS}`)
  expect(joinedTrace(`00-${IDS}-more`)).toBeUndefined()
})
