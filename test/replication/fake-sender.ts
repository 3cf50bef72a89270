/** A sender over changes in memory and a peer that answers as a test says. */

import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import { type CellBlock, cellsOf } from '../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { parseTableName, type TableName } from '../../src/model/table-name.ts'
import { Replication } from '../../src/replication/replication.ts'
import type { SenderParts, SenderSettings } from '../../src/replication/sender-parts.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Change } from '../../src/store/changes.ts'
import type { PeerCluster, SentChange } from '../../src/store/peer-cluster.ts'
import type { Store } from '../../src/store/store.ts'
import {
  ReplicationPeerDescriptionSchema,
  type ReplicationPeerSchema,
} from '../../src/wire/rpc/gen/replication_pb.ts'
import { FakeChanges } from './fake-changes.ts'

export const T: TableName = parseTableName('t')
export const U: TableName = parseTableName('u')

export const SETTINGS: SenderSettings = {
  requestBytesMax: 1000,
  requestChangesMax: 100,
  keepBytesMax: 1_000_000,
  bandwidth: 0,
  dropsDeletedTables: false,
  dropsDeletedFamilies: false,
}

/** Throws what the test wants thrown. */
export type Ship = (changes: readonly SentChange[]) => void | Promise<void>

export class FakeSender {
  readonly changes: FakeChanges = new FakeChanges()
  readonly store: Store
  readonly replication: Replication
  /** Requests that the peer has taken: values of their cells. */
  readonly taken: string[][] = []
  readonly sent: SentChange[] = []
  readonly lines: string[] = []
  readonly pauses: number[] = []
  time = 1_000_000
  ship: Ship = () => undefined
  /** Called before a peer is opened; may throw. */
  open: () => void = () => undefined
  peerId = 'peer-cluster'
  #peers: Buffer[] = []

  constructor(settings: Partial<SenderSettings> = {}) {
    this.store = openMemoryStore({ clock: Date })
    const parts: SenderParts = {
      store: this.store,
      changes: this.changes,
      settings: { ...SETTINGS, ...settings },
      openPeer: async () => {
        this.open()
        return this.#cluster()
      },
      now: () => this.time,
      pause: async (ms, signal) => {
        this.pauses.push(ms)
        if (!signal.aborted) await new Promise<void>((resolve) => setImmediate(resolve))
        this.time += ms
      },
      log: (_, message) => void this.lines.push(message),
    }
    this.replication = new Replication(parts, { listPeers: async () => this.#peers })
  }

  async tables(...names: readonly TableName[]): Promise<void> {
    for (const name of names) {
      const families = [
        familyDescriptor('f', [['REPLICATION_SCOPE', '1']]),
        familyDescriptor('g', [['REPLICATION_SCOPE', '1']]),
        familyDescriptor('local'),
      ]
      await this.store.catalog.createTable(tableDescriptor(name, families), [], OWN_CALL)
    }
  }

  /** Peers as they are from now on; the replication must be refreshed. */
  async peers(
    ...peers: readonly (MessageInitShape<typeof ReplicationPeerSchema> & {
      readonly id: string
      readonly isDisabled?: boolean
    })[]
  ): Promise<void> {
    this.#peers = peers.map(({ id, isDisabled = false, ...config }) => {
      const state = { state: isDisabled ? (1 as const) : (0 as const) }
      const shape = { id, state, config: { clusterkey: 'h:1:/x', replicateAll: true, ...config } }
      const message = create(
        ReplicationPeerDescriptionSchema,
        shape as MessageInitShape<typeof ReplicationPeerDescriptionSchema>,
      )
      return Buffer.from(toBinary(ReplicationPeerDescriptionSchema, message))
    })
    for (const { id } of peers) {
      const name = `replication-peer.${id}`
      if (!this.changes.holds.has(name)) await this.changes.holdLog(name, undefined, 1)
    }
    await this.replication.refresh()
  }

  /** Resolves at the first turn of the event loop at which `isDone` answers true. */
  async until(isDone: () => boolean): Promise<void> {
    while (!isDone()) await new Promise<void>((resolve) => setImmediate(resolve))
  }

  get values(): string[] {
    return this.taken.flat()
  }

  #cluster(): PeerCluster {
    return {
      clusterId: async () => this.peerId,
      ship: async (changes) => {
        await this.ship(changes)
        this.sent.push(...changes)
        this.taken.push(changes.flatMap(({ cells }) => valuesOf(cells)))
      },
      close: async () => undefined,
    }
  }
}

export function valuesOf(cells: CellBlock): string[] {
  return [...cellsOf(cells)].map(({ value }) => value.toString())
}

/** A change of one row: a put of each value into the family before it, as `f:v1`. */
export function change(
  table: TableName,
  texts: readonly string[],
  clusterIds: readonly string[] = [],
): Omit<Change, 'sequenceId'> {
  const batch = new MutationBatch()
  for (const text of texts) {
    const [family, value] = text.split(':')
    batch.put(Buffer.from('r'), Buffer.from(family!), Buffer.from('q'), Buffer.from(value!), 5n)
  }
  batch.endMutation()
  return { table, region: 'abc', clusterIds, cells: batch.cells.block() }
}
