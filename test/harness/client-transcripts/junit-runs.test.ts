import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { packageRoot } from '../../../src/package-root.ts'
import {
  type ExpectedFailures,
  methodPattern,
  type Outcome,
  readExpectedFailures,
  verdictOf,
} from './junit-runs.ts'

const LIST: readonly ExpectedFailures[] = [
  { reason: 'r', tests: ['a.C one', 'a.C two[*'] },
  { reason: 'r', target: 'tidegate', tests: ['a.C three'] },
  { reason: 'r', passesSometimes: true, tests: ['a.C four'] },
  { reason: 'r', passesSometimes: true, says: 'span', tests: ['a.D *'] },
]

test.each<[test: string, outcome: Outcome, target: string, verdict: string]>([
  ['a.C one', 'failed', 'real', 'expected'],
  ['a.C one', 'passed', 'real', 'failed'],
  ['a.C two[0]', 'failed', 'real', 'expected'],
  ['a.C twofold', 'failed', 'real', 'failed'],
  ['a.C twofold', 'passed', 'real', 'passed'],
  ['a.C three', 'failed', 'tidegate', 'expected'],
  ['a.C three', 'failed', 'proxy', 'failed'],
  ['a.C three', 'passed', 'proxy', 'passed'],
  ['a.C four', 'failed', 'real', 'expected'],
  ['a.C four', 'passed', 'real', 'passed'],
])('%s that has %s on %s is counted as %s', (name, outcome, target, verdict) => {
  expect(verdictOf(LIST, target, { outcome, test: name, reason: 'r' })).toBe(verdict)
})

test.each<[reason: string, verdict: string]>([
  ['no such span', 'expected'],
  ['expected:<3> but was:<2>', 'failed'],
])('a failure is expected only with the message that its entry states: %s is %s', (reason, verdict) => {
  expect(verdictOf(LIST, 'tidegate', { outcome: 'failed', test: 'a.D one', reason })).toBe(verdict)
})

test('tests that end the server do not run where all classes share it', () => {
  const list: readonly ExpectedFailures[] = [{ reason: 'r', endsServer: true, tests: ['a.C stops'] }]
  const run = (method: string, isShared: boolean): string[] => {
    const pattern = new RegExp(methodPattern(list, method, { isShared }))
    return ['stops', 'stops[0]', 'stopsLater', 'puts[1]'].filter((each) => pattern.test(each))
  }
  expect(run('', true)).toEqual(['stopsLater', 'puts[1]'])
  expect(run('stops', true)).toEqual(['stopsLater'])
  expect(run('stops', false)).toEqual(['stops', 'stops[0]', 'stopsLater'])
})

test('the list of what cannot pass has a reason for each test, and each once', () => {
  const file = new URL('test/clients/hbase-client-tests/expected-failures.json', packageRoot())
  const list = readExpectedFailures(fileURLToPath(file))
  const named = list.flatMap(({ target = '', tests }) => tests.map((each) => `${target} ${each}`))
  expect(new Set(named).size).toBe(named.length)
  for (const { reason, tests } of list) {
    expect(reason).toMatch(/^[A-Z].*\.$/)
    for (const each of tests) expect(each).toMatch(/^(?:client\.)?Test\w+(?:\$\*| class| \*| test\S+)$/)
  }
})
