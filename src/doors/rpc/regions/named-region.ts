import type { RegionRef } from '../../../store/target.ts'

/** A region or one of its copies, by the name that the client sends. */
export interface NamedRegion extends RegionRef {
  /** The name that the client sends, abbreviated where it is long. */
  readonly name: string
  /** Number of the copy; 0 for the region itself. */
  readonly replica: number
  /** Name of the region that this is a copy of; undefined for the region itself. */
  readonly copyOf: string | undefined
}
