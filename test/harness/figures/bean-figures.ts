/** Figures of the beans of /jmx, and of /metrics where a bean of HBase has the same. */

import { COMPACTED, WRITTEN } from './shared-work.ts'

/** The beans of /jmx, of which Tidegate has a part. */
const BEANS = ['RegionServer,sub=Server', 'Master,sub=Server', 'REST'] as const
const TABLES = { compacted: COMPACTED, written: WRITTEN }
/** Sizes of a table: the attribute of HBase's bean of tables, and the metric of the embedded engine. */
const TABLE_SIZES = {
  storeFileSize: 'tidegate_native_table_store_file_bytes',
  memStoreSize: 'tidegate_native_table_memstore_bytes',
}

type Bean = Readonly<Record<string, string | number | boolean>>

/** Adds the beans of the servers whose /jmx is on these ports. */
export async function addBeans(figures: Map<string, string>, webs: readonly number[]): Promise<void> {
  const all: Bean[] = []
  for (const port of webs) {
    const answer = await fetch(`http://127.0.0.1:${port}/jmx`)
    const { beans } = (await answer.json()) as { readonly beans: readonly Bean[] }
    all.push(...beans)
  }
  const named = (title: string): Bean =>
    all.find(({ name }) => name === `Hadoop:service=HBase,name=${title}`) ?? {}
  for (const title of BEANS) {
    for (const [name, value] of Object.entries(named(title))) figures.set(`${title}: ${name}`, String(value))
  }
  const ofTables = named('RegionServer,sub=Tables')
  const metrics = await (await fetch(`http://127.0.0.1:${webs[0]}/metrics`)).text()
  for (const [title, table] of Object.entries(TABLES)) {
    for (const [attribute, metric] of Object.entries(TABLE_SIZES)) {
      const own = metrics.match(new RegExp(`^${metric}\\{table="${table}"\\} (\\d+)$`, 'm'))?.[1]
      const value = ofTables[`Namespace_default_table_${table}_metric_${attribute}`] ?? own
      if (value !== undefined) figures.set(`Metrics of the ${title} table: ${attribute}`, String(value))
    }
  }
}
