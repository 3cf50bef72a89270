import { expect, test } from 'vitest'
import { COMMANDS } from '../../src/shell/commands/command-groups.ts'
import { usageOf } from '../../src/shell/help/command-help.ts'
import { nearName } from '../../src/shell/output/near-name.ts'

test('a misspelt command is one or two errors away from the one that was meant', () => {
  const meant = ['scna', 'dsecribe', 'ptu', 'get_countr', 'lst', 'enable_al', 'xyzzy', 'abort_procedure'].map(
    (word) => nearName(word, COMMANDS.keys()),
  )
  expect(meant).toEqual([
    'scan',
    'describe',
    'put',
    'get_counter',
    'list',
    'enable_all',
    undefined,
    undefined,
  ])
})

test('the example of a command is one with the option that is wrong', () => {
  expect(usageOf('get', 'wrong number of arguments (given 0, expected 2+)')).toBe("get 't1', 'r1'")
  expect(usageOf('get', 'TIMERANGE must be an Array of two timestamps')).toBe(
    "get 't1', 'r1', {COLUMN => 'f:a', VERSIONS => 4, TIMERANGE => [0, 2000]}",
  )
  expect(usageOf('nope', '')).toBeUndefined()
})
