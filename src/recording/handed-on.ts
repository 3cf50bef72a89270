/**
 * Two sockets, of which each gets the bytes that the other one receives, no faster than it takes them. A watcher sees the bytes
 * afterwards. It can pause both sockets while it has too much to write.
 */

import type { Duplex } from 'node:stream'

/** A socket of node:net. */
export type HandedSocket = Duplex & { destroySoon(): void }

export interface Watcher {
  /** Sees the bytes of one direction. Never throws. */
  saw(side: 'request' | 'answer', bytes: Buffer): void
  /** The connection has ended. */
  end(): void
  /** True: the sockets pause until `HandedOn.goOn`. */
  readonly isBehind: boolean
}

/** The reasons why a socket is paused, as bits. */
const PEER = 1
const WATCHER = 2

export class HandedOn {
  readonly #flows: readonly [Flow, Flow]
  readonly #sockets: readonly [client: HandedSocket, target: HandedSocket]
  readonly #watcher: Watcher

  constructor(client: HandedSocket, target: HandedSocket, watcher: Watcher) {
    this.#sockets = [client, target]
    this.#watcher = watcher
    this.#flows = [new Flow(client, target, 'request', watcher), new Flow(target, client, 'answer', watcher)]
    client.on('error', () => target.destroy())
    // The client gets what the server has sent before it failed.
    target.on('error', () => client.destroySoon())
    target.once('close', () => watcher.end())
  }

  /** Resumes both sockets: the watcher is not behind any more. */
  goOn(): void {
    for (const flow of this.#flows) flow.release(WATCHER)
  }

  destroy(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#watcher.end()
  }
}

class Flow {
  readonly #from: HandedSocket
  #held = 0

  constructor(from: HandedSocket, to: HandedSocket, side: 'request' | 'answer', watcher: Watcher) {
    this.#from = from
    // The bytes are handed on first: a message that the watcher cannot read must still reach its reader.
    from.on('data', (bytes: Buffer) => {
      if (!to.write(bytes)) this.#hold(PEER)
      watcher.saw(side, bytes)
      if (watcher.isBehind) this.#hold(WATCHER)
    })
    to.on('drain', () => this.release(PEER))
    from.on('end', () => to.end())
  }

  #hold(reason: number): void {
    this.#held |= reason
    this.#from.pause()
  }

  release(reason: number): void {
    if ((this.#held & reason) === 0) return
    this.#held &= ~reason
    if (this.#held === 0) this.#from.resume()
  }
}
