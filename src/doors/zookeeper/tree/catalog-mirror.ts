/**
 * Keeps the znodes of tables and namespaces equal to the catalog: by the catalog's events, or, where the store has none, by reading the catalog
 * again before a client reads such a znode.
 */

import { fromBinary } from '@bufbuild/protobuf'
import type { Logger } from 'pino'
import type { AdvertisedStore } from '../../../gateway/catalog/advertised.ts'
import { MetaCopies } from '../../../gateway/catalog/meta-copies.ts'
import { openScanner } from '../../../gateway/reads/scanner.ts'
import { cellsOf } from '../../../model/cell-block.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import { META_TABLE } from '../../../model/meta-table.ts'
import { ColumnsBuilder, scan } from '../../../model/query.ts'
import { gathered } from '../../../model/results.ts'
import type { TableName } from '../../../model/table-name.ts'
import { type Call, OWN_CALL } from '../../../store/call.ts'
import { ReplicationPeerDescriptionSchema } from '../../../wire/rpc/gen/replication_pb.ts'
import type { HBaseZnodes } from './hbase-znodes.ts'

export interface CatalogMirrorOptions {
  readonly store: AdvertisedStore
  readonly znodes: HBaseZnodes
  readonly logger: Logger
  /** Returns milliseconds since 1970. */
  readonly now: () => number
}

/** Longest time in milliseconds that a client waits for the catalog of a cluster. Then it gets the former znodes. */
const LOOK_MS_MAX = 2000
/** Time in milliseconds for which the catalog of a store without events is not read again. */
const FRESH_MS = 1000

const STATE_COLUMN = new ColumnsBuilder().addColumn(Buffer.from('table'), Buffer.from('state')).build()
const BATCH = { rows: 1000, bytes: 1024 * 1024, allowPartial: false }
/** The protobuf of the state ENABLED: field 1 is 0. hbase:meta has no row of its own state. */
const ENABLED = Buffer.from([0x08, 0])

export class CatalogMirror {
  readonly #options: CatalogMirrorOptions
  readonly #metaCopies: MetaCopies
  readonly #stop = new AbortController()
  #looking: Promise<void> | undefined
  /** Time at which the last successful read of the catalog began. */
  #lookedAt = Number.NEGATIVE_INFINITY
  #hasClusterId = false
  #hasFailed = false
  #following: Promise<void> | undefined

  constructor(options: CatalogMirrorOptions) {
    this.#options = options
    this.#metaCopies = new MetaCopies(options.store, options.now)
  }

