/** The options that limit what clients may do. */

import type { Limits } from '../../gateway/limits/limits.ts'
import { parseDurationMs } from '../flags/duration.ts'

interface LimitOption {
  readonly flag: string
  readonly about: string
  /** Absent: parsePositive. */
  readonly parse?: (text: string) => number
}

export const LIMITS: Readonly<Record<keyof Limits, LimitOption>> = {
  requestBytesMax: { flag: 'request-bytes-max', about: 'bytes of a Thrift frame or an HTTP body' },
  headerBytesMax: { flag: 'header-bytes-max', about: 'bytes of an HTTP request line and its headers' },
  cellBytesMax: { flag: 'cell-bytes-max', about: 'bytes of one cell with its key' },
  batchMax: { flag: 'batch-max', about: 'mutations or gets in one request' },
  elementsMax: { flag: 'elements-max', about: 'cells and list elements in one request' },
  depthMax: { flag: 'depth-max', about: 'nested structures in one message' },
  responseBytesMax: { flag: 'response-bytes-max', about: 'bytes of cells in one answer' },
  scannersMax: { flag: 'scanners-max', about: 'open scanners of a service' },
  clientScannersMax: {
    flag: 'client-scanners-max',
    about: 'open scanners of a service that one client holds',
  },
  scannerIdleMs: {
    flag: 'scanner-idle-ms',
    about: 'milliseconds after which an unused scanner is closed, of Thrift 1 twice as many',
  },
  restScannerIdleMs: {
    flag: 'rest-scanner-idle-ms',
    about: 'milliseconds after which an unused scanner of REST is closed',
    parse: parseDurationMs,
  },
  connectionIdleMs: {
    flag: 'connection-idle-ms',
    about: 'milliseconds after which a silent connection is closed',
  },
  headersMs: { flag: 'headers-ms', about: 'milliseconds for an HTTP request line and its headers' },
  requestMs: { flag: 'request-ms', about: 'milliseconds for an HTTP request or a Thrift message' },
  answerMs: { flag: 'answer-ms', about: 'milliseconds for a client to take each MiB of an answer' },
  scarceAnswerMs: {
    flag: 'scarce-answer-ms',
    about: 'the same while other requests wait for the memory of such answers',
  },
  connectionsMax: { flag: 'connections-max', about: 'connections of a door at a time' },
  sessionsMax: { flag: 'sessions-max', about: 'sessions of ZooKeeper at a time' },
  watchesMax: { flag: 'watches-max', about: 'watches of one connection to ZooKeeper' },
}
