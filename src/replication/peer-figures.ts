/** How far one peer is, for health pages, metrics and `status 'replication'`. */

import { create, toBinary } from '@bufbuild/protobuf'
import { ReplicationLoadSourceSchema } from '../wire/rpc/gen/cluster-status_pb.ts'

/** A request for which the peer needs no longer says nothing about it. */
const HELD_UP_MS = 2000

export class PeerFigures {
  readonly peerId: string
  /** Milliseconds since 1970. */
  readonly #now: () => number
  /** The reason why the last attempt failed, and since when attempts fail; undefined: the last one has not. */
  failure: { readonly reason: string; readonly since: number } | undefined
  /** The reason why nothing is sent any more: the log was let go of. */
  loss: string | undefined
  /** Tables of which the peer lacks cells that came without the log. */
  unlogged: readonly string[] = []
  failures = 0
  shippedChanges = 0
  shippedCells = 0
  shippedBytes = 0
  readChanges = 0
  droppedChanges = 0
  /** Milliseconds since 1970 when the newest change was written that the peer has; 0: it has none since the start. */
  lastShippedWritten = 0
  /** Milliseconds between the writing of that change and the answer of the peer. */
  lastShippedAge = 0
  /** Bytes of the log that the peer lacks. */
  leftBytes = 0
  /** Milliseconds since 1970 when the changes were read that the peer gets now; undefined: it gets none at this moment. */
  sendingSince: number | undefined
  /** Milliseconds since 1970 when the oldest change was written that the peer lacks; undefined: it lacks none. */
  waitingSince: number | undefined

  constructor(peerId: string, now: () => number) {
    this.peerId = peerId
    this.#now = now
  }

  fail(reason: string): void {
    this.failures++
    this.failure = { reason, since: this.failure?.since ?? this.#now() }
  }

  succeed(): void {
    this.failure = undefined
  }

  shipped(changes: number, cells: number, bytes: number, written: number): void {
    this.shippedChanges += changes
    this.shippedCells += cells
    this.shippedBytes += bytes
    this.lastShippedWritten = written
    this.lastShippedAge = Math.max(0, this.#now() - written)
  }

  /** Whether `leftBytes` is of an earlier time, because the peer refuses or does not answer. */
  get isHeldUp(): boolean {
    const { sendingSince } = this
    return (
      this.failure !== undefined || (sendingSince !== undefined && this.#now() - sendingSince > HELD_UP_MS)
    )
  }

  /** Seconds that the peer is behind; 0: it has everything. */
  get lagSeconds(): number {
    return this.waitingSince === undefined ? 0 : Math.max(0, this.#now() - this.waitingSince) / 1000
  }

  /** As HBase's source reports itself. HBase: ReplicationLoad.buildReplicationLoad. */
  sourceLoad(isRunning: boolean): Buffer {
    const { waitingSince } = this
    const lagMs = waitingSince === undefined ? 0 : Math.max(0, this.#now() - waitingSince)
    const load = create(ReplicationLoadSourceSchema, {
      peerID: this.peerId,
      ageOfLastShippedOp: BigInt(this.lastShippedAge),
      sizeOfLogQueue: 1,
      timeStampOfLastShippedOp: BigInt(this.lastShippedWritten),
      replicationLag: BigInt(lagMs),
      timeStampOfNextToReplicate: BigInt(waitingSince ?? 0),
      queueId: this.peerId,
      recovered: false,
      running: isRunning,
      editsSinceRestart: this.shippedChanges > 0,
      editsRead: BigInt(this.readChanges),
      oPsShipped: BigInt(this.shippedChanges),
    })
    return Buffer.from(toBinary(ReplicationLoadSourceSchema, load))
  }
}
