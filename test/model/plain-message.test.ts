import { expect, test } from 'vitest'
import { HBaseError } from '../../src/model/errors.ts'
import { plainMessage } from '../../src/model/plain-message.ts'

test('a message that is a name alone gets its words', () => {
  expect(plainMessage(new HBaseError('TABLE_NOT_FOUND', 'ns:t'))).toBe('there is no table ns:t')
  expect(plainMessage(new HBaseError('TABLE_EXISTS', 't-1'))).toBe('there is a table t-1 already')
  expect(plainMessage(new HBaseError('NAMESPACE_NOT_FOUND', 'ns'))).toBe('there is no namespace ns')
})

test('every other message stays', () => {
  expect(plainMessage(new HBaseError('TABLE_NOT_FOUND', 'No state found for t'))).toBe('No state found for t')
  expect(plainMessage(new HBaseError('IO', 't'))).toBe('t')
})
