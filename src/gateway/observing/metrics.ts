/**
 * The metrics of doors. A request costs its door one increment of a plain number, in an object made at the start. Names,
 * labels and text are made when a client reads the metrics.
 */

import {
  ERROR_CODES,
  ERROR_TRAITS,
  type ErrorCode,
  type HBaseError,
  isHBaseError,
} from '../../model/errors.ts'
import { Latencies } from '../../model/latencies.ts'
import type { Metric, Sample } from '../../model/metric.ts'

/** Counts of the requests of one kind, by outcome. */
export class RequestCounts {
  /** Requests that succeeded. */
  ok = 0
  /** Of `ok`, reads that found nothing, which HBase's REST server counts as failed. */
  absent = 0
  /** Of `ok`, answers without a body for want of more rows, which HBase's REST server counts neither way. */
  empty = 0
  /** Requests that failed by a fault of the client: a missing name, a limit, a bad argument. */
  refused = 0
  /** Requests that failed by a fault of Tidegate or its store. */
  failed = 0
  /** Times from a request that was read to its answer that was handed on, of all outcomes. */
  readonly latencies: Latencies = new Latencies()

  /** Counts an HTTP answer by its status. `isAbsence`: the 404 of a read that found nothing. */
  answered(status: number, isAbsence = false): void {
    if (isAbsence) {
      this.absent++
      this.ok++
    } else if (status < 400) {
      this.ok++
      if (status === 204) this.empty++
    } else if (status < 500) this.refused++
    else this.failed++
  }
}

const OUTCOMES = ['ok', 'refused', 'failed'] as const

/** PROTOCOL: bytes that are not of the door's protocol. INTERNAL: bugs. */
type CountedCode = ErrorCode | 'PROTOCOL' | 'INTERNAL'
const CODES: readonly CountedCode[] = [...ERROR_CODES, 'PROTOCOL', 'INTERNAL']

export interface CountedRequests {
  readonly service: string
  readonly method: string
  readonly counts: RequestCounts
}

export class DoorCounters {
  /** Open connections. */
  connections: () => number = () => 0
  /** Connections that the door has refused for a limit. */
  refusedConnections: () => number = () => 0
  /** Change feeds that clients read, and lines of changes that they were sent; undefined: the door has none. */
  feeds: { readonly size: number; readonly lines: number } | undefined = undefined
  readonly #requests = new Map<string, CountedRequests>()
  readonly #errors = new Map<CountedCode, number>(CODES.map((code) => [code, 0]))
  readonly #scanners = new Map<string, () => number>()

  /** The counts of one kind of requests. Fetch them once, not for each request. */
  request(service: string, method: string): RequestCounts {
    const key = `${service} ${method}`
    let counted = this.#requests.get(key)
    if (counted === undefined) {
      counted = { service, method, counts: new RequestCounts() }
      this.#requests.set(key, counted)
    }
    return counted.counts
  }

  /** Counts a request that ended with an error. The HBaseError may be among its causes; any other error is a bug. */
  threw(counts: RequestCounts, error: unknown): void {
    const code = houseError(error)?.code
    this.#count(code ?? 'INTERNAL')
    const isOurs = code === undefined || ERROR_TRAITS[code].fault === 'server'
    counts[isOurs ? 'failed' : 'refused']++
  }

  /** Counts bytes that are no request of the door's protocol, or an unreadable one. */
  malformed(counts?: RequestCounts): void {
    this.#count('PROTOCOL')
    if (counts !== undefined) counts.refused++
  }

  /** `size`: returns the open scanners of the clients of a service. */
  scanners(service: string, size: () => number): void {
    this.#scanners.set(service, size)
  }

  #count(code: CountedCode): void {
    this.#errors.set(code, this.#errors.get(code)! + 1)
  }

  /** Samples of the kinds that have had a request. */
  *requestSamples(door: string): Iterable<Sample> {
    for (const { service, method, counts } of this.asked()) {
      for (const outcome of OUTCOMES) {
        yield { labels: { door, service, method, outcome }, value: counts[outcome] }
      }
    }
  }

  *latencySamples(door: string): Iterable<Sample> {
    for (const { service, method, counts } of this.#requests.values())
      yield* counts.latencies.samples({ door, service, method })
  }

  /** The kinds that have had a request. */
  *asked(): Iterable<CountedRequests> {
    for (const counted of this.#requests.values())
      if (counted.counts.ok + counted.counts.refused + counted.counts.failed > 0) yield counted
  }

  *errorSamples(door: string): Iterable<Sample> {
    for (const [code, value] of this.#errors) yield { labels: { door, code }, value }
  }

  *scannerSamples(door: string): Iterable<Sample> {
    for (const [service, size] of this.#scanners) yield { labels: { door, service }, value: size() }
  }
}

/** The HBaseError among the error and its causes; undefined where there is none. */
export function houseError(error: unknown): HBaseError | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (isHBaseError(at)) return at
  return undefined
}

/** The metrics of all doors, also of those that are added to `doors` later. */
export function doorMetrics(doors: ReadonlyMap<string, { readonly counters: DoorCounters }>): Metric[] {
  const of = (samples: (counters: DoorCounters, door: string) => Iterable<Sample>) =>
    function* (): Iterable<Sample> {
      for (const [door, { counters }] of doors) yield* samples(counters, door)
    }
  return [
    {
      name: 'tidegate_requests_total',
      kind: 'counter',
      help: 'Requests that were answered, by how they ended',
      labels: ['door', 'service', 'method', 'outcome'],
      read: of((counters, door) => counters.requestSamples(door)),
    },
    {
      name: 'tidegate_request_seconds',
      kind: 'histogram',
      help: 'How long requests took from when they were read until their answer was handed on',
      labels: ['door', 'service', 'method'],
      read: of((counters, door) => counters.latencySamples(door)),
    },
    {
      name: 'tidegate_errors_total',
      kind: 'counter',
      help: 'Requests that ended with an error, by its code',
      labels: ['door', 'code'],
      read: of((counters, door) => counters.errorSamples(door)),
    },
    {
      name: 'tidegate_connections',
      kind: 'gauge',
      help: 'Connections of clients that are open',
      labels: ['door'],
      read: of((counters, door) => [{ labels: { door }, value: counters.connections() }]),
    },
    {
      name: 'tidegate_refused_connections_total',
      kind: 'counter',
      help: 'Connections that were refused because too many were open',
      labels: ['door'],
      read: of((counters, door) => [{ labels: { door }, value: counters.refusedConnections() }]),
    },
    {
      name: 'tidegate_open_scanners',
      kind: 'gauge',
      help: 'Scanners that clients hold open',
      labels: ['door', 'service'],
      read: of((counters, door) => counters.scannerSamples(door)),
    },
    {
      name: 'tidegate_change_feeds',
      kind: 'gauge',
      help: 'Change feeds that clients read',
      labels: ['door'],
      read: of(({ feeds }, door) => (feeds === undefined ? [] : [{ labels: { door }, value: feeds.size }])),
    },
    {
      name: 'tidegate_change_feed_lines_total',
      kind: 'counter',
      help: 'Changed rows that were sent in change feeds',
      labels: ['door'],
      read: of(({ feeds }, door) => (feeds === undefined ? [] : [{ labels: { door }, value: feeds.lines }])),
    },
  ]
}
