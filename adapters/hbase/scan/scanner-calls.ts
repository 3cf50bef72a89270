/** The calls of one scan to the scanners of regions' servers: they open one, ask it for more, and close it. */

import type { Scan } from '../../../src/model/query.ts'
import type { Call } from '../../../src/store/call.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { LocatedRegion } from '../cluster/meta-row.ts'
import { SCAN, type ScanResponse } from '../messages/scan-method.ts'
import type { ScanPart } from '../messages/write-query.ts'
import type { Attempt } from '../retry/retrier.ts'
import type { RpcResponse } from '../rpc/rpc-connection.ts'
import type { BegunRegion } from './regions-ahead.ts'

/** A scanner of one region's server. */
export interface RegionScanner {
  readonly region: LocatedRegion
  readonly id: bigint
  /** The call that opened the scanner: a server with an AccessController lets no other user close it. */
  readonly openedBy: Call
  /** The number of calls after the one that opened it. */
  sequence: number
}

/** The rows that a call asks for. `limit`: rows until the end of the scan; 0: no limit. */
interface Asked {
  readonly rows: number
  readonly limit: number
}

export class ScannerCalls {
  readonly #cluster: Cluster
  readonly #scan: Scan

  constructor(cluster: Cluster, scan: Scan) {
    this.#cluster = cluster
    this.#scan = scan
  }

  /** Opens a scanner of that part of the region, and asks for its first rows. */
  begin(region: LocatedRegion, part: ScanPart, asked: Asked, attempt: Attempt): BegunRegion {
    const { name: regionName } = region
    const countsRows = this.#scan.countsRows === true
    const request = { kind: 'open', regionName, scan: this.#scan, countsRows, part, ...asked } as const
    const answer = this.#cluster.callRegion(region, attempt, (connection, _, left) =>
      connection.call(SCAN, request, { ...left, signal: undefined }),
    )
    return { region, openedBy: attempt.call, answer }
  }

  next(scanner: RegionScanner, asked: Asked, attempt: Attempt): Promise<RpcResponse<ScanResponse>> {
    const { id: scannerId, region } = scanner
    const countsRows = this.#scan.countsRows === true
    const request = { kind: 'next', scannerId, sequence: scanner.sequence++, countsRows, ...asked } as const
    return this.#cluster.callRegion(region, attempt, (connection, _, left) =>
      connection.call(SCAN, request, left),
    )
  }

  /** Closes the server's scanner without waiting for the answer: the server closes an idle scanner anyway. */
  letGo({ server }: LocatedRegion, scannerId: bigint, openedBy: Call): void {
    const connection = this.#cluster.connections.opened(server, 'ClientService', openedBy)
    connection?.call(SCAN, { kind: 'close', scannerId }).catch(() => undefined)
  }
}
