/** The senders of the simulated store's replication, in one life of the store. */

import { create, toBinary } from '@bufbuild/protobuf'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import { Replication } from '../../../src/replication/replication.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Changes } from '../../../src/store/changes.ts'
import { peerHold } from '../../../src/store/peer-hold.ts'
import { ReplicationPeerDescriptionSchema } from '../../../src/wire/rpc/gen/replication_pb.ts'
import type { SimPeer } from './sim-peer.ts'
import type { SimWorld } from './sim-world.ts'

const SETTINGS = {
  bandwidth: 0,
  dropsDeletedTables: false,
  dropsDeletedFamilies: false,
}
/** Milliseconds that pass between two looks at the clock, at most: the hold moves once a second. */
const STEP_MS_MAX = 500

interface Target {
  readonly peer: SimPeer
  readonly keepBytes: number
}

export class SimSender {
  readonly #replication: Replication
  readonly #changes: Changes
  readonly #hold: string
  #time: number
  /** Where the last read began: all changes before that the peer has. */
  #sentUpTo = 0
  #die!: (error: HBaseError) => void
  readonly #death: Promise<never>

  static async start(world: SimWorld, peerId: string, target: Target): Promise<SimSender> {
    const sender = new SimSender(world, peerId, target)
    await sender.#replication.start()
    return sender
  }

  private constructor(world: SimWorld, peerId: string, { peer, keepBytes }: Target) {
    const { random, store } = world
    this.#changes = store.upkeep.changes!
    this.#hold = peerHold(peerId)
    this.#time = world.now
    this.#death = new Promise((_, reject) => {
      this.#die = reject
    })
    this.#death.catch(() => undefined)
    this.#replication = new Replication(
      {
        store,
        changes: this.#watched(this.#changes),
        settings: {
          ...SETTINGS,
          requestBytesMax: random.of([1, 100, 1 << 20]),
          requestChangesMax: random.of([1, 3, 1000]),
          keepBytesMax: keepBytes,
        },
        openPeer: async () => peer.cluster(),
        now: () => (this.#time += random.below(STEP_MS_MAX)),
        pause: () => new Promise((resolve) => setImmediate(resolve)),
        log: () => undefined,
      },
      { listPeers: async () => [peerBytes(peerId)] },
    )
  }

  /** The process of the store ends: calls in flight have no answers. */
  die(): void {
    this.#die(new HBaseError('UNAVAILABLE', 'the process was killed'))
  }

  /** Resolves once the peer has all changes up to now, or to the reason why it will never have them. */
  async caughtUp(): Promise<string | undefined> {
    const last = await this.#changes.lastChange(OWN_CALL)
    for (;;) {
      const hold = (await this.#changes.logHolds(OWN_CALL)).find(({ name }) => name === this.#hold)
      if (hold?.loss !== undefined) return hold.loss
      if (this.#sentUpTo >= last) return undefined
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  stop(): Promise<void> {
    return this.#replication.stop()
  }

  /** Reads do not wait by the clock, and no call outlives the store. */
  #watched(changes: Changes): Changes {
    const alive = async <T>(work: Promise<T>): Promise<T> => {
      try {
        return await Promise.race([work, this.#death])
      } catch (error) {
        throw isHBaseError(error) ? error : new HBaseError('IO', String(error))
      }
    }
    return {
      lastChange: (call) => alive(changes.lastChange(call)),
      firstPosition: (call) => alive(changes.firstPosition(call)),
      readChanges: async (position, wanted, call) => {
        this.#sentUpTo = position
        await new Promise((resolve) => setImmediate(resolve))
        return alive(changes.readChanges(position, { ...wanted, waitMs: 0 }, call))
      },
      tableMarks: (call) => alive(changes.tableMarks(call)),
      logHolds: (call) => alive(changes.logHolds(call)),
      holdLog: (...args) => alive(changes.holdLog(...args)),
      releaseLog: (...args) => alive(changes.releaseLog(...args)),
    }
  }
}

function peerBytes(id: string): Buffer {
  const config = { clusterkey: 'h:1:/hbase', replicateAll: true }
  const message = create(ReplicationPeerDescriptionSchema, { id, state: { state: 0 }, config })
  return Buffer.from(toBinary(ReplicationPeerDescriptionSchema, message))
}
