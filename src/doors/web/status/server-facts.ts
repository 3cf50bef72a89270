import type { Door } from '../../../gateway/door.ts'
import type { RecentEvents } from '../../../gateway/observing/logs/recent-events.ts'
import type { RecentSlow } from '../../../gateway/observing/slow/recent-slow.ts'
import type { TestMode } from '../../../gateway/policies/test-mode/test-mode.ts'
import type { ServerLife } from '../../../gateway/server-life.ts'
import type { Metric } from '../../../model/metric.ts'
import type { MetricsJson } from '../metrics/exposition.ts'
import type { Health } from './health.ts'
import type { LoadHistory } from './load-history.ts'

/** The parts and settings of the server that its web pages show. */
export interface ServerFacts {
  readonly version: string
  /** The open doors by their names; the web door itself once it is open. */
  readonly doors: ReadonlyMap<string, Door>
  readonly life: ServerLife
  /** Reports of all processes; undefined: the server has one process. */
  readonly reports?: Reports | undefined
  /** Undefined: the server is not in test mode. */
  readonly testMode?: TestMode | undefined
  /** The metrics of traces; undefined: tracing is off. */
  readonly traces?: readonly Metric[] | undefined
  /** The metrics of certificates and logins; undefined: no logins. */
  readonly logins?: readonly Metric[] | undefined
  /** True where the server refuses changes. */
  readonly readOnly?: boolean | undefined
  /** Undefined: the console is off. */
  readonly console?: ConsoleFacts | undefined
  /** The load of the last hour; the web door takes its points. */
  readonly history?: LoadHistory | undefined
}

export interface ConsoleFacts {
  /** The folder of its files. */
  readonly folder: URL
  /** True where it may change tables and rows. */
  readonly writes: boolean
  /** The side that checks permissions; undefined: users need none. */
  readonly deciding?: 'Tidegate' | 'cluster' | undefined
  /** Undefined: the slow log is off. */
  readonly slow?: RecentSlow | undefined
  /** Undefined: the server keeps no lines of its log. */
  readonly events?: RecentEvents | undefined
  /** Undefined: the settings are not known. */
  readonly settings?: readonly ShownSetting[] | undefined
  /** Reads the files of users and groups. Undefined: the server has none. */
  readonly accounts?: (() => Promise<ConsoleAccounts>) | undefined
  /** Reads the folder of backups. Undefined: the server knows none. */
  readonly backups?: (() => Promise<BackupsFacts>) | undefined
}

/** A setting as an operator reads it. Secrets are hidden. */
export interface ShownSetting {
  /** The heading of help. */
  readonly group: string
  /** The flag, or the key of hbase-site.xml. */
  readonly name: string
  /** The form of its value, such as `<size>`, which is in bytes here. */
  readonly takes: string
  readonly about: string
  /** Empty where there is none. */
  readonly value: string
  readonly fallback: string
  /** The flag, the variable or the file that states it. */
  readonly source: string
  readonly isDefault: boolean
}

export interface ConsoleAccounts {
  /** The kinds of logins; undefined: clients need none. */
  readonly logins?: readonly string[] | undefined
  /** Names in the password file; undefined: there is none. */
  readonly users?: readonly string[] | undefined
  readonly memberships: readonly { readonly user: string; readonly groups: readonly string[] }[]
  readonly superusers: readonly string[]
  /** A sentence for each file that cannot be read. */
  readonly troubles: readonly string[]
}

export interface BackupsFacts {
  readonly folder: string
  readonly backupsTotal: number
  /** The latest first. Times are in milliseconds since 1970. */
  readonly backups: readonly {
    readonly name: string
    readonly at: number
    readonly bytes: number
    readonly newBytes: number
    /** The number of tables of users. */
    readonly tables: number
    /** Files that the server should have had and had not. */
    readonly missing: number
    readonly server: string
  }[]
  /** Any moment between two such times can be restored. */
  readonly times: readonly {
    readonly server: string
    readonly from: number
    readonly to: number
    readonly bytes: number
  }[]
  readonly faults: readonly string[]
}

/** Reports of all processes that serve together, one of each. */
export interface Reports {
  /** The number of processes that the settings ask for. */
  readonly processes: number
  metrics(): Promise<readonly MetricsJson[]>
  readiness(): Promise<readonly Health[]>
}
