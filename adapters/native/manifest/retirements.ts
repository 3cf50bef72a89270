/** Knows the regions that may have given way to others: see CatalogLog. */
export interface Retirements {
  /** Throws REGION_TOO_BUSY where the region of this number takes no writes for this reason. */
  checkWritable(region: number): void
}
