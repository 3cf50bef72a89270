/** Counts of the calls to the cluster's servers and of their failures, for the metrics. */

import { Latencies } from '../../../src/model/latencies.ts'
import type { FailureKind } from '../retry/failure.ts'

export class CallCounts {
  /** The calls by method name, over all services. */
  readonly sent: Map<string, { calls: number; readonly latencies: Latencies }> = new Map()
  /** Failed requests of regions, hbase:meta and the master; several may have shared a call. */
  readonly failures: Record<FailureKind, number> = {
    final: 0,
    busy: 0,
    overloaded: 0,
    'not-serving': 0,
    'server-gone': 0,
    unclear: 0,
  }

  /** Counts one more call of the method. Returns the latencies of its calls. */
  count(method: string): Latencies {
    let counted = this.sent.get(method)
    if (counted === undefined) {
      counted = { calls: 0, latencies: new Latencies() }
      this.sent.set(method, counted)
    }
    counted.calls++
    return counted.latencies
  }
}
