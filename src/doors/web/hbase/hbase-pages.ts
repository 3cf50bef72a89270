/** Pages at the paths of HBase's web pages, for bookmarks and scripts. They work without JavaScript; the console shows more. */

import { html, raw } from 'hono/html'
import { toStringBinary } from '../../../model/bytes.ts'
import { HBASE_VERSION } from '../../../model/hbase-version.ts'
import { parseTableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import type { Store } from '../../../store/store.ts'
import { escapedText } from '../../../wire/text/escaped-text.ts'
import { loadsByTable, regionsOf, visibleLoads } from '../status/region-loads.ts'
import type { ServerFacts } from '../status/server-facts.ts'

type Html = ReturnType<typeof html>

export interface PageParts {
  readonly store: Store
  readonly call: Call
  readonly facts: ServerFacts
}

/** The most regions that a page lists. */
const REGIONS_MAX = 1000

export async function masterStatus({ store, call, facts }: PageParts): Promise<Html> {
  const loads = await loadsByTable(store, call)
  const tables = [...(await store.catalog.listTables(call)), ...(await store.catalog.listSystemTables(call))]
  const rows = tables.map(
    ({ name, families }) =>
      html`<tr><td><a href="table.jsp?name=${encodeURIComponent(name)}">${name}</a></td>
<td>${families.length}</td><td>${regionsOf(name, loads.get(name)) || ''}</td></tr>
`,
  )
  return page(
    `Master: Tidegate ${facts.version}`,
    html`<p>HBase ${HBASE_VERSION}, on the store ${store.kind}. Cluster ${await store.clusterId()}.</p>
<h2>Tables</h2>
<table><tr><th>Table</th><th>Families</th><th>Regions</th></tr>
${rows}</table>
<p><a href="rs-status">Region server</a> <a href="jmx">Metrics dump</a> <a href="metrics">Metrics</a></p>`,
  )
}

export async function regionServerStatus({ store, call, facts }: PageParts): Promise<Html> {
  const loads = [...(await visibleLoads(store, call, facts)).values()].flat()
  const rows = loads.slice(0, REGIONS_MAX).map(
    (load) =>
      html`<tr><td>${toStringBinary(load.name)}</td><td>${load.readRequests}</td><td>${load.writeRequests}</td>
<td>${load.storeFiles}</td><td>${load.storeFileSizeMB} MB</td><td>${load.memStoreSizeMB} MB</td></tr>
`,
  )
  return page(
    `RegionServer: Tidegate ${facts.version}`,
    html`<p>${loads.length} regions${loads.length > REGIONS_MAX ? `, of which the first ${REGIONS_MAX}` : ''}</p>
<table><tr><th>Region</th><th>Reads</th><th>Writes</th><th>Store files</th><th>Size</th><th>Memstore</th></tr>
${rows}</table>
<p><a href="master-status">Master</a> <a href="jmx">Metrics dump</a></p>`,
  )
}

/** Throws TABLE_NOT_FOUND, ILLEGAL_ARGUMENT. */
export async function tablePage({ store, call }: PageParts, name: string): Promise<Html> {
  const table = await store.catalog.table(parseTableName(name), call)
  const state = await store.catalog.tableState(table.name, call)
  const regions = await store.catalog.regions(table.name, call)
  const families = table.families.map(
    (family) =>
      html`<tr><td>${escapedText(family.name)}</td>
<td>${[...family.attributes].map(([key, value]) => `${key} => ${value}`).join(', ')}</td></tr>
`,
  )
  const rows = regions.slice(0, REGIONS_MAX).map(
    ({ name: region, startKey, endKey, server }) =>
      html`<tr><td>${toStringBinary(region)}</td><td>${server === undefined ? '' : `${server.host}:${server.port}`}</td>
<td>${toStringBinary(startKey)}</td><td>${toStringBinary(endKey)}</td></tr>
`,
  )
  return page(
    `Table ${table.name}`,
    html`<p>${state}, ${regions.length} regions${regions.length > REGIONS_MAX ? `, of which the first ${REGIONS_MAX}` : ''}.
<a href="console/#/tables/${encodeURIComponent(table.name)}">In the console</a></p>
<h2>Families</h2>
<table><tr><th>Family</th><th>Attributes</th></tr>
${families}</table>
<h2>Regions</h2>
<table><tr><th>Region</th><th>Server</th><th>Start key</th><th>End key</th></tr>
${rows}</table>
<p><a href="master-status">Master</a></p>`,
  )
}

async function page(title: string, body: Html): Promise<Awaited<Html>> {
  return html`${raw('<!doctype html>')}
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<h1>${title}</h1>
<p><a href="console/">Console</a></p>
${await body}
</html>
`
}
