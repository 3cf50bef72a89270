/**
 * A cluster as one object: calls the region of a row or the active master, reads the states of tables, and hides connections,
 * locations and retries. Batches and scanners retry themselves and use the parts directly.
 */

import { META_TABLE } from '../../../src/model/meta-table.ts'
import type { ServerName } from '../../../src/model/server-name.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { type Call, OWN_CALL } from '../../../src/store/call.ts'
import type { Introduction } from '../../../src/store/introduction.ts'
import { OUTAGE_WAIT_MS } from '../../../src/store/outage-wait.ts'
import type { RowOperationName } from '../../../src/store/refusals.ts'
import type { SpanRecorder } from '../../../src/store/span-recorder.ts'
import { type RegionRef, type Target, targetTable } from '../../../src/store/target.ts'
import type { ClusterAddress } from '../config/cluster-address.ts'
import type { ClusterKerberos } from '../config/cluster-kerberos.ts'
import { compressorOf } from '../config/compressor-option.ts'
import type { HBaseOptions } from '../config/hbase-options.ts'
import { DEFAULT_ZOOKEEPER_LOGIN, type ZooKeeperLoginOptions } from '../config/zookeeper-login.ts'
import { CallCounts } from '../connections/call-counts.ts'
import type { UserPassing } from '../connections/passed-user.ts'
import { type Connect, ServerConnections, type ServiceName } from '../connections/server-connections.ts'
import type { ConnectionRegistry } from '../registry/connection-registry.ts'
import { openRegistry } from '../registry/open-registry.ts'
import { failureOf } from '../retry/failure.ts'
import { type OutageListener, OutageLog } from '../retry/outage-log.ts'
import { type Attempt, Retrier } from '../retry/retrier.ts'
import type { Time } from '../retry/time.ts'
import { within } from '../retry/within.ts'
import type { TlsTrust } from '../rpc/open-socket.ts'
import type { RpcConnection, RpcConnectionOptions } from '../rpc/rpc-connection.ts'
import type { LocatedRegion } from './meta-row.ts'
import { MetaTable, type TableStateName } from './meta-table.ts'
import { RegionLocator } from './region-locator.ts'
import { RegionTargets } from './region-targets.ts'

export interface ClusterConfig {
  readonly cluster: ClusterAddress
  readonly options: HBaseOptions
  /** User name sent to the servers: SIMPLE authentication. */
  readonly user: string
  /** Undefined: the servers trust the user's name, and the connections are not encrypted. */
  readonly login?: ClusterLogin | undefined
  /** Undefined: the servers do not ask for Kerberos. */
  readonly kerberos?: ClusterKerberos | undefined
  /** Encrypts the connections to HBase's servers, not those to ZooKeeper, which `login.tls` encrypts too. Undefined: as `login` says. */
  readonly rpcTls?: TlsTrust | undefined
  /** How `kerberos` logs in to ZooKeeper. */
  readonly zookeeperLogin?: ZooKeeperLoginOptions | undefined
  /** Undefined: the servers speak the protocol that their address names. */
  readonly introduction?: Introduction | undefined
  /** Undefined: the servers get no user name but Tidegate's own. */
  readonly passing?: UserPassing | undefined
  readonly time: Time
  /** From 0 to less than 1. */
  readonly random: () => number
  /** Called once when an outage begins and once when it ends. Not called beside `onRetry`, by which a command shows outages. */
  readonly log?: OutageListener
  /** Called with the reason before an operation is repeated. */
  readonly onRetry?: ((reason: string) => void) | undefined
  /** Undefined: calls are not traced. */
  readonly spans?: SpanRecorder | undefined
  /** Replaced in tests. */
  readonly connect?: Connect
}

/** How an operator's command logs in. */
export type ClusterLogin = Pick<
  RpcConnectionOptions,
  'password' | 'tls' | 'isPassed' | 'isImpatient' | 'withTags'
>

/** A request of one row. */
export interface RowRequest {
  /** The operation's name in messages: `get of t1`. */
  readonly operation: string
  readonly rowOperation: RowOperationName
  readonly target: Target
  readonly row: Buffer
  readonly call: Call
}

/** One call of one region, on its server's connection. The attempt can serve as the options of the call. */
export type RegionCall<T> = (connection: RpcConnection, region: LocatedRegion, attempt: Attempt) => Promise<T>

/** A cluster that does not answer the first look within this time is an outage. */
const FIRST_LOOK_MS = 3_000

