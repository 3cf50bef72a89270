/** How often a region was read and written since it was opened. HBase: HRegion.readRequestsCount, writeRequestsCount. */
export class RegionRequests {
  /** Gets, and rows that scans returned. */
  reads = 0
  /** Mutations, each row of a batch by itself. */
  writes = 0
}
