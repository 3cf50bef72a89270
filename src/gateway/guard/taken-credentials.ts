import type { GuardSettings } from './guard.ts'

/** The ways of showing who one is, for people who have shown nothing. */
export function takenCredentials({ users, tokens, certificates }: GuardSettings): string {
  return [
    ...(users === undefined ? [] : ['a user and a password']),
    ...(tokens === undefined ? [] : ['a token']),
    ...(certificates ? ['a certificate of the client with one common name (CN)'] : []),
  ].join(', or ')
}
