/** Servers that commands ask, as stores. */

import { userInfo } from 'node:os'
import type { HBaseLog } from '../../../adapters/hbase/open-hbase-store.ts'
import type { ServerOptions } from '../../../adapters/servers/requests/server-options.ts'
import type { ServerCalls } from '../../shell/context/server-calls.ts'
import type { Store } from '../../store/store.ts'
import { introduction } from './introduction.ts'
import { clusterKerberosOf, ticketFor } from './kerberos-flags.ts'
import type { CommandLogin } from './login-options.ts'
import type { ServerAddress } from './server-address.ts'

type OtherAddress = Exclude<ServerAddress, { readonly kind: 'cluster' }>

export interface ServerClient {
  readonly store: Store
  /** Undefined where the protocol has no such calls. */
  readonly direct: ServerCalls | undefined
}

export interface ServerDemands {
  /** Undefined: as a server that goes on by itself. */
  readonly retriesMax: number | undefined
  /** A refused login is an answer. */
  readonly isImpatient: boolean
  /** Cells with their tags, where the protocol has them. */
  readonly withTags?: boolean
  /** An answer may take so many milliseconds. Undefined: as for a server's own calls. */
  readonly answerMs?: number
  readonly warn: (text: string) => void
  /** Called with the reason before a call is repeated. */
  readonly onRetry?: (reason: string) => void
}

export async function openServer(
  address: ServerAddress,
  login: CommandLogin,
  { retriesMax, isImpatient, withTags = false, answerMs, warn, onRetry }: ServerDemands,
  log: HBaseLog,
): Promise<ServerClient> {
  const introduced = introduction(address, login, warn)
  if (address.kind !== 'cluster') {
    const options = { ...(await optionsOf(address, login, retriesMax)), introduction: introduced, onRetry }
    return { store: await openOtherServer(address, options), direct: undefined }
  }
  const { openHBaseClient } = await import('../../../adapters/hbase/open-hbase-store.ts')
  const { DEFAULT_HBASE_OPTIONS } = await import('../../../adapters/hbase/config/hbase-options.ts')
  const { COMMAND_TIME } = await import('../../../adapters/hbase/retry/time.ts')
  return openHBaseClient({
    cluster: address.cluster,
    options: {
      ...DEFAULT_HBASE_OPTIONS,
      ...(retriesMax !== undefined && { retriesMax }),
      ...(answerMs !== undefined && { rpcTimeoutMs: answerMs, operationTimeoutMs: answerMs }),
    },
    user: login.user ?? userName(),
    kerberos: login.kerberos && clusterKerberosOf(login.kerberos, login.login.tls !== undefined),
    login: { ...login.login, ...(isImpatient && { isImpatient }), ...(withTags && { withTags }) },
    introduction: introduced,
    time: COMMAND_TIME,
    random: Math.random,
    log,
    onRetry,
  })
}

export function userName(): string {
  return process.env['HADOOP_USER_NAME'] ?? userInfo().username
}

async function openOtherServer(address: OtherAddress, options: ServerOptions): Promise<Store> {
  if (address.kind === 'rest') {
    const { openRestStore } = await import('../../../adapters/servers/rest/open-rest-store.ts')
    return openRestStore(options)
  }
  const { openThriftStore } = await import('../../../adapters/servers/thrift/open-thrift-store.ts')
  return openThriftStore({ ...options, transport: address.transport })
}

async function optionsOf(
  address: OtherAddress,
  { user, login, kerberos }: CommandLogin,
  retriesMax: number | undefined,
): Promise<ServerOptions> {
  const { DEFAULT_SERVER_LIMITS } = await import('../../../adapters/servers/requests/server-options.ts')
  const { SERVER_TIME } = await import('../../../adapters/servers/requests/server-time.ts')
  const { password, tls } = login
  const { endpoint } = address
  const isHttp = address.kind === 'rest' || address.transport === 'http'
  const ticket = kerberos && (await ticketFor(kerberos, endpoint, { isHttp, isEncrypted: tls !== undefined }))
  return {
    endpoint,
    trust: tls,
    credentials: user === undefined || password === undefined ? undefined : { user, password },
    ticket,
    limits: { ...DEFAULT_SERVER_LIMITS, ...(retriesMax !== undefined && { retriesMax }) },
    time: SERVER_TIME,
  }
}
