import type { FailureKind } from '../retry/failure.ts'

/** Calls of the cluster's servers, and what failures they came to; plain numbers, for whoever asks. */
export class CallCounts {
  /** Of regions: a batch is one for each server that it goes to. */
  region = 0
  /** Of hbase:meta: locations of regions, and states of tables. */
  meta = 0
  master = 0
  /** Regions, or items of a batch, that were not served; and calls of hbase:meta and of the master that failed. */
  readonly failures: Record<FailureKind, number> = {
    final: 0,
    busy: 0,
    overloaded: 0,
    'not-serving': 0,
    'server-gone': 0,
    unclear: 0,
  }
}
