import type { ExampleServer } from '../../shared/example-server.ts'
import type { Part } from '../../shared/parts.ts'
import type { Report } from '../../shared/report.ts'
import type { Dictionary } from '../dictionary.ts'
import type { Answer } from '../query.ts'
import type { Series } from '../series.ts'
import type { TsdbTables } from '../tsdb-tables.ts'

/** The start of a part: the day is stored, and the right answers to the queries are known. */
export interface StoredDay {
  readonly server: ExampleServer
  readonly report: Report
  readonly tables: TsdbTables
  readonly names: Dictionary
  readonly metric: string
  readonly series: readonly Series[]
  /** By the queries' names. */
  readonly expected: ReadonlyMap<string, Answer>
  /** The file for the picture. */
  readonly svg: string
}

export type TsdbPart = Part<StoredDay>
