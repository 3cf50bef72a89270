/** Limits of what clients may take. */

import { DEFAULT_LIMITS, type Limits } from '../../gateway/limits/limits.ts'
import { parseDurationMs } from '../flags/duration.ts'
import { parsePositive } from '../flags/positive-number.ts'
import type { Setting, SettingsOf } from './setting.ts'

/** `key`: HBase's, which states the same limit. */
function limit(
  name: keyof Limits,
  about: string,
  key?: string,
  parse: (text: string) => number = parsePositive,
): Setting<number> {
  const fallback = DEFAULT_LIMITS[name]
  return {
    group: 'Limits',
    takes: '<n>',
    about,
    parse,
    fallback,
    ...(key !== undefined && { key: { name: key } }),
  }
}

export const LIMIT_SETTINGS: SettingsOf<Limits> = {
  requestBytesMax: limit('requestBytesMax', 'bytes of a Thrift frame or an HTTP body'),
  headerBytesMax: limit('headerBytesMax', 'bytes of an HTTP request line and its headers'),
  cellBytesMax: limit('cellBytesMax', 'bytes of one cell with its key', 'hbase.client.keyvalue.maxsize'),
  batchMax: limit('batchMax', 'mutations or gets in one request'),
  elementsMax: limit('elementsMax', 'cells and list elements in one request'),
  depthMax: limit('depthMax', 'nested structures in one message'),
  responseBytesMax: limit(
    'responseBytesMax',
    'bytes of cells in one answer',
    'hbase.server.scanner.max.result.size',
  ),
  scannersMax: limit('scannersMax', 'open scanners of a service'),
  clientScannersMax: limit('clientScannersMax', 'open scanners of a service that one client holds'),
  scannerIdleMs: limit(
    'scannerIdleMs',
    'milliseconds after which an unused scanner is closed, of Thrift 1 twice as many',
    'hbase.client.scanner.timeout.period',
  ),
  restScannerIdleMs: limit(
    'restScannerIdleMs',
    'milliseconds after which an unused scanner of REST is closed',
    'hbase.rest.scannercache.expire.time',
    parseDurationMs,
  ),
  connectionIdleMs: limit(
    'connectionIdleMs',
    'milliseconds after which a silent connection is closed',
    'hbase.thrift.server.socket.read.timeout',
  ),
  headersMs: limit('headersMs', 'milliseconds for an HTTP request line and its headers'),
  requestMs: limit('requestMs', 'milliseconds for an HTTP request or a Thrift message'),
  answerMs: limit('answerMs', 'milliseconds for a client to take each MiB of an answer'),
  scarceAnswerMs: limit(
    'scarceAnswerMs',
    'the same while other requests wait for the memory of such answers',
  ),
  connectionsMax: limit('connectionsMax', 'connections of a door at a time'),
  changeFeedsMax: limit('changeFeedsMax', 'change feeds at a time'),
  sessionsMax: limit('sessionsMax', 'sessions of ZooKeeper at a time'),
  watchesMax: limit('watchesMax', 'watches of one connection to ZooKeeper'),
}

/** The limits alone, of all values. */
export function limitsOf(values: Limits): Limits {
  const names = Object.keys(LIMIT_SETTINGS) as (keyof Limits)[]
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(names.map((name) => [name, values[name]])) }
}
