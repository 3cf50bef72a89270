/**
 * Sends the changes of the store to one peer, one request after the other, so that each region's changes arrive in the order in which they were made.
 *
 * A change is sent until the peer has taken it; then the hold on the log moves. After a crash, and after an answer that was lost, changes are sent again:
 * their cells have times, so that this alters nothing. HBase: ReplicationSource, ReplicationSourceShipper, HBaseInterClusterReplicationEndpoint.
 */

import { HBaseError } from '../model/errors.ts'
import { type Call, OWN_CALL } from '../store/call.ts'
import type { Change } from '../store/changes.ts'
import type { PeerCluster, SentChange } from '../store/peer-cluster.ts'
import type { Peer } from '../store/peer-description.ts'
import { peerHold } from '../store/peer-hold.ts'
import { ByteRate } from './byte-rate.ts'
import { chosenChange } from './chosen-changes.ts'
import { failureAtPeer } from './failure-at-peer.ts'
import { KnownScopes } from './known-scopes.ts'
import { LabelledChanges } from './labelled-changes.ts'
import type { PeerFigures } from './peer-figures.ts'
import type { SenderParts } from './sender-parts.ts'
import { noteUnlogged } from './unlogged-tables.ts'
import { withoutDeleted } from './without-deleted.ts'

/** Bytes that are read at a time: more would be held in memory for each peer. */
const READ_BYTES_MAX = 16 * 1024 * 1024
/** All senders hold about so many bytes of cells together: the more there are, the less each of them reads. */
const ALL_BYTES_MAX = 64 * 1024 * 1024
/** After a failure so much is read, so that a peer that is away holds little, and a request that was too large becomes smaller. */
const RETRIED_BYTES = 256 * 1024
/** A read waits so long for a change. */
const WAIT_MS = 5000
/** The hold moves at most so often: each time it is written to the disk. */
const HOLD_MS = 1000
/** Tables that got cells without the log are looked for so often at most. */
const LOOK_MS = 5000
const [PAUSE_MS, PAUSE_MS_MAX] = [1000, 30_000]

export class PeerSender {
  readonly peer: Peer
  readonly figures: PeerFigures
  readonly #parts: SenderParts
  readonly #senders: () => number
  readonly #stop = new AbortController()
  readonly #call: Call
  readonly #scopes: KnownScopes
  readonly #labels: LabelledChanges
  readonly #rate: ByteRate
  #ended: Promise<void> | undefined
  #peerClusterId: string | undefined
  #position = 0
  #heldPosition = 0
  #heldAt = 0
  #failures = 0
  #lookedAt = 0

  /** `senders`: how many there are, this one among them. */
  constructor(peer: Peer, figures: PeerFigures, parts: SenderParts, senders: () => number) {
    this.peer = peer
    this.#senders = senders
    this.figures = figures
    this.#parts = parts
    this.#call = { ...OWN_CALL, signal: this.#stop.signal }
    this.#scopes = new KnownScopes(parts.store.catalog)
    this.#labels = new LabelledChanges(parts.store)
    const { now, pause, settings } = parts
    const bytesPerSecond = peer.bandwidth > 0 ? peer.bandwidth : settings.bandwidth
    this.#rate = new ByteRate({ bytesPerSecond, now, pause })
  }

  start(): void {
    this.#ended = this.#run()
  }

