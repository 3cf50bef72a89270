/** Sends the changes of a store to its peers: a sender for each peer that is enabled. A peer that is slow, away or refuses holds up no other. */

import type { Metric } from '../model/metric.ts'
import { SerialQueue } from '../model/serial-queue.ts'
import { OWN_CALL } from '../store/call.ts'
import { type Peer, type PeerChoice, readPeer } from '../store/peer-description.ts'
import { peerOfHold } from '../store/peer-hold.ts'
import type { ReplicationPeers } from '../store/replication-peers.ts'
import { PeerFigures } from './peer-figures.ts'
import { PeerSender, stoppedSentence } from './peer-sender.ts'
import { replicationMetrics } from './replication-metrics.ts'
import type { SenderParts } from './sender-parts.ts'
import { noteUnlogged, unloggedSentence } from './unlogged-tables.ts'

/** A peer that fails for so long is in trouble. */
const FAILING_MS = 60_000

export class Replication {
  readonly #parts: SenderParts
  readonly #peers: Pick<ReplicationPeers, 'listPeers'>
  readonly #turns = new SerialQueue()
  readonly #senders = new Map<string, PeerSender>()
  readonly #figures = new Map<string, PeerFigures>()
  readonly #choices = new Map<string, PeerChoice>()
  #hasStopped = false

  constructor(parts: SenderParts, peers: Pick<ReplicationPeers, 'listPeers'>) {
    this.#parts = parts
    this.#peers = peers
  }

  /** Begins to send to the peers that are enabled, and lets go of the log for those that are gone. */
  async start(): Promise<void> {
    await this.refresh()
    const { changes } = this.#parts
    for (const { name } of await changes.logHolds(OWN_CALL)) {
      const peer = peerOfHold(name)
      if (peer !== undefined && !this.#figures.has(peer)) await changes.releaseLog(name, OWN_CALL)
    }
  }

  /** Reads the peers, and has each sender send as its peer is now. */
  refresh(): Promise<void> {
    return this.#turns.run(async () => {
      if (this.#hasStopped) return
      const peers = (await this.#peers.listPeers(OWN_CALL)).map(readPeer)
      const ids = new Set(peers.map(({ id }) => id))
      for (const id of this.#senders.keys()) if (!ids.has(id)) await this.#end(id)
      for (const id of this.#figures.keys()) if (!ids.has(id)) this.#figures.delete(id)
      for (const peer of peers) await this.#follow(peer)
    })
  }

  /** Ends the sender of a peer that is about to change. `refresh` begins one again. */
  leave(peerId: string): Promise<void> {
    return this.#turns.run(() => this.#end(peerId))
  }

  async #follow(peer: Peer): Promise<void> {
    this.#choices.set(peer.id, peer.choice)
    const sender = this.#senders.get(peer.id)
    if (sender !== undefined && sender.peer.bytes.equals(peer.bytes)) return
    await this.#end(peer.id)
    const figures = this.#figures.get(peer.id) ?? new PeerFigures(peer.id, this.#parts.now)
    this.#figures.set(peer.id, figures)
    if (!peer.isEnabled) {
      figures.failure = undefined
      return
    }
    const begun = new PeerSender(peer, figures, this.#parts, () => Math.max(1, this.#senders.size))
    this.#senders.set(peer.id, begun)
    begun.start()
  }

  async #end(peerId: string): Promise<void> {
    const sender = this.#senders.get(peerId)
    this.#senders.delete(peerId)
    await sender?.stop()
  }

  /** Ends all senders. */
  async stop(): Promise<void> {
    this.#hasStopped = true
    await Promise.all([...this.#senders.values()].map((sender) => sender.stop()))
    await this.#turns.idle()
  }

  /** Asks how much of the log each peer lacks; also of peers that are disabled. */
  async look(): Promise<void> {
    if (this.#hasStopped || this.#figures.size === 0) return
    const { changes, store, log } = this.#parts
    for (const hold of await changes.logHolds(OWN_CALL)) {
      const { name, left, loss } = hold
      const peer = peerOfHold(name) ?? ''
      const [figures, choice] = [this.#figures.get(peer), this.#choices.get(peer)]
      if (figures === undefined || choice === undefined) continue
      if (loss !== undefined && figures.lose(loss, hold.waitingSince))
        log('warn', stoppedSentence(peer, loss))
      await noteUnlogged(hold, choice, figures, { catalog: store.catalog, log })
      const getsNothing = !this.#senders.has(peer) || figures.isHeldUp
      if (getsNothing && figures.loss === undefined) figures.wait(left, hold.waitingSince)
    }
  }

  /** Sentences for an operator; none where all is well. */
  troubles(): string[] {
    const { now } = this.#parts
    return this.#all.flatMap(({ peerId, loss, failure, failingSince, unlogged }) => {
      if (loss !== undefined) return stoppedSentence(peerId, loss)
      if (unlogged.length > 0) return unlogged.map((table) => unloggedSentence(peerId, table))
      if (failure === undefined || now() - (failingSince ?? 0) < FAILING_MS) return []
      const since = new Date(failure.since).toISOString()
      return `replication to peer ${peerId} waits since ${since}: ${failure.reason}`
    })
  }

  /** Each a ReplicationLoadSource. */
  sourceLoads(): Buffer[] {
    return this.#all.map((figures) => figures.sourceLoad(this.#senders.has(figures.peerId)))
  }

  metrics(): Metric[] {
    return replicationMetrics(() => this.#all)
  }

  get #all(): PeerFigures[] {
    return [...this.#figures.values()].sort((a, b) => (a.peerId < b.peerId ? -1 : 1))
  }
}