  /** Resolves after the first read of the catalog, also where that fails: a cluster may come later. */
  async start(): Promise<void> {
    await this.#look()
    if (this.#options.store.catalog.watch !== undefined) this.#following = this.#follow()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#following
    await this.#looking
  }

  /** Returns a promise that must be awaited before the znode is read; undefined where it may be read at once. */
  freshen(path: string): Promise<void> | undefined {
    const { znodes } = this.#options
    // Clients list the parent's children to find the copies of hbase:meta.
    if (`${path}/` === znodes.path('') || path.startsWith(znodes.path('meta-region-server'))) {
      return Promise.all([this.#metaCopies.numbers(), this.#lookAtPeers()]).then(([numbers]) =>
        znodes.putMetaCopies(numbers),
      )
    }
    const replication = znodes.path('replication')
    if (path === replication || path.startsWith(`${replication}/`)) return this.#lookAtPeers()
    const isOfCatalog = [znodes.path('table'), znodes.path('namespace')].some(
      (root) => path === root || path.startsWith(`${root}/`),
    )
    const isUnknownId = !this.#hasClusterId && path === znodes.path('hbaseid')
    if ((!isOfCatalog && !isUnknownId) || this.#stop.signal.aborted) return undefined
    if (this.#looking !== undefined) return this.#looking
    const { store, now } = this.#options
    const hasEvents = store.catalog.watch !== undefined && !this.#hasFailed
    const isFresh = hasEvents || now() - this.#lookedAt < FRESH_MS
    return isFresh && !isUnknownId ? undefined : this.#look()
  }

  async #follow(): Promise<void> {
    const { store, logger } = this.#options
    const call: Call = { ...OWN_CALL, signal: this.#stop.signal }
    try {
      for (let position = 0; ; ) {
        ;({ position } = await store.catalog.watch!(position, call))
        // A running read of the catalog may have begun before the event.
        await this.#looking
        await this.#look()
      }
    } catch (error) {
      if (isHBaseError(error) && (error.code === 'CALLER_GONE' || error.code === 'UNAVAILABLE')) return
      this.#hasFailed = true
      logger.error(
        { door: 'ZooKeeper', err: error },
        'ZooKeeper: the events of the catalog ended; it is read on request',
      )
    }
  }

  /** Peers have no events: they are looked up when a client reads their nodes. Never rejects: the nodes stay as they were then. */
  async #lookAtPeers(): Promise<void> {
    const { peers } = this.#options.store.upkeep
    if (peers === undefined || this.#stop.signal.aborted) return
    const deadline = this.#options.now() + LOOK_MS_MAX
    try {
      const found = await peers.listPeers({ ...OWN_CALL, deadline, signal: this.#stop.signal })
      this.#options.znodes.putPeers(found.map((peer) => fromBinary(ReplicationPeerDescriptionSchema, peer)))
    } catch (error) {
      if (!isHBaseError(error)) throw error
    }
  }

  /** Reads the catalog, one read at a time. Never rejects. */
  #look(): Promise<void> {
    this.#looking ??= this.#readCatalog().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #readCatalog(): Promise<void> {
    const { store, znodes, logger, now } = this.#options
    const startedAt = now()
    const call: Call = { ...OWN_CALL, deadline: startedAt + LOOK_MS_MAX, signal: this.#stop.signal }
    try {
      if (!this.#hasClusterId) {
        znodes.putClusterId(await inTime(store.clusterId()))
        this.#hasClusterId = true
      }
      const namespaces = await store.catalog.listNamespaces(call)
      const states = await tableStates(store, call)
      znodes.putNamespaces(namespaces)
      znodes.putTables(states)
      // Copies of a cluster's hbase:meta have no events: they are looked up when a client reads their nodes.
      if (!store.catalog.hasSystemTables) znodes.putMetaCopies(await this.#metaCopies.numbers())
      this.#lookedAt = startedAt
      this.#hasFailed = false
    } catch (error) {
      if (!this.#hasFailed && !this.#stop.signal.aborted) {
        logger.warn(
          { door: 'ZooKeeper', err: error },
          'ZooKeeper: the catalog cannot be read; znodes stay as they were',
        )
      }
      this.#hasFailed = true
    }
  }
}

/** The state of each table, as the protobuf in hbase:meta. */
async function tableStates(store: AdvertisedStore, call: Call): Promise<Map<TableName, Buffer>> {
  const states = new Map<TableName, Buffer>([[META_TABLE, ENABLED]])
  const scanner = await openScanner(store, META_TABLE, scan({ columns: STATE_COLUMN }), call)
  try {
    for (let isAtEnd = false; !isAtEnd; ) {
      const { results, ended } = await scanner.next(BATCH, call)
      for (const { row, value } of cellsOf(gathered(results).cells)) {
        states.set(row.toString() as TableName, Buffer.from(value))
      }
      if (results.loan !== undefined) store.handouts.release(results.loan)
      isAtEnd = ended === 'scan'
    }
  } finally {
    await scanner.close()
  }
  return states
}

/** Adds a deadline: Store.clusterId has none. */
async function inTime(answer: Promise<string>): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new HBaseError('TIMEOUT', 'the cluster does not answer with its id')),
      LOOK_MS_MAX,
    )
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
