/**
 * The bean of HBase's REST server. Every read but a scan of a table is a get there, and the changes of schemas and scanners are puts and deletes.
 * HBase: MetricsREST, and the resources that count by it.
 */

import type { DoorCounters } from '../../../gateway/observing/metrics.ts'
import { type Bean, hadoop } from './bean.ts'
import { type RequestSum, requestsOf } from './request-sum.ts'

/** Resources whose requests HBase counts nowhere, and paths without a resource. */
const UNCOUNTED: ReadonlySet<string> = new Set(['exists', 'openapi.json', 'other'])

export function restBean(counters: DoorCounters | undefined): Bean {
  const sumOf = (isOf: (service: string, method: string) => boolean): RequestSum =>
    requestsOf(counters, (service, method) => !UNCOUNTED.has(service) && isOf(service, method))
  const gets = sumOf((service, method) => service !== 'scan' && isRead(service, method))
  // A request of a scanner looks for it by its id first, which HBase counts as a get, too.
  const lookups = sumOf((service, method) => service === 'scanner' && !isWrite(service, method))
  const puts = sumOf(isWrite)
  const deletes = sumOf((_, method) => method === 'DELETE')
  const scans = sumOf((service) => service === 'scan')
  return hadoop('REST', {
    'tag.Context': 'rest',
    requests: sumOf(() => true).all,
    successfulGet: gets.ok + lookups.all - lookups.failed,
    failedGet: gets.failed + lookups.failed,
    successfulPut: puts.ok,
    failedPut: puts.failed,
    successfulDelete: deletes.ok,
    failedDelete: deletes.failed,
    successfulScanCount: scans.ok,
    failedScanCount: scans.failed,
  })
}

/** A multiget may come by POST. */
function isRead(service: string, method: string): boolean {
  return method === 'GET' || method === 'HEAD' || service === 'multiget'
}

function isWrite(service: string, method: string): boolean {
  return (method === 'PUT' || method === 'POST') && service !== 'multiget'
}
