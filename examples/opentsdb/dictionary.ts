/** All names with their UIDs: what writers and readers of rows need. */

import { decodeRowKey, encodeRowKey } from './row-format.ts'
import { inverted, type TsdbTables } from './tsdb-tables.ts'

export interface NamedRow {
  readonly metric: string
  readonly hour: number
  readonly tags: Readonly<Record<string, string>>
}

export class Dictionary {
  readonly metrics: ReadonlyMap<string, string>
  readonly tagNames: ReadonlyMap<string, string>
  readonly tagValues: ReadonlyMap<string, string>

  private constructor(
    metrics: ReadonlyMap<string, string>,
    tagNames: ReadonlyMap<string, string>,
    tagValues: ReadonlyMap<string, string>,
  ) {
    this.metrics = metrics
    this.tagNames = tagNames
    this.tagValues = tagValues
  }

  static async read(tables: TsdbTables): Promise<Dictionary> {
    return new Dictionary(await tables.uids('metrics'), await tables.uids('tagk'), await tables.uids('tagv'))
  }

  rowKey({ metric, hour, tags }: NamedRow): string {
    const pairs = Object.entries(tags).map(
      ([name, value]) => [this.tagNames.get(name)!, this.tagValues.get(value)!] as const,
    )
    return encodeRowKey({ metric: this.metrics.get(metric)!, hour, tags: pairs })
  }

  namesOf(key: string): NamedRow {
    const { metric, hour, tags } = decodeRowKey(key)
    const [names, values] = [inverted(this.tagNames), inverted(this.tagValues)]
    return {
      metric: inverted(this.metrics).get(metric)!,
      hour,
      tags: Object.fromEntries(tags.map(([name, value]) => [names.get(name)!, values.get(value)!])),
    }
  }
}
