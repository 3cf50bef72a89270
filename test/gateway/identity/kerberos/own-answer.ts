import { AuthToLocal } from '../../../../src/gateway/identity/kerberos/auth-to-local.ts'
import { isHBaseError } from '../../../../src/model/errors.ts'
import { DEFAULT_REALM, type RuleAnswer, type RuleCase } from '../../../harness/kerberos/kerberos-name.ts'

/** The answer of Tidegate, in the form of KerberosName's. */
export function ownAnswer({ rules, mechanism, principals }: RuleCase): RuleAnswer {
  let parsed: AuthToLocal
  try {
    parsed = new AuthToLocal(rules, mechanism, DEFAULT_REALM)
  } catch (error) {
    if (isHBaseError(error) && error.code === 'ILLEGAL_ARGUMENT') return null
    throw error
  }
  return principals.map((principal) => {
    try {
      return parsed.userOf(principal)
    } catch (error) {
      if (isHBaseError(error) && error.code === 'ACCESS_DENIED') return null
      throw error
    }
  })
}
