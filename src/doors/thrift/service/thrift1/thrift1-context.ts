import type { ServiceContext } from '../service-context.ts'

/** An open scanner of a client. */
export interface Thrift1Scanner {
  /** TScan.sortColumns. True where rows have lists of columns, not maps. */
  readonly sortColumns: boolean
}

export type Thrift1Context = ServiceContext<Thrift1Scanner>
