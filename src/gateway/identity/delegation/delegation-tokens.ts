/**
 * HBase's delegation tokens: a client that has logged in by Kerberos gets one, and processes that have no ticket, such as the tasks of a MapReduce job,
 * log in by it. HBase: AuthenticationTokenSecretManager.
 */

import type { Protection, SaslServer } from '../../../wire/sasl/sasl.ts'

export interface DelegationToken {
  /** States the user, the key and the times of the token. It is no secret. */
  readonly identifier: Buffer
  /** The secret of the token: a client proves by SASL DIGEST-MD5 that it knows it. */
  readonly password: Buffer
  /** The id of the cluster that takes the token. */
  readonly service: string
}

export interface DelegationTokens {
  /** Names the cluster of the tokens. A door calls it before it takes connections. */
  belongTo(clusterId: () => Promise<string>): void
  /** The server's side of a login by SASL DIGEST-MD5. A step rejects with InvalidToken, or another SaslFailure. `protections`: those that the server takes. */
  digestServer(protections: readonly Protection[]): SaslServer
  /** The user of a token. `authenticated`: the name that a finished login has proved. Throws InvalidToken. */
  userOf(authenticated: string): string
  /** A new token for the user. Callers check that the user has logged in by Kerberos. Rejects with IO where there is no key now. */
  issue(user: string): Promise<DelegationToken>
  close(): void
}
