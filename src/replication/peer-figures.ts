/** How far one peer is, for health pages, metrics and `status 'replication'`. */

import { create, toBinary } from '@bufbuild/protobuf'
import { ReplicationLoadSourceSchema } from '../wire/rpc/gen/cluster-status_pb.ts'

/** A request for which the peer needs no longer says nothing about it. */
const HELD_UP_MS = 2000

export interface Failure {
  /** Of the last attempt. */
  readonly reason: string
  /** Attempts of one cause count as one trouble, though their reasons may differ. */
  readonly cause: string
  /** Milliseconds since 1970, since when attempts fail for this cause. */
  readonly since: number
  /** Milliseconds since 1970, since when attempts fail at all. */
  readonly failingSince: number
}

export class PeerFigures {
  readonly peerId: string
  /** Milliseconds since 1970. */
  readonly #now: () => number
  /** Undefined: the last attempt has not failed. */
  failure: Failure | undefined
  /** The reason why nothing is sent any more: the log was let go of. */
  loss: string | undefined
  /** Whether an attempt has succeeded since the start. */
  hasSucceeded = false
  /** Tables of which the peer lacks cells that came without the log. */
  unlogged: readonly string[] = []
  failures = 0
  shippedChanges = 0
  shippedCells = 0
  shippedBytes = 0
  /** Changes that the peer gets of those that were read, each counted once. */
  readChanges = 0
  /** Changes up to this sequence id are counted in `readChanges`. */
  #readUpTo = 0
  droppedChanges = 0
  /** Milliseconds since 1970 when the newest change was written that the peer has; 0: it has none since the start. */
  lastShippedWritten = 0
  /** Milliseconds between the writing of that change and the answer of the peer. */
  lastShippedAge = 0
  /** Bytes of the log that the peer lacks. Of a peer that has stopped: as they were last known. */
  leftBytes = 0
  /** Milliseconds since 1970 when the changes were read that the peer gets now; undefined: it gets none at this moment. */
  sendingSince: number | undefined
  /** Milliseconds since 1970 when the oldest change was written that the peer lacks; undefined: it lacks none. */
  waitingSince: number | undefined

  constructor(peerId: string, now: () => number) {
    this.peerId = peerId
    this.#now = now
  }

  /** Returns whether the cause is another one than that of the attempt before. */
  fail(reason: string, cause: string): boolean {
    const { failure } = this
    const now = this.#now()
    const isNew = failure?.cause !== cause
    this.failures++
    this.failure = {
      reason,
      cause,
      since: isNew ? now : failure.since,
      failingSince: failure?.failingSince ?? now,
    }
    return isNew
  }

  succeed(): void {
    this.failure = undefined
    this.hasSucceeded = true
  }

  /** Since when the peer is known to be in trouble. After a restart that is when the oldest change was written that it lacks. */
  get failingSince(): number | undefined {
    const { failure, hasSucceeded, waitingSince } = this
    if (failure === undefined) return undefined
    return hasSucceeded ? failure.failingSince : Math.min(failure.failingSince, waitingSince ?? Infinity)
  }

  /** Takes the state of the log from the store, for a peer that gets nothing now. */
  wait(leftBytes: number, waitingSince: number | undefined): void {
    this.leftBytes = leftBytes
    this.waitingSince = waitingSince
  }

  /** Nothing can be sent any more. Returns whether that is new. */
  lose(loss: string, waitingSince: number | undefined): boolean {
    this.waitingSince ??= waitingSince ?? this.#now()
    if (this.loss !== undefined) return false
    this.loss = loss
    return true
  }

  read(chosen: readonly { readonly sequenceId: number }[]): void {
    const isNew = chosen.filter(({ sequenceId }) => sequenceId > this.#readUpTo)
    this.readChanges += isNew.length
    this.#readUpTo = Math.max(this.#readUpTo, chosen.at(-1)?.sequenceId ?? 0)
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
    // HBase shows the time of the last change that it has read: where all is sent, that is the last one sent.
    const next = waitingSince ?? this.lastShippedWritten
    const load = create(ReplicationLoadSourceSchema, {
      peerID: this.peerId,
      ageOfLastShippedOp: BigInt(this.lastShippedAge),
      sizeOfLogQueue: 1,
      timeStampOfLastShippedOp: BigInt(this.lastShippedWritten),
      replicationLag: BigInt(Math.floor(lagMs)),
      timeStampOfNextToReplicate: BigInt(Math.floor(next)),
      queueId: this.peerId,
      recovered: false,
      running: isRunning && this.loss === undefined,
      editsSinceRestart: next > 0,
      editsRead: BigInt(this.readChanges),
      oPsShipped: BigInt(this.shippedChanges),
    })
    return Buffer.from(toBinary(ReplicationLoadSourceSchema, load))
  }
}
