import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { AuthToLocal } from '../../../../src/gateway/identity/kerberos/auth-to-local.ts'
import { packageRoot } from '../../../../src/package-root.ts'
import type { RuleAnswer, RuleCase } from '../../../harness/kerberos/kerberos-name.ts'
import { ownAnswer } from './own-answer.ts'

/** Generated rules and principals, and the answers of KerberosName of hadoop-auth 3.3.6 on OpenJDK 17. */
const RECORDED = readFileSync(
  new URL('test/gateway/identity/kerberos/kerberos-name-answers.jsonl', packageRoot()),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as RuleCase & { readonly answers: RuleAnswer })

describe('as KerberosName', () => {
  test.each(RECORDED)('$mechanism $rules', ({ answers, ...asked }) => {
    expect(ownAnswer(asked)).toEqual(answers)
  })

  test('of which some find a user, some refuse, and some are no rules', () => {
    const all = RECORDED.map(({ answers }) => answers)
    expect(all.filter((answers) => answers === null).length).toBeGreaterThan(10)
    const each = all.flatMap((answers) => answers ?? [])
    expect(each.filter((user) => user === null).length).toBeGreaterThan(100)
    expect(each.filter((user) => user !== null).length).toBeGreaterThan(100)
  })
})

const userOf = (principal: string, rules = 'DEFAULT', realm: string | undefined = 'R'): string =>
  new AuthToLocal(rules, 'hadoop', realm).userOf(principal)
const refused = (message: string): unknown =>
  expect.objectContaining({
    name: 'HBaseError',
    code: 'ACCESS_DENIED',
    message: expect.stringContaining(message),
  })

test('a user of another realm gets in by a rule only', () => {
  expect(userOf('alice@R')).toBe('alice')
  expect(() => userOf('alice@S')).toThrow(refused('the default realm is R'))
  expect(() => userOf('alice@r')).toThrow(refused('no rule of --kerberos-rules'))
  expect(() => userOf('alice@R', 'RULE:[2:$1]')).toThrow(refused('add the rule DEFAULT'))
  expect(userOf('alice@S', 'RULE:[1:$1@$0](.*@S)s/@.*// DEFAULT')).toBe('alice')
  expect(() => userOf('alice@ST', 'RULE:[1:$1@$0](.*@S)s/@.*// DEFAULT')).toThrow(refused('no rule'))
  expect(() => new AuthToLocal('DEFAULT', 'hadoop', undefined).userOf('alice@R')).toThrow(
    refused('set default_realm in krb5.conf'),
  )
})

test.each([
  'alice',
  '',
  '@R',
  'alice@',
  'a/b/c@R',
  'alice@R@R',
  'a\\/b@R',
  'a\\@R@R',
  'alice@R\\',
  `${'a'.repeat(1024)}@R`,
])('%s is no principal of a user, whatever the rules', (principal) => {
  expect(() => userOf(principal, 'RULE:[1:x] RULE:[2:x] DEFAULT')).toThrow(
    refused('must be name@REALM or name/host@REALM'),
  )
})

test('a rule that takes too long refuses, and the next principal is served', () => {
  const slow = new AuthToLocal('RULE:[1:$1](.*)s/(?=a)(a*)*b/x/ DEFAULT', 'hadoop', 'R')
  expect(() => slow.userOf(`${'a'.repeat(100)}@R`)).toThrow(refused('took more than'))
  expect(slow.userOf('b@R')).toBe('b')
})

test.each([
  ['RULE:[1:$1](', '"(" is no rule'],
  ['DEFAULT nonsense', '"nonsense" is no rule'],
  ['RULE:[1:$1]([)', 'the rule RULE:[1:$1]([)'],
  ['RULE:[1:$1]s/(//', 'the rule RULE:[1:$1]s/(//'],
])('%s', (rules, message) => {
  expect(() => userOf('a@R', rules)).toThrow(
    expect.objectContaining({ code: 'ILLEGAL_ARGUMENT', message: expect.stringContaining(message) }),
  )
})
