/** A server's refusal of a whole connection, and advice for it. */

import type { ResponseFrame } from '../../../src/wire/rpc/response-frame.ts'
import type { RpcConnectionOptions } from './rpc-connection.ts'
import type { RpcErrorCode } from './rpc-error.ts'
import { mayTakePasswords } from './sasl-refusal.ts'

const FATAL_EXCEPTION = 'org.apache.hadoop.hbase.ipc.FatalConnectionException'
const ACCESS_DENIED = 'org.apache.hadoop.hbase.security.AccessDeniedException'
/** The server takes no connection without a login. HBase: ServerRpcConnection.processPreamble. */
const WANTS_LOGIN = /Authentication is required\b/
/** The login that it asks for is Kerberos. HBase's refusal ends after its first words; Tidegate's goes on with the logins that it takes. */
const WANTS_KERBEROS = /Authentication is required(?:$|:.*Kerberos)/
/** As Hadoop words it: DefaultImpersonationProvider. */
const MAY_NOT_IMPERSONATE = /is not allowed to impersonate|Unauthorized connection for super-user/

export interface ConnectionRefusal {
  readonly code: RpcErrorCode
  readonly why: string
  readonly cause: unknown
}

type Refused = Pick<RpcConnectionOptions, 'isPassed' | 'password' | 'kerberos' | 'realUser'>

/** The refusal in a response; undefined where it concerns no more than a call. */
export function connectionRefusal(
  { exception, concernsConnection }: ResponseFrame,
  options: Refused,
): ConnectionRefusal | undefined {
  if (exception === undefined) return undefined
  const { javaClass, message } = exception
  if (!concernsConnection && javaClass !== FATAL_EXCEPTION) return undefined
  const isDenied = javaClass === ACCESS_DENIED
  return {
    code: isDenied ? codeOf(message, options) : 'CONNECTION_CLOSED',
    why: `refused: ${javaClass}: ${message}${isDenied ? advice(message, options) : ''}`,
    cause: exception,
  }
}

function codeOf(message: string, { isPassed, password, kerberos }: Refused): RpcErrorCode {
  if (isPassed === true) return 'USER_REFUSED'
  const hasNoLogin = password === undefined && kerberos === undefined
  return hasNoLogin && WANTS_LOGIN.test(message) ? 'LOGIN_REFUSED' : 'CONNECTION_CLOSED'
}

function advice(message: string, { isPassed, password, kerberos, realUser }: Refused): string {
  const actor = kerberos?.login.principal ?? realUser
  if (actor !== undefined && MAY_NOT_IMPERSONATE.test(message)) return impersonationAdvice(actor)
  if (password !== undefined || kerberos !== undefined) return ''
  const logins = isPassed === true && mayTakePasswords(message) ? ['tidegate: --user NAME'] : []
  if (WANTS_KERBEROS.test(message))
    logins.push(
      'the cluster asks for Kerberos: serve with --kerberos-principal and --kerberos-keytab, or with --cluster-authentication kerberos and a ticket of kinit; a command with --kerberos',
    )
  return logins.length === 0 ? '' : ` (${logins.join('; ')})`
}

function impersonationAdvice(actor: string): string {
  const [name] = actor.split(/[/@]/)
  return `: in the core-site.xml of the cluster's servers hadoop.proxyuser.${name}.hosts must name this host, and hadoop.proxyuser.${name}.users or .groups the user`
}
