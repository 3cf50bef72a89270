import type { ExampleServer } from '../../shared/example-server.ts'
import type { Part } from '../../shared/parts.ts'
import type { Report } from '../../shared/report.ts'
import type { RestTable } from '../../shared/rest-table.ts'

/** The tables and values that a part works with. */
export interface Workplace {
  readonly server: ExampleServer
  readonly report: Report
  /** Makes a table of these families. */
  readonly newTable: (name: string, families: readonly object[], attributes?: object) => Promise<RestTable>
}

export type TimePart = Part<Workplace>
