/** Reads and writes the rows of hbase:replication. A store without peers has no such table. */

import { fromBinary, type MessageShape, toBinary } from '@bufbuild/protobuf'
import { cellsOf } from '../../../model/cell-block.ts'
import { isHBaseError } from '../../../model/errors.ts'
import { MutationBatch } from '../../../model/mutation.ts'
import { scan } from '../../../model/query.ts'
import { gathered } from '../../../model/results.ts'
import type { Call } from '../../../store/call.ts'
import type { Store } from '../../../store/store.ts'
import {
  ReplicationPeerSchema,
  ReplicationState_State,
  ReplicationStateSchema,
} from '../../../wire/rpc/gen/replication_pb.ts'
import { PROTOBUF_MAGIC, stripMagic } from '../../../wire/rpc/protobuf-magic.ts'
import { ChangeTimes } from '../own-tables/change-times.ts'
import { makeOwnTable } from '../own-tables/made-table.ts'
import { CLUSTER, CONFIG, PEER_FAMILY, PEERS_DESCRIPTOR, PEERS_TABLE, STATE } from './peer-rows.ts'

export type PeerConfig = MessageShape<typeof ReplicationPeerSchema>

export interface StoredPeer {
  readonly id: string
  readonly config: PeerConfig
  readonly isEnabled: boolean
}

type Columns = Partial<Omit<StoredPeer, 'id'>> & { readonly clusterId?: string }
type KeepingStore = Pick<Store, 'rows' | 'handouts' | 'catalog' | 'clusterId'>

const BATCH = { rows: 1000, bytes: 1024 * 1024, allowPartial: false }

export class PeerTable {
  readonly #store: KeepingStore
  readonly #times = new ChangeTimes()

  constructor(store: KeepingStore) {
    this.#store = store
  }

  /** All peers, in order of their ids. A peer that a store of another cluster id has enabled is disabled here. */
  async peers(call: Call): Promise<StoredPeer[]> {
    try {
      return await this.#read(call)
    } catch (error) {
      if (isHBaseError(error) && error.code === 'TABLE_NOT_FOUND') return []
      throw error
    }
  }

  /** Makes the table where it is missing. */
  async put({ id, config, isEnabled }: StoredPeer, call: Call): Promise<void> {
    await makeOwnTable(this.#store.catalog, PEERS_DESCRIPTOR)
    const row = Buffer.from(id)
    const time = await this.#times.next()
    const state = isEnabled ? ReplicationState_State.ENABLED : ReplicationState_State.DISABLED
    const batch = new MutationBatch()
      .put(row, PEER_FAMILY, CONFIG, withMagic(toBinary(ReplicationPeerSchema, config)), time)
      .put(row, PEER_FAMILY, STATE, withMagic(stateBytes(state)), time)
      .put(row, PEER_FAMILY, CLUSTER, Buffer.from(await this.#store.clusterId()), time)
    await this.#apply(batch, call)
  }

  async remove(id: string, call: Call): Promise<void> {
    const time = await this.#times.next()
    await this.#apply(new MutationBatch().deleteRow(Buffer.from(id), time), call)
  }

  async #read(call: Call): Promise<StoredPeer[]> {
    const { rows, handouts } = this.#store
    const { id } = await rows.openScanner(PEERS_TABLE, scan({}), call)
    const found = new Map<string, Columns>()
    try {
      for (let ended = 'batch'; ended !== 'scan'; ) {
        const batch = await handouts.next(id, BATCH, call)
        ended = batch.ended
        for (const { row, qualifier, value } of cellsOf(gathered(batch.results).cells)) {
          const key = row.toString()
          found.set(key, { ...found.get(key), ...readColumn(qualifier, Buffer.from(value)) })
        }
        if (batch.results.loan !== undefined) handouts.release(batch.results.loan)
      }
    } finally {
      await handouts.closeScanner(id)
    }
    const ownId = await this.#store.clusterId()
    return [...found].flatMap(([peer, { config, isEnabled = false, clusterId }]) =>
      config === undefined ? [] : [{ id: peer, config, isEnabled: isEnabled && clusterId === ownId }],
    )
  }

  async #apply(batch: MutationBatch, call: Call): Promise<void> {
    batch.endMutation()
    const [failure] = await this.#store.rows.mutate(PEERS_TABLE, batch, call)
    this.#times.made()
    if (failure !== undefined) throw failure.error
  }
}

/** Nothing for a damaged value: administrators may write any bytes into the table. */
function readColumn(qualifier: Buffer, value: Buffer): Columns {
  if (qualifier.equals(CLUSTER)) return { clusterId: value.toString() }
  try {
    const bytes = stripMagic(value)
    if (qualifier.equals(CONFIG)) return { config: fromBinary(ReplicationPeerSchema, bytes) }
    if (!qualifier.equals(STATE)) return {}
    const { state } = fromBinary(ReplicationStateSchema, bytes)
    return { isEnabled: state === ReplicationState_State.ENABLED }
  } catch {
    return {}
  }
}

/** A ReplicationState as protobuf: field 1, which is required. */
export function stateBytes(state: ReplicationState_State): Buffer {
  return Buffer.of(0x08, state)
}

function withMagic(bytes: Uint8Array): Buffer {
  return Buffer.concat([PROTOBUF_MAGIC, bytes])
}