export class Cluster {
  readonly options: HBaseOptions
  readonly connections: ServerConnections
  readonly registry: ConnectionRegistry
  readonly locator: RegionLocator
  readonly targets: RegionTargets
  readonly retrier: Retrier
  readonly outages: OutageLog
  readonly calls: CallCounts = new CallCounts()
  /** True where the cluster gets the user names of calls. */
  readonly knowsUsers: boolean
  readonly #meta: MetaTable
  readonly #time: Time
  #master: Promise<ServerName> | undefined
  #isLooking = false
  #firstLook: Promise<void> | undefined

  /** Connects on first use. Throws ILLEGAL_ARGUMENT for an unknown compressor. */
  constructor(config: ClusterConfig) {
    const { cluster, options, user, login, introduction, passing, time, random, log, spans, connect } = config
    const tls = { zookeeper: login?.tls, rpc: config.rpcTls ?? login?.tls }
    this.options = options
    this.knowsUsers = passing !== undefined
    this.#time = time
    this.connections = new ServerConnections({
      time,
      calls: this.calls,
      spans,
      passing,
      kerberos: config.kerberos,
      ...(connect && { connect }),
      options: {
        user,
        ...login,
        tls: tls.rpc,
        compressor: compressorOf(options),
        limits: { connectTimeoutMs: options.connectTimeoutMs, callTimeoutMs: options.rpcTimeoutMs },
      },
    })
    const { connections } = this
    const { kerberos, zookeeperLogin = DEFAULT_ZOOKEEPER_LOGIN } = config
    this.registry = openRegistry({
      cluster,
      options,
      connections,
      tls,
      zookeeperLogin: kerberos && { kerberos: kerberos.login, options: zookeeperLogin },
      time,
      random,
      introduction,
    })
    this.#meta = new MetaTable(this.registry, this.connections, time, this.calls)
    this.locator = new RegionLocator(this.#meta, time, this.calls)
    this.targets = new RegionTargets(this.locator, time)
    const isShown = config.onRetry !== undefined
    this.outages = new OutageLog(time, log === undefined || isShown ? (): void => undefined : log)
    this.retrier = new Retrier(time, random, options, this.outages, config.onRetry)
  }

  /** Calls the region of the row, located anew as needed, until it answers. Throws HBaseErrors. */
  onRegion<T>(
    { operation, rowOperation, target, row, call }: RowRequest,
    regionCall: RegionCall<T>,
    service: ServiceName = 'ClientService',
  ): Promise<T> {
    return this.retrier.retrying(operation, call, async (attempt) => {
      const region =
        this.targets.cached(target, row) ?? (await this.targets.locate(target, row, rowOperation, attempt))
      return this.callRegion(region, attempt, regionCall, service)
    })
  }

  /** As onRegion, for requests of a whole region. Throws NOT_SERVING_REGION for an unknown region. */
  onNamedRegion<T>(
    { operation, region: ref, call }: Pick<RowRequest, 'operation' | 'call'> & { readonly region: RegionRef },
    regionCall: RegionCall<T>,
  ): Promise<T> {
    return this.retrier.retrying(operation, call, async (attempt) =>
      this.callRegion(await this.targets.named(ref, attempt), attempt, regionCall),
    )
  }

  /**
   * One attempt at a located region. A failure goes to RegionLocator.failed and to the caller. It is TABLE_NOT_ENABLED where no
   * server serves the region because its table is disabled.
   */
  async callRegion<T>(
    region: LocatedRegion,
    attempt: Attempt,
    call: RegionCall<T>,
    service: ServiceName = 'ClientService',
  ): Promise<T> {
    try {
      const connection =
        this.connections.opened(region.server, service, attempt.call) ??
        (await this.connections.get(region.server, service, attempt.deadline, attempt.call))
      return await call(connection, region, this.#withTimeLeft(attempt))
    } catch (error) {
      if (!this.retrier.isAwaited(attempt.call)) throw error
      this.locator.failed(region, error)
      if (failureOf(error).kind === 'not-serving') await this.locator.checkEnabled(region.table, attempt)
      throw error
    }
  }

  /** Calls the active master, found anew as needed, until it answers. Throws HBaseErrors. */
  onMaster<T>(
    operation: string,
    call: Call,
    masterCall: (connection: RpcConnection, attempt: Attempt) => Promise<T>,
    service: ServiceName = 'MasterService',
    deadline: number = this.retrier.deadline(call),
  ): Promise<T> {
    const calling = async (attempt: Attempt): Promise<T> => {
      try {
        const master = await within(this.#time, attempt.deadline, 'finding the master', this.#activeMaster())
        const connection = await this.connections.get(master, service, attempt.deadline, call)
        return await masterCall(connection, this.#withTimeLeft(attempt))
      } catch (error) {
        if (!this.retrier.isAwaited(call)) throw error
        const { kind } = failureOf(error)
        this.calls.failures[kind]++
        if (kind !== 'final') this.#master = undefined
        throw error
      }
    }
    return this.retrier.retrying(operation, call, calling, deadline)
  }

  /** The state in hbase:meta; undefined where there is no such table. Throws HBaseErrors. */
  tableState(table: TableName, call: Call): Promise<TableStateName | undefined> {
    return this.retrier.retrying(`state of ${table}`, call, async (attempt) =>
      table === META_TABLE ? 'ENABLED' : this.#meta.tableState(table, attempt),
    )
  }

  /** Checks the table of requests without rows. Throws TABLE_NOT_FOUND, TABLE_NOT_ENABLED, and NOT_SERVING_REGION for an unknown region. */
  async checkEnabled(target: Target, call: Call): Promise<void> {
    const table = targetTable(target)
    this.retrier.checkIsAwaited(call)
    await this.locator.checkEnabled(table, this.retrier.attempt(1, this.retrier.deadline(call), call))
    if (typeof target === 'string') return
    await this.retrier.retrying(`look at ${table}`, call, (attempt) => this.targets.named(target, attempt))
  }

  /** The present regions, in order of their start keys. Throws TABLE_NOT_FOUND and other HBaseErrors. */
  regions(table: TableName, call: Call): Promise<LocatedRegion[]> {
    return this.retrier.retrying(`regions of ${table}`, call, (attempt) =>
      this.locator.regions(table, attempt),
    )
  }

  /** The cluster's id, a UUID. Throws UNAVAILABLE, TIMEOUT. */
  clusterId(): Promise<string> {
    return this.retrier.retrying('id of the cluster', OWN_CALL, (attempt) =>
      within(this.#time, attempt.deadline, 'the id of the cluster', this.registry.clusterId()),
    )
  }

  /**
   * Reads hbase:meta once, so that an absent cluster is an outage before a client asks, after FIRST_LOOK_MS at most. Resolves to
   * true once that is known, and to false where it is not known within OUTAGE_WAIT_MS.
   */
  async lookFirst(): Promise<boolean> {
    if (this.outages.reason !== undefined) return true
    this.#firstLook ??= this.#lookFirst()
    const known = this.#firstLook.then(() => true)
    return within(this.#time, this.#time.now() + OUTAGE_WAIT_MS, 'the first look', known).catch(() => false)
  }

  async #lookFirst(): Promise<void> {
    const deadline = Math.min(this.#time.now() + FIRST_LOOK_MS, this.retrier.deadline(OWN_CALL))
    const look = (attempt: Attempt): Promise<unknown> =>
      within(
        this.#time,
        attempt.deadline,
        'a first look at hbase:meta',
        this.#meta.tableState(META_TABLE, attempt),
      )
    try {
      await this.retrier.retrying('first look at hbase:meta', OWN_CALL, look, deadline)
    } catch {
      // A failure that counts is an outage by now.
    }
  }

  /**
   * Probes hbase:meta during an outage, one probe at a time: without requests nothing else shows that the outage is over. An
   * answer counts as a success. A failure does not count.
   */
  lookAgain(): void {
    if (this.#isLooking || this.outages.reason === undefined) return
    this.#isLooking = true
    const attempt = this.retrier.attempt(1, this.retrier.deadline(OWN_CALL), OWN_CALL)
    this.#meta
      .tableState(META_TABLE, attempt)
      .then(
        () => this.retrier.succeeded(),
        () => undefined,
      )
      .finally(() => {
        this.#isLooking = false
      })
  }

  /** Fails the operations in flight. */
  async close(): Promise<void> {
    this.retrier.close()
    this.connections.close()
    await this.registry.close()
  }

  /** The attempt with the time left: locating and connecting may have taken most of it. */
  #withTimeLeft({ number, deadline, call }: Attempt): Attempt {
    return this.retrier.attempt(number, deadline, call)
  }

  #activeMaster(): Promise<ServerName> {
    this.#master ??= this.#findMaster()
    return this.#master
  }

  async #findMaster(): Promise<ServerName> {
    try {
      return await this.registry.activeMaster()
    } catch (error) {
      this.#master = undefined
      throw error
    }
  }
}
