/** A finding of a check in a store's folder. */

export interface Finding {
  /**
   * `error`: acknowledged data is gone, cannot be read or may be answered wrongly. `warning`: a start mends it, or nothing
   * needs it. `note`: nothing is wrong.
   */
  readonly severity: 'error' | 'warning' | 'note'
  readonly path: string
  /** Byte of the file; undefined where the finding is about the whole file. */
  readonly offset: number | undefined
  /** The fault. */
  readonly message: string
  /** The advice to the operator. */
  readonly advice: string
  readonly table?: string | undefined
  /** The region's encoded name. */
  readonly region?: string | undefined
  /** Name of the snapshot whose file it is. */
  readonly snapshot?: string | undefined
}

export type Report = (finding: Finding) => void

export const REPAIR_ADVICE =
  'put the file back from a copy, or let `tidegate repair` set it aside and serve the rest'

export const MISSING_FILE_ADVICE =
  'put the file back from a copy, or let `tidegate repair` give its cells up and serve the rest'

/** Nothing is repaired without a manifest. */
export const NO_MANIFEST_ADVICE =
  'put `manifest` or `manifest.copy` back from a copy: a repair needs one of them, and says what to do without'
