/** All figures of a server's report, by field: of the cluster, its server, two regions and a table, and of REST's status. */

import { type DescMessage, type MessageShape } from '@bufbuild/protobuf'
import { reflect } from '@bufbuild/protobuf/reflect'
import { parseRegionName } from '../../../src/model/region-name.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import {
  ClusterStatusSchema,
  type RegionLoad,
  RegionLoadSchema,
  RegionStatesCountSchema,
  ServerLoadSchema,
} from '../../../src/wire/rpc/gen/cluster-status_pb.ts'
import { addBeans } from './bean-figures.ts'
import { clusterStatus } from './cluster-status.ts'
import { COMPACTED, WRITTEN } from './shared-work.ts'

/** Text of each figure, by `Message.field`. */
export type Figures = ReadonlyMap<string, string>

export const COMPARED: readonly (readonly [title: string, schema: DescMessage])[] = [
  ['ClusterStatus', ClusterStatusSchema],
  ['ServerLoad', ServerLoadSchema],
  ['RegionLoad of the compacted table', RegionLoadSchema],
  ['RegionLoad of the written table', RegionLoadSchema],
  ['RegionStatesCount of the compacted table', RegionStatesCountSchema],
]

/** The names of all figures that are compared. */
export function comparedFigures(): string[] {
  return COMPARED.flatMap(([title, schema]) => schema.fields.map(({ localName }) => `${title}: ${localName}`))
}

/** Ports of one server: native RPC as its master answers it, REST, and those with /jmx. */
export interface ServerPorts {
  readonly master: number
  readonly rest: number
  readonly webs: readonly number[]
}

export async function reportedFigures({ master, rest, webs }: ServerPorts): Promise<Figures> {
  const status = await clusterStatus(master)
  const load = status.liveServers[0]!.serverLoad!
  const count = status.tableRegionStatesCount.find(
    ({ tableName }) => Buffer.from(tableName!.qualifier).toString() === COMPACTED,
  )
  const messages = [
    status,
    load,
    loadOf(load.regionLoads, COMPACTED),
    loadOf(load.regionLoads, WRITTEN),
    count!.regionStatesCount!,
  ]
  const figures = new Map<string, string>()
  for (const [index, [title, schema]] of COMPARED.entries()) add(figures, title, schema, messages[index]!)
  await addRest(figures, rest)
  await addBeans(figures, webs)
  return figures
}

/** The region of the compacted table, and the server's and the cluster's own figures. */
async function addRest(figures: Map<string, string>, port: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/status/cluster`, {
    headers: { accept: 'application/json' },
  })
  const { LiveNodes, DeadNodes, ...own } = (await answer.json()) as RestStatus
  const { Region, ...node } = LiveNodes[0]!
  const region = Region.find(({ name }) => parseRegionName(Buffer.from(name, 'base64'))?.table === COMPACTED)!
  for (const [title, each] of Object.entries({
    'REST cluster': own,
    'REST node': node,
    'REST region': region,
  }))
    for (const [name, value] of Object.entries(each)) figures.set(`${title}: ${name}`, String(value))
  figures.set('REST cluster: LiveNodes', `${LiveNodes.length} listed`)
  figures.set('REST cluster: DeadNodes', `${DeadNodes.length} listed`)
}

interface RestStatus extends Readonly<Record<string, unknown>> {
  readonly LiveNodes: readonly (Readonly<Record<string, unknown>> & {
    readonly Region: readonly (Readonly<Record<string, unknown>> & { readonly name: string })[]
  })[]
  readonly DeadNodes: readonly string[]
}

function loadOf(loads: readonly RegionLoad[], table: TableName): RegionLoad {
  return loads.find(
    ({ regionSpecifier }) => parseRegionName(Buffer.from(regionSpecifier!.value))?.table === table,
  )!
}

function add<Desc extends DescMessage>(
  figures: Map<string, string>,
  title: string,
  schema: Desc,
  message: MessageShape<Desc>,
): void {
  const reflected = reflect(schema, message)
  for (const field of schema.fields) {
    const value: unknown =
      field.fieldKind === 'message' ? (reflected.isSet(field) ? 'set' : 'absent') : undefined
    const own = (message as unknown as Record<string, unknown>)[field.localName]
    figures.set(`${title}: ${field.localName}`, typeof value === 'string' ? value : textOf(own))
  }
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return `${value.length} listed`
  if (value instanceof Uint8Array) return Buffer.from(value).toString()
  if (typeof value === 'object' && value !== null) return `${Object.keys(value).length} named`
  return String(value)
}
