/**
 * Requests of one row each that one turn of the event loop has for one server go there in one call: a server spends more
 * on a call than on the row that it asks for. Who is alone in its turn goes alone, and nobody waits for a later turn.
 */

import type { LocatedRegion } from '../cluster/meta-row.ts'
import { failureOf } from '../retry/failure.ts'
import type { Attempt } from '../retry/retrier.ts'
import type { RpcConnection } from '../rpc/rpc-connection.ts'

export interface RegionRequest {
  readonly region: LocatedRegion
  /** Bytes of it, about. */
  readonly bytes: number
}

/** How requests of one kind are sent. */
export interface Sharing<Request extends RegionRequest, Response> {
  /** True where a server would do for one region after the other what it does for several calls side by side. */
  readonly sameRegionOnly: boolean
  alone(connection: RpcConnection, request: Request, timeoutMs: number): Promise<Response>
  /**
   * In the order of the requests; undefined for one that has failed: it is sent alone then, so that its failure is told
   * in the words that belong to its own call. Rejects where all have failed.
   */
  together(
    connection: RpcConnection,
    requests: readonly Request[],
    timeoutMs: number,
  ): Promise<readonly (Response | undefined)[]>
}

interface Waiting<Request, Response> {
  readonly connection: RpcConnection
  readonly request: Request
  readonly timeoutMs: number
  readonly resolve: (response: Response | Promise<Response>) => void
  readonly reject: (error: unknown) => void
}

/** A server works through a call from one request to the next: so few that the first does not wait long for the last. */
const REQUESTS_MAX = 8
/** What is as large as that has a call for itself. */
const BYTES_MAX = 64 * 1024

export class SharedCalls<Request extends RegionRequest, Response> {
  readonly #sharing: Sharing<Request, Response>
  /** What this turn has asked for, by the connection or region that requests may share a call of. */
  readonly #turn = new Map<RpcConnection | LocatedRegion, Waiting<Request, Response>[]>()

  constructor(sharing: Sharing<Request, Response>) {
    this.#sharing = sharing
  }

  /** Rejects as RpcConnection.call does. Later attempts go alone: what shares a call may be why it has failed. */
  call(connection: RpcConnection, request: Request, { number, timeoutMs }: Attempt): Promise<Response> {
    if (number > 1) return this.#sharing.alone(connection, request, timeoutMs)
    return new Promise((resolve, reject) => {
      const waiting = { connection, request, timeoutMs, resolve, reject }
      const key = this.#sharing.sameRegionOnly ? request.region : connection
      const others = this.#turn.get(key)
      if (others !== undefined) {
        others.push(waiting)
        return
      }
      this.#turn.set(key, [waiting])
      connection.beforeSending(() => this.#send(key))
    })
  }

  #send(key: RpcConnection | LocatedRegion): void {
    const all = this.#turn.get(key)!
    this.#turn.delete(key)
    for (let from = 0; from < all.length; ) {
      const to = endOfCall(all, from)
      if (to === from + 1) this.#sendAlone(all[from]!)
      else void this.#sendTogether(all.slice(from, to))
      from = to
    }
  }

  #sendAlone({ connection, request, timeoutMs, resolve }: Waiting<Request, Response>): void {
    resolve(this.#sharing.alone(connection, request, timeoutMs))
  }

  /** Never rejects. */
  async #sendTogether(all: readonly Waiting<Request, Response>[]): Promise<void> {
    const requests = all.map(({ request }) => request)
    const timeoutMs = Math.min(...all.map((waiting) => waiting.timeoutMs))
    try {
      const responses = await this.#sharing.together(all[0]!.connection, requests, timeoutMs)
      for (const [index, waiting] of all.entries()) {
        const response = responses[index]
        if (response === undefined) this.#sendAlone(waiting)
        else waiting.resolve(response)
      }
    } catch (error) {
      // What no attempt can mend may be the fault of one of them.
      const isFinal = failureOf(error).kind === 'final'
      for (const waiting of all) {
        if (isFinal) this.#sendAlone(waiting)
        else waiting.reject(error)
      }
    }
  }
}

/** The index behind those that go into one call, from `from` on. */
function endOfCall(all: readonly { readonly request: RegionRequest }[], from: number): number {
  let { bytes } = all[from]!.request
  let to = from + 1
  while (to < all.length && to - from < REQUESTS_MAX) {
    bytes += all[to]!.request.bytes
    if (bytes > BYTES_MAX) break
    to++
  }
  return to
}
