import type { RegionRef } from '../../../store/target.ts'

/** A region as its client names it. */
export interface NamedRegion extends RegionRef {
  readonly name: string
  /** The number of the copy that it is of the region; 0: the region itself. */
  readonly replica: number
  /** The name of that region; undefined for the region itself. */
  readonly copyOf: string | undefined
}
