/** Servers that commands ask, as stores. */

import { userInfo } from 'node:os'
import type { HBaseLog } from '../../adapters/hbase/open-hbase-store.ts'
import type { ServerOptions } from '../../adapters/servers/server-options.ts'
import type { ServerCalls } from '../shell/server-calls.ts'
import type { Introduction } from '../store/introduction.ts'
import type { Store } from '../store/store.ts'
import { introduction } from './introduction.ts'
import type { CommandLogin } from './login-options.ts'
import type { ServerAddress } from './server-address.ts'

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
}

export async function openServer(
  address: ServerAddress,
  login: CommandLogin,
  { retriesMax, isImpatient, withTags = false }: ServerDemands,
  log: HBaseLog,
): Promise<ServerClient> {
  if (address.kind === 'rest') {
    const { openRestStore } = await import('../../adapters/servers/rest/open-rest-store.ts')
    return { store: openRestStore(await optionsOf(address, login, retriesMax)), direct: undefined }
  }
  if (address.kind === 'thrift') {
    const { openThriftStore } = await import('../../adapters/servers/thrift/open-thrift-store.ts')
    const options = { ...(await optionsOf(address, login, retriesMax)), transport: address.transport }
    return { store: openThriftStore(options), direct: undefined }
  }
  const { openHBaseClient } = await import('../../adapters/hbase/open-hbase-store.ts')
  const { DEFAULT_HBASE_OPTIONS } = await import('../../adapters/hbase/hbase-options.ts')
  const { COMMAND_TIME } = await import('../../adapters/hbase/retry/node-time.ts')
  return openHBaseClient({
    cluster: address.cluster,
    options: { ...DEFAULT_HBASE_OPTIONS, ...(retriesMax !== undefined && { retriesMax }) },
    user: login.user ?? userName(),
    login: { ...login.login, ...(isImpatient && { isImpatient }), ...(withTags && { withTags }) },
    introduction: introductionOf(address, login),
    time: COMMAND_TIME,
    random: Math.random,
    log,
  })
}

export function userName(): string {
  return process.env['HADOOP_USER_NAME'] ?? userInfo().username
}

function introductionOf(address: ServerAddress, { login }: CommandLogin): Introduction {
  return introduction(address, login.tls !== undefined)
}

async function optionsOf(
  address: Exclude<ServerAddress, { readonly kind: 'cluster' }>,
  commandLogin: CommandLogin,
  retriesMax: number | undefined,
): Promise<ServerOptions> {
  const { user, login } = commandLogin
  const { DEFAULT_SERVER_LIMITS } = await import('../../adapters/servers/server-options.ts')
  const { SERVER_TIME } = await import('../../adapters/servers/server-time.ts')
  const { password, tls } = login
  return {
    endpoint: address.endpoint,
    introduction: introductionOf(address, commandLogin),
    trust: tls,
    credentials: user === undefined || password === undefined ? undefined : { user, password },
    limits: { ...DEFAULT_SERVER_LIMITS, ...(retriesMax !== undefined && { retriesMax }) },
    time: SERVER_TIME,
  }
}
