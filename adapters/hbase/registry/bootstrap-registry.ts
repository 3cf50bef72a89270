/**
 * The registry service that every master and region server has since HBase 2.5. A few configured servers are enough: from time to time
 * they name others, so the cluster may replace all of its servers. HBase: RpcConnectionRegistry.
 */

import { HBaseError } from '../../../src/model/errors.ts'
import type { ServerName } from '../../../src/model/server-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { ClientMetaService } from '../../../src/wire/rpc/gen/registry_pb.ts'
import { type RpcMethod, rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import type { ServerAddress } from '../config/cluster-address.ts'
import type { ServerConnections } from '../connections/server-connections.ts'
import { presentServer } from '../messages/server-name.ts'
import { failureOf } from '../retry/failure.ts'
import { FinalFailure } from '../retry/final-failure.ts'
import { storeError } from '../retry/store-error.ts'
import type { Time } from '../retry/time.ts'
import type { ConnectionRegistry, MetaLocation } from './connection-registry.ts'

export interface BootstrapRegistryConfig {
  /** At least one. */
  readonly servers: readonly ServerAddress[]
  readonly connections: ServerConnections
  readonly time: Time
  readonly random: () => number
  /** Milliseconds for one server's answer. */
  readonly timeoutMs: number
  /** Milliseconds between questions for other servers. HBase: hbase.client.bootstrap.refresh_interval_secs. */
  readonly refreshMs?: number
}

const REFRESH_MS = 300_000

const GET_CLUSTER_ID = rpcMethod(ClientMetaService.method.getClusterId)
const GET_ACTIVE_MASTER = rpcMethod(ClientMetaService.method.getActiveMaster)
const GET_META_LOCATIONS = rpcMethod(ClientMetaService.method.getMetaRegionLocations)
const GET_BOOTSTRAP_NODES = rpcMethod(ClientMetaService.method.getBootstrapNodes)

export class BootstrapRegistry implements ConnectionRegistry {
  readonly #config: BootstrapRegistryConfig
  /** Servers that the cluster has named; they are asked before the configured ones. */
  #named: readonly ServerAddress[] = []
  #refreshAt: number

  constructor(config: BootstrapRegistryConfig) {
    this.#config = config
    this.#refreshAt = config.time.now()
  }

  async clusterId(): Promise<string> {
    return (await this.#ask(GET_CLUSTER_ID)).clusterId
  }

  async activeMaster(): Promise<ServerName> {
    return presentServer((await this.#ask(GET_ACTIVE_MASTER)).serverName, 'the master')
  }

  async metaLocation(): Promise<MetaLocation> {
    const { metaLocations } = await this.#ask(GET_META_LOCATIONS)
    const known = metaLocations.map(({ regionInfo, serverName }) => ({
      replica: regionInfo?.replicaId ?? 0,
      serverName,
    }))
    const primary = known.find(({ replica }) => replica === 0)
    const copies = known
      .filter(({ replica, serverName }) => replica > 0 && serverName !== undefined)
      .map(({ replica, serverName }) => ({
        replica,
        server: presentServer(serverName, 'a copy of hbase:meta'),
      }))
      .sort((a, b) => a.replica - b.replica)
    return { server: presentServer(primary?.serverName, 'hbase:meta'), copies }
  }

  async close(): Promise<void> {
    // The connections are the store's.
  }

  /** Asks one server after the other, beginning with a random one, until one answers. */
  async #ask<Response>(method: RpcMethod<Record<string, never>, Response>): Promise<Response> {
    const servers = this.#servers()
    let last: unknown
    for (const server of servers) {
      try {
        const response = await this.#call(server, method)
        this.#refresh(server)
        return response
      } catch (error) {
        if (failureOf(error).kind === 'final') throw finalFailure(error)
        last = error
      }
    }
    const { message } = storeError(last)
    throw new HBaseError('UNAVAILABLE', `None of ${servers.length} servers answers: ${message}`, {
      cause: last,
    })
  }

  async #call<Response>(
    server: ServerAddress,
    method: RpcMethod<Record<string, never>, Response>,
  ): Promise<Response> {
    const { connections, time, timeoutMs } = this.#config
    const connection = await connections.get(server, 'ClientMetaService', time.now() + timeoutMs, OWN_CALL)
    return (await connection.call(method, {}, { timeoutMs })).message
  }

  #servers(): ServerAddress[] {
    const turned = (servers: readonly ServerAddress[]): ServerAddress[] => {
      const first = Math.floor(this.#config.random() * servers.length)
      return [...servers.slice(first), ...servers.slice(0, first)]
    }
    const named = turned(this.#named)
    const isNamed = ({ host, port }: ServerAddress): boolean =>
      named.some((other) => other.host === host && other.port === port)
    return [...named, ...turned(this.#config.servers.filter((server) => !isNamed(server)))]
  }

  /** Asks for other servers in the background. A server that cannot name any (HBase 2.4) changes nothing. */
  #refresh(server: ServerAddress): void {
    const { time, refreshMs } = this.#config
    if (time.now() < this.#refreshAt) return
    this.#refreshAt = time.now() + (refreshMs ?? REFRESH_MS)
    this.#call(server, GET_BOOTSTRAP_NODES).then(
      ({ serverName }) => {
        this.#named = serverName.map(({ hostName, port }) => ({ host: hostName, port }))
      },
      () => undefined,
    )
  }
}

/** The failure in a form that this store does not retry, though its code is retryable for clients: an untrusted certificate stays untrusted. */
function finalFailure(error: unknown): HBaseError | FinalFailure {
  const failure = storeError(error)
  return failureOf(failure).kind === 'final' ? failure : new FinalFailure(failure)
}
