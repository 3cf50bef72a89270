import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownAnswer } from '../gateway/identity/kerberos/own-answer.ts'
import { RULE_CASES } from '../gateway/identity/kerberos/rule-arbitrary.ts'
import { askKerberosName } from '../harness/kerberos/kerberos-name.ts'
import { resolveJars } from '../harness/real-hbase/jars.ts'

test('rules name the users that the KerberosName of a real HBase names', () => {
  // The Hadoop of HBase 2.6 has no other mechanism.
  const cases = fc.sample(RULE_CASES, 10_000).filter(({ mechanism }) => mechanism === 'hadoop')
  const answers = askKerberosName(join(resolveJars(), '*'), cases)
  expect(cases.map((asked) => ({ ...asked, answers: ownAnswer(asked) }))).toEqual(
    cases.map((asked, index) => ({ ...asked, answers: answers[index] })),
  )
})
