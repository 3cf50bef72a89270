/** The store that is replicated to: an engine on a disk of its own. It takes changes as the receiver of other clusters does, and dies at times. */

import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { receivedChanges } from '../../../src/doors/rpc/admin/replication/received-changes.ts'
import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import { CellBlock } from '../../../src/model/cell-block.ts'
import { tableDescriptor } from '../../../src/model/descriptor.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { ALL_VERSIONS, scan } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import { atOnce } from '../../../src/model/steps.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { PeerCluster } from '../../../src/store/peer-cluster.ts'
import type { Store } from '../../../src/store/store.ts'
import { CrashableFileSystem } from './crashable-file-system.ts'
import { SIM_DIRECTORY, SIM_TABLE, type SimWorld } from './sim-world.ts'

const LIMITS = { rows: 1000, bytes: 1 << 24, allowPartial: false }
const RECEIVING = { takesTags: true, hasLabels: false, takeMemory: () => undefined }

type SentCells = Pick<Parameters<PeerCluster['ship']>[0][number], 'cells' | 'cellCount'>

export class SimPeer {
  store!: Store
  readonly #world: SimWorld
  #fileSystem = new CrashableFileSystem()

  private constructor(world: SimWorld) {
    this.#world = world
  }

  /** With a table of the same families. */
  static async open(world: SimWorld): Promise<SimPeer> {
    const peer = new SimPeer(world)
    await peer.#start()
    await peer.store.catalog.createTable(tableDescriptor(SIM_TABLE, world.families), [], OWN_CALL)
    return peer
  }

  async #start(): Promise<void> {
    const { random } = this.#world
    this.store = await openNativeStore({
      directory: SIM_DIRECTORY,
      fileSystem: this.#fileSystem,
      clock: { now: () => this.#world.now },
      random: random.next,
    })
  }

  close(): Promise<void> {
    return this.store.close()
  }

  /** All cells and tombstones of the other store's table. */
  async copyFrom(other: Store): Promise<void> {
    const scanner = await openScanner(
      other,
      SIM_TABLE,
      scan({ raw: true, maxVersions: ALL_VERSIONS }),
      OWN_CALL,
    )
    for (let isOver = false; !isOver; ) {
      const batch = await scanner.next(LIMITS, OWN_CALL)
      const { cells, counts } = gathered(batch.results)
      await this.#take([{ cells, cellCount: counts.reduce((sum, count) => sum + count, 0) }])
      isOver = batch.ended === 'scan'
    }
    await scanner.close()
  }

  /** The cluster as a sender knows it: requests fail before they are taken, or behind it, or are cut by the peer's death. */
  cluster(): PeerCluster {
    const { random } = this.#world
    return {
      clusterId: () => this.store.clusterId(),
      ship: async (changes) => {
        const fate = random.of(['taken', 'taken', 'taken', 'taken', 'refused', 'part', 'unanswered', 'dies'])
        if (fate === 'refused') throw away()
        if (fate === 'dies') await this.#dieDuring(changes)
        else await this.#take(fate === 'part' ? changes.slice(0, random.below(changes.length)) : changes)
        if (fate !== 'taken') throw away()
      },
      close: async () => undefined,
    }
  }

  async #dieDuring(changes: readonly SentCells[]): Promise<void> {
    const taking = this.#take(changes).catch(() => undefined)
    for (let turns = this.#world.random.below(4); turns > 0; turns--)
      await new Promise((resolve) => setImmediate(resolve))
    this.#fileSystem = this.#fileSystem.killed()
    await taking
    await this.#start()
  }

  async #take(changes: readonly SentCells[]): Promise<void> {
    const clusters = Buffer.alloc(4)
    const entries = changes.map(({ cellCount }) => ({ table: SIM_TABLE, clusters, cells: cellCount }))
    const block = new CellBlock(
      Buffer.concat(changes.map(({ cells }) => cells.buffer.subarray(cells.start, cells.end))),
    )
    for (const changed of atOnce(receivedChanges(entries, block, RECEIVING)).tables) {
      const [failure] = await this.store.rows.mutate(SIM_TABLE, changed.batch(), OWN_CALL)
      if (failure !== undefined) throw failure.error
    }
  }
}

function away(): HBaseError {
  return new HBaseError('UNAVAILABLE', 'the peer is away')
}
