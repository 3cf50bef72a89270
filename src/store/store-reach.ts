/** The reach of a store that stands for a server of a protocol with fewer words than the seam. */
export interface StoreReach {
  /** Its name for people. */
  readonly protocol: 'REST' | 'Thrift'
  /** Scans can be raw: they show markers of deletes, and the cells that these hide. */
  readonly readsMarkers: boolean
  /** Markers of all kinds can be written. REST has no word for the deletion of one timestamp of a family. */
  readonly writesAllMarkers: boolean
  /** New tables can begin with several regions. */
  readonly splitsNewTables: boolean
  /** A table can be dropped without being disabled before, because nothing can disable it. */
  readonly dropsEnabledTables: boolean
}
