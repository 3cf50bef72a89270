/**
 * Single-row requests that one turn of the event loop makes to one server share a call: a call costs the server more than a
 * row. A request that is alone in its turn goes alone. No request waits for a later turn. The shared call is cancelled only
 * when all of its callers have hung up.
 */

import type { LocatedRegion } from '../cluster/meta-row.ts'
import { failureOf } from '../retry/failure.ts'
import type { Attempt } from '../retry/retrier.ts'
import { areGone } from '../rpc/caller-watch.ts'
import type { CallOptions, RpcConnection } from '../rpc/rpc-connection.ts'

export interface RegionRequest {
  readonly region: LocatedRegion
  /** Approximate bytes of the request. */
  readonly bytes: number
}

/** The ways to send requests of one kind: alone, or several in one call. */
export interface Sharing<Request extends RegionRequest, Response> {
  /** True: requests share a call within one region only, since a server runs one call's regions in sequence but separate calls in parallel. */
  readonly sameRegionOnly: boolean
  alone(connection: RpcConnection, request: Request, options: CallOptions): Promise<Response>
  /**
   * The responses in the order of the requests. Undefined stands for a failed request, which is then sent alone, so that its
   * client gets the failure of its own call. Rejects where all have failed.
   */
  together(
    connection: RpcConnection,
    requests: readonly Request[],
    options: CallOptions,
  ): Promise<readonly (Response | undefined)[]>
}

interface Waiting<Request, Response> {
  readonly connection: RpcConnection
  readonly request: Request
  readonly attempt: Attempt
  readonly resolve: (response: Response | Promise<Response>) => void
  readonly reject: (error: unknown) => void
}

/** The most requests of a call. A server runs them in sequence, so the first one must not wait long for the last. */
const REQUESTS_MAX = 8
/** The most bytes of a shared call. */
const BYTES_MAX = 64 * 1024

export class SharedCalls<Request extends RegionRequest, Response> {
  readonly #sharing: Sharing<Request, Response>
  /**
   * The requests of this turn by their connection, which belongs to one user. The inner key is the region where only requests of one
   * region may share a call, else the connection again.
   */
  readonly #turn = new Map<RpcConnection, Map<RpcConnection | LocatedRegion, Waiting<Request, Response>[]>>()

  constructor(sharing: Sharing<Request, Response>) {
    this.#sharing = sharing
  }

  /** Rejects as RpcConnection.call does. Later attempts go alone: another request may have failed the shared call. */
  call(connection: RpcConnection, request: Request, attempt: Attempt): Promise<Response> {
    const goesAlone = attempt.number > 1 || attempt.priority !== undefined
    if (goesAlone) return this.#sharing.alone(connection, request, attempt)
    return new Promise((resolve, reject) => {
      const waiting = { connection, request, attempt, resolve, reject }
      const key = this.#sharing.sameRegionOnly ? request.region : connection
      let ofConnection = this.#turn.get(connection)
      if (ofConnection === undefined) {
        ofConnection = new Map()
        this.#turn.set(connection, ofConnection)
        connection.beforeSending(() => this.#send(connection))
      }
      const others = ofConnection.get(key)
      if (others === undefined) ofConnection.set(key, [waiting])
      else others.push(waiting)
    })
  }

  #send(connection: RpcConnection): void {
    const ofConnection = this.#turn.get(connection)!
    this.#turn.delete(connection)
    for (const all of ofConnection.values()) this.#sendAll(all)
  }

  #sendAll(all: readonly Waiting<Request, Response>[]): void {
    const company = all.length === 1 ? all : this.#withoutLoners(all)
    for (let from = 0; from < company.length; ) {
      const to = endOfCall(company, from)
      if (to === from + 1) this.#sendAlone(company[from]!)
      else void this.#sendTogether(company.slice(from, to))
      from = to
    }
  }

  /** A request with much less time would end the others' call early, so it goes alone. Requests whose callers have hung up fail. */
  #withoutLoners(all: readonly Waiting<Request, Response>[]): readonly Waiting<Request, Response>[] {
    let longestMs = 0
    for (const { attempt } of all) longestMs = Math.max(longestMs, attempt.timeoutMs)
    const isLoner = ({ attempt }: Waiting<Request, Response>): boolean =>
      areGone(attempt.signal) || attempt.timeoutMs * 2 < longestMs
    if (!all.some(isLoner)) return all
    for (const waiting of all) if (isLoner(waiting)) this.#sendAlone(waiting)
    return all.filter((waiting) => !isLoner(waiting))
  }

  #sendAlone({ connection, request, attempt, resolve }: Waiting<Request, Response>): void {
    resolve(this.#sharing.alone(connection, request, attempt))
  }

  /** Never rejects. */
  async #sendTogether(all: readonly Waiting<Request, Response>[]): Promise<void> {
    const requests = all.map(({ request }) => request)
    try {
      const responses = await this.#sharing.together(all[0]!.connection, requests, togetherOptions(all))
      for (const [index, waiting] of all.entries()) {
        const response = responses[index]
        if (response === undefined) this.#sendAlone(waiting)
        else waiting.resolve(response)
      }
    } catch (error) {
      // One bad request may have failed the whole call: resend each alone.
      const isFinal = failureOf(error).kind === 'final'
      for (const waiting of all) {
        if (isFinal) this.#sendAlone(waiting)
        else waiting.reject(error)
      }
    }
  }
}

function togetherOptions(all: readonly { readonly attempt: Attempt }[]): CallOptions {
  let timeoutMs = Number.POSITIVE_INFINITY
  // One caller that never hangs up keeps the call alive.
  let signals: AbortSignal[] | undefined = []
  // A call has one trace only: that of the first caller with a trace.
  let trace: string | undefined
  for (const { attempt } of all) {
    timeoutMs = Math.min(timeoutMs, attempt.timeoutMs)
    trace ??= attempt.trace
    const { signal } = attempt.call
    if (signal === undefined) signals = undefined
    else signals?.push(signal)
  }
  return { timeoutMs, signal: signals, trace }
}

/** The index after the last request of the call that begins at `from`. */
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
