import type { ScannerPages } from '../scanner-pages.ts'
import type { ServiceContext } from '../service-context.ts'

/** A scanner that a client holds. */
export interface OpenScanner {
  readonly pages: ScannerPages
  /** TScan.sortColumns: answer with lists of columns, not maps. */
  readonly sortColumns: boolean
}

export type Thrift1Context = ServiceContext<OpenScanner>
