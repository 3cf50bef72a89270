/** The login of a connection to ZooKeeper by Kerberos: SASL GSSAPI in requests of their own, without protection of the requests behind it. */

import { lookup, lookupService } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { KerberosLogin } from '../../../src/kerberos/kerberos.ts'
import { KerberosError } from '../../../src/kerberos/kerberos.ts'
import { EMPTY } from '../../../src/model/bytes.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { type SaslExchange, SaslFailure } from '../../../src/wire/sasl/sasl.ts'
import { ERROR_CODE, errorName, OP_CODE } from '../../../src/wire/zookeeper/codes.ts'
import { part, readLast } from '../../../src/wire/zookeeper/frames.ts'
import { SASL_TOKEN } from '../../../src/wire/zookeeper/server-records.ts'
import type { ZooKeeperLoginOptions } from '../config/zookeeper-login.ts'
import type { ZooKeeperConnection } from './zookeeper-connection.ts'

/** The login of a cluster, and how its ZooKeeper wants it. */
export interface ZooKeeperLogin {
  readonly kerberos: Pick<KerberosLogin, 'principal' | 'saslClient'>
  readonly options: ZooKeeperLoginOptions
}

/** GSSAPI needs three. */
const STEPS_MAX = 10

/**
 * Logs in. False where the server takes no logins, so that the connection goes on without. Throws UNAVAILABLE where Kerberos or the server does not
 * answer, REFUSED where either refuses.
 */
export async function logInToZooKeeper(
  connection: ZooKeeperConnection,
  { kerberos, options }: ZooKeeperLogin,
): Promise<boolean> {
  const { host, port } = connection
  const target = await serverPrincipal(host, kerberos.principal, options)
  const where = `ZooKeeper at ${host}:${port}: login as ${kerberos.principal} to ${target}`
  const exchange = kerberos.saslClient(target, ['authentication'])
  try {
    return await exchanged(connection, exchange)
  } catch (error) {
    if (!(error instanceof SaslFailure)) throw error
    const code = error.cause instanceof KerberosError ? 'UNAVAILABLE' : 'REFUSED'
    throw new HBaseError(code, `${where}: ${error.message}`, { cause: error })
  } finally {
    exchange.close()
  }
}

async function exchanged(connection: ZooKeeperConnection, exchange: SaslExchange): Promise<boolean> {
  let answer = EMPTY
  for (let steps = 1; steps <= STEPS_MAX; steps++) {
    const { token, isDone } = await exchange.step(answer)
    if (isDone && token === undefined) return true
    const { err, reader } = await connection.request(
      OP_CODE.sasl,
      part(SASL_TOKEN, { token: token ?? EMPTY }),
    )
    if (err !== ERROR_CODE.ok)
      throw new SaslFailure(`the server answers ${errorName(err)}; its log has the reason`)
    const next = readLast(reader, SASL_TOKEN).token ?? EMPTY
    if (isDone) return true
    // A server without SASL answers the first message with nothing. Later ones have an empty message where the mechanism wants one.
    if (steps === 1 && next.length === 0) return false
    answer = next
  }
  throw new SaslFailure(`no end after ${STEPS_MAX} steps`)
}

/** ZooKeeper: SaslServerPrincipal. */
async function serverPrincipal(host: string, own: string, options: ZooKeeperLoginOptions): Promise<string> {
  if (options.principal !== undefined) return options.principal
  const realm = options.realm ?? own.slice(own.lastIndexOf('@') + 1)
  const name = options.asksForNames ? await canonicalName(host) : host
  return `${options.service}/${name.toLowerCase()}@${realm}`
}

/** The name of the host's address; the host where its address has none. */
async function canonicalName(host: string): Promise<string> {
  try {
    const { address } = await lookup(host)
    const { hostname } = await lookupService(address, 0)
    return isIP(hostname) === 0 ? hostname : host
  } catch {
    return host
  }
}
