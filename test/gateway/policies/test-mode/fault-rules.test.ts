import { expect, test } from 'vitest'
import { FaultRules, parseFaultRules } from '../../../../src/gateway/policies/test-mode/fault-rules.ts'

const rulesOf = (...json: readonly unknown[]): FaultRules => {
  const rules = new FaultRules()
  rules.set(parseFaultRules(json))
  return rules
}

test('a rule begins after some calls, and is spent after its faults', () => {
  const rules = rulesOf({ on: ['get'], after: 1, times: 2, error: 'IO' })
  const met = [1, 2, 3, 4].map(() => rules.faultFor('get', 't')?.error?.code)
  expect(met).toEqual([undefined, 'IO', 'IO', undefined])
  expect(rules.made).toEqual([2])
})

test('a rule is for its operations and its table', () => {
  const rules = rulesOf({ on: ['get', 'scan'], table: 'ns:t', delayMs: 5 })
  expect(rules.faultFor('write', 'ns:t')).toBeUndefined()
  expect(rules.faultFor('get', 't')).toBeUndefined()
  expect(rules.faultFor('scan', 'ns:t')?.delayMs).toBe(5)
})

test('the first rule with a fault for a call makes it, and the next one does not count the call', () => {
  const rules = rulesOf({ times: 1, error: 'IO' }, { times: 1, error: 'Timeout' })
  expect([1, 2, 3].map(() => rules.faultFor('get', 't')?.error?.code)).toEqual(['IO', 'TIMEOUT', undefined])
})

test.each([
  [{}, 'rule 1 must be a fault: delayMs, error, loseScanner or hangUp, not {}'],
  [[], 'rule 1 must be an object, not []'],
  [{ error: 'Oops' }, '"error" of rule 1 must be one of NotServingRegion, '],
  [{ error: 'IO', eror: 1 }, 'rule 1 has no "eror": it has on, table, '],
  [{ delayMs: 1.5 }, '"delayMs" of rule 1 must be a whole number of at least 1, not 1.5'],
  [{ delayMs: '5' }, '"delayMs" of rule 1 must be a whole number of at least 1, not "5"'],
  [{ on: ['put'], error: 'IO' }, '"on" of rule 1 must be one of get, scan, next, write, not "put"'],
  [{ on: 'get', error: 'IO' }, '"on" of rule 1 must be an array, not "get"'],
  [{ failEach: 2, error: 'IO' }, 'rule 1 must be for writes and have an "error"'],
  [{ on: ['write'], failEach: 2 }, 'rule 1 must be for writes and have an "error"'],
  [{ loseScanner: true }, 'rule 1 must be for "next"'],
  [{ hangUp: true }, '"hangUp" of rule 1 must be one of before, after, not true'],
  [{ times: 0, error: 'IO' }, '"times" of rule 1 must be a whole number of at least 1, not 0'],
])('the rule %j is refused', (json, message) => {
  expect(() => parseFaultRules([json])).toThrow(message)
})
