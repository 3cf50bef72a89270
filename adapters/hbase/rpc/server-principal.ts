/** The principal of a server, which the client must know before it logs in there. */

import { decodePrincipalAnswer, SECURITY_PREAMBLE } from '../../../src/wire/rpc/security-preamble.ts'
import type { ConnectionKerberos } from './rpc-connection.ts'
import { RpcError } from './rpc-error.ts'
import type { StartTalk } from './start-talk.ts'

/** The server is older than the question: HBase before 2.6. It closes the connection. */
class CannotBeAsked extends Error {
  override readonly name = 'CannotBeAsked'
}

const FATAL_EXCEPTION = 'org.apache.hadoop.hbase.ipc.FatalConnectionException'
const WITHOUT_LOGINS = 'org.apache.hadoop.hbase.ipc.SecurityNotEnabledException'

/** True where a connection ended because the server cannot be asked for its principal. */
export function isPrincipalUnknown({ cause }: RpcError): boolean {
  return cause instanceof CannotBeAsked
}

/**
 * The principal, for which the server is asked where several are possible. Rejects with RpcError where it names another, and where it cannot be asked:
 * see isPrincipalUnknown. HBase: NettyRpcConnection.saslNegotiate.
 */
export async function serverPrincipal({ principals }: ConnectionKerberos, talk: StartTalk): Promise<string> {
  const [first] = principals
  if (principals.length === 1) return first!
  talk.expect('answer of the server to the question for its principal')
  talk.send(SECURITY_PREAMBLE)
  const answer = await talk.reader.next(decodePrincipalAnswer)
  if ('principal' in answer) return expected(answer.principal, principals)
  const { javaClass, message } = answer.exception
  if (javaClass === FATAL_EXCEPTION && message.startsWith('Expected HEADER='))
    throw new RpcError('LOGIN_FAILED', 'the server cannot be asked for its principal', {
      cause: new CannotBeAsked(message),
    })
  // It asks for no principal: the answer to the login says so again, and whether that is allowed is decided there.
  if (javaClass === WITHOUT_LOGINS) return first!
  throw new RpcError('LOGIN_FAILED', `asked for its principal, the server answers ${javaClass}: ${message}`)
}

function expected(principal: string, principals: readonly string[]): string {
  if (principals.includes(principal)) return principal
  throw new RpcError(
    'LOGIN_REFUSED',
    `the server's principal is ${principal}, and not ${principals.join(' or ')}: hbase.master.kerberos.principal and hbase.regionserver.kerberos.principal, or --server-principal of a command, must name it`,
  )
}
