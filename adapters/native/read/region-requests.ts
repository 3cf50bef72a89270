/** How often a region was read and written since it was opened. HBase: HRegion.readRequestsCount, filteredReadRequestsCount, writeRequestsCount. */
export class RegionRequests {
  /** Gets, and rows that scans returned. */
  reads = 0
  /** Rows that scans have read and left out. */
  filteredReads = 0
  /** Mutations, each row of a batch by itself. */
  writes = 0
  /** How many of the reads and writes RequestRate has counted. */
  counted = 0
}
