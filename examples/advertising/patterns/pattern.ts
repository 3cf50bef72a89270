import type { ExampleServer } from '../../shared/example-server.ts'
import type { Part } from '../../shared/parts.ts'
import type { Report } from '../../shared/report.ts'
import type { AdTables } from '../ad-tables.ts'

/** The start of a pattern: the loaded tables, and the known facts about them. */
export interface Loaded {
  readonly server: ExampleServer
  readonly tables: AdTables
  /** How many ads there are; a multiple of those of one advertiser. */
  readonly ads: number
  /** When everything was stored, in milliseconds since 1970. */
  readonly storedAt: number
  readonly report: Report
}

export type Pattern = Part<Loaded>