  /** Ends the requests in flight, and notes how far the peer is. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#ended
  }

  async #run(): Promise<void> {
    let cluster: PeerCluster | undefined
    try {
      cluster = await this.#parts.openPeer(this.peer.clusterKey)
      while (!this.#stop.signal.aborted && this.figures.loss === undefined) await this.#attempt(cluster)
      if (this.figures.loss === undefined) await this.#moveHold()
    } catch (error) {
      // The store has been closed, or its disk is full: the changes since the last move are sent again. Or the cluster key is none.
      if (!this.#stop.signal.aborted) this.#noteFailure(error)
    } finally {
      await cluster?.close()
    }
  }

  async #attempt(cluster: PeerCluster): Promise<void> {
    const { now, pause } = this.#parts
    try {
      if (this.#heldAt === 0) await this.#begin()
      await this.#step(cluster)
      if (this.#failures > 0) this.#log('info', `replication to peer ${this.peer.id} goes on`)
      this.#failures = 0
      this.figures.succeed()
      if (this.#position !== this.#heldPosition && now() - this.#heldAt >= HOLD_MS) await this.#moveHold()
    } catch (error) {
      if (this.#stop.signal.aborted) return
      // Also one that no peer should be able to cause: a sender that ended would send nothing until the next start, and its peer would seem well.
      this.#peerClusterId = undefined
      if (await this.#isLost()) return
      this.#noteFailure(error)
      await pause(Math.min(PAUSE_MS * 2 ** (this.#failures - 1), PAUSE_MS_MAX), this.#stop.signal)
    }
  }

  #noteFailure(error: unknown): void {
    const { reason, cause } = failureAtPeer(error)
    this.#failures++
    if (!this.figures.fail(reason, cause)) return
    this.#log(
      'warn',
      `replication to peer ${this.peer.id} (${this.peer.clusterKey}) waits, and tries again: ${reason}`,
    )
  }

  #log(level: 'info' | 'warn', message: string): void {
    this.#parts.log(level, message)
  }

  async #begin(): Promise<void> {
    if (await this.#isLost()) throw new HBaseError('IO', this.figures.loss!)
    const hold = (await this.#parts.changes.logHolds(OWN_CALL)).find(
      ({ name }) => name === peerHold(this.peer.id),
    )
    this.#position = hold!.position
    this.#heldPosition = hold!.position
    this.#heldAt = this.#parts.now()
  }

  /** Whether the log is not kept for the peer any more: then some changes can never be sent. */
  async #isLost(): Promise<boolean> {
    const holds = await this.#parts.changes.logHolds(OWN_CALL)
    const hold = holds.find(({ name }) => name === peerHold(this.peer.id))
    const loss = hold === undefined ? 'the store does not keep its log for the peer' : hold.loss
    if (loss === undefined) return false
    if (this.figures.lose(loss, hold?.waitingSince)) this.#log('warn', stoppedSentence(this.peer.id, loss))
    return true
  }

  /** Reads the next changes and sends those that the peer gets. */
  async #step(cluster: PeerCluster): Promise<void> {
    const { changes, settings, now } = this.#parts
    const { figures } = this
    this.#peerClusterId ??= await this.#identified(cluster)
    const share = Math.min(READ_BYTES_MAX, Math.floor(ALL_BYTES_MAX / this.#senders()))
    const bytes = this.#failures > 0 ? RETRIED_BYTES : Math.min(settings.requestBytesMax, share)
    const read = await changes.readChanges(this.#position, { bytes, waitMs: WAIT_MS }, this.#call)
    if (read.changes.length > 0) figures.waitingSince ??= now()
    figures.leftBytes = read.left + bytesOf(read.changes)
    figures.sendingSince = now()
    try {
      const chosen = await this.#chosen(read.changes)
      figures.read(chosen)
      for (let at = 0; at < chosen.length; at += settings.requestChangesMax)
        await this.#ship(cluster, chosen.slice(at, at + settings.requestChangesMax))
    } finally {
      figures.sendingSince = undefined
    }
    this.#position = read.position
    figures.leftBytes = read.left
    figures.waitingSince = read.waitingSince
    await this.#lookForUnlogged()
  }

  async #lookForUnlogged(): Promise<void> {
    const { changes, store, now, log } = this.#parts
    if (now() - this.#lookedAt < LOOK_MS) return
    this.#lookedAt = now()
    const hold = (await changes.logHolds(OWN_CALL)).find(({ name }) => name === peerHold(this.peer.id))
    if (hold !== undefined)
      await noteUnlogged(hold, this.peer.choice, this.figures, { catalog: store.catalog, log })
  }

  async #identified(cluster: PeerCluster): Promise<string> {
    const id = await cluster.clusterId(this.#stop.signal)
    if (id === (await this.#parts.store.clusterId()))
      throw new HBaseError('IO', 'the peer is this cluster itself: both have the same cluster id')
    return id
  }

  async #chosen(changes: readonly Change[]): Promise<SentChange[]> {
    if (changes.length === 0) return []
    await this.#scopes.look(new Set(changes.map(({ table }) => table)))
    const parts = {
      choice: this.peer.choice,
      ownClusterId: await this.#parts.store.clusterId(),
      peerClusterId: this.#peerClusterId!,
      scopesOf: (table: Change['table']) => this.#scopes.scopesOf(table),
      writeTime: this.figures.waitingSince ?? this.#parts.now(),
    }
    const chosen = changes.flatMap((change) => chosenChange(change, parts) ?? [])
    return this.#labels.asText(chosen)
  }

  async #ship(cluster: PeerCluster, wanted: readonly SentChange[]): Promise<void> {
    let sent = wanted
    for (;;) {
      if (sent.length === 0) return
      const bytes = bytesOf(sent)
      await this.#rate.take(bytes, this.#stop.signal)
      try {
        await cluster.ship(sent, this.#stop.signal)
        const { sequenceId, writeTime } = sent.at(-1)!
        const cells = sent.reduce((sum, { cellCount }) => sum + cellCount, 0)
        this.figures.shipped(sent.length, cells, bytes, writeTime)
        this.#position = Math.max(this.#position, sequenceId)
        return
      } catch (error) {
        const left = withoutDeleted(sent, error, this.#scopes, this.#parts.settings)
        if (left === undefined) throw error
        this.figures.droppedChanges += sent.length - left.length
        sent = left
      }
    }
  }

  async #moveHold(): Promise<void> {
    if (this.#position === this.#heldPosition) return
    const { changes, settings, now } = this.#parts
    const position = this.#position
    await changes.holdLog(peerHold(this.peer.id), position, settings.keepBytesMax, OWN_CALL)
    this.#heldPosition = position
    this.#heldAt = now()
  }
}

export function stoppedSentence(peerId: string, loss: string): string {
  return `replication to peer ${peerId} has stopped: ${loss}. Some changes were not sent: remove the peer, add it again, and copy its tables anew`
}

function bytesOf(changes: readonly Change[]): number {
  return changes.reduce((sum, { cells }) => sum + cells.byteLength, 0)
}
