import { toStringBinary } from '../../model/bytes.ts'
import type { RegionLocation } from '../../store/catalog.ts'
import { Option, type RegionLoad } from '../../wire/rpc/gen/cluster-status_pb.ts'
import { tableOf } from '../arguments/argument-values.ts'
import { clusterStatus, serverText } from '../context/cluster-report.ts'
import type { CommandContext, ShellCommand } from '../context/command.ts'
import { isEnabled } from '../context/tables-known.ts'
import { floatText } from '../output/java-numbers.ts'
import { refuse } from '../output/shell-error.ts'
import { RubyHash, textOf, type Value } from '../ruby/values.ts'

export const LIST_REGIONS: ShellCommand = { name: 'list_regions', min: 1, max: 3, run: listRegions }

/** The columns and their least widths. */
const WIDTHS: Readonly<Record<string, number>> = {
  SERVER_NAME: 12,
  REGION_NAME: 12,
  START_KEY: 10,
  END_KEY: 10,
  SIZE: 5,
  REQ: 5,
  LOCALITY: 10,
}
const POSSIBLE = `Possible values are ${Object.keys(WIDTHS).join(', ')}.`

async function listRegions(context: CommandContext, args: readonly Value[]): Promise<void> {
  const { store, out, call } = context
  const [named, given = null, wanted = null] = args
  const table = tableOf(named)
  const { server, locality } = statedLimits(given)
  if (!(await isEnabled(context, table))) refuse(`Table ${table} must be enabled.`)
  const columns = wantedColumns(wanted)
  const loads = await loadsOfRegions(context)
  const rows: string[][] = []
  for (const region of await store.catalog.regions(table, call)) {
    if (!serverNameOf(region).startsWith(server)) continue
    const load = loads.get(region.name.toString('latin1'))
    const name = toStringBinary(region.name)
    if (load === undefined)
      out.line(`Can not find all details for region: ${name} , it may be disabled or in transition`)
    else if (load.dataLocality > locality) continue
    rows.push(columns.map((column) => cellOf(column, region, load)))
  }
  print(context, columns, rows)
}

function statedLimits(given: Value): { readonly server: string; readonly locality: number } {
  if (!(given instanceof RubyHash)) return { server: textOf(given), locality: 1 }
  const threshold = given.get('LOCALITY_THRESHOLD')
  if (threshold !== undefined && typeof threshold !== 'number')
    refuse('LOCALITY_THRESHOLD must be a float value')
  if (threshold !== undefined && !(threshold >= 0 && threshold <= 1))
    refuse('LOCALITY_THRESHOLD must be between 0 and 1.0, inclusive')
  return { server: textOf(given.get('SERVER_NAME') ?? null), locality: threshold ?? 1 }
}

function wantedColumns(wanted: Value): string[] {
  if (wanted === null) return Object.keys(WIDTHS)
  if (!Array.isArray(wanted)) refuse(`${textOf(wanted)} must be an array of strings. ${POSSIBLE}`)
  const names = wanted.map((each) => {
    const name = textOf(each).toUpperCase()
    return Object.hasOwn(WIDTHS, name) ? name : refuse(`${textOf(each)} is not a valid column. ${POSSIBLE}`)
  })
  return [...new Set(names)]
}

/** The loads by the regions' names, as latin1. */
async function loadsOfRegions(context: CommandContext): Promise<Map<string, RegionLoad>> {
  const { liveServers } = await clusterStatus(context, [Option.LIVE_SERVERS])
  const loads = liveServers.flatMap(({ serverLoad }) => serverLoad?.regionLoads ?? [])
  return new Map(loads.map((load) => [Buffer.from(load.regionSpecifier!.value).toString('latin1'), load]))
}

function serverNameOf({ server }: RegionLocation): string {
  return server === undefined ? '' : serverText(server)
}

function cellOf(column: string, region: RegionLocation, load: RegionLoad | undefined): string {
  switch (column) {
    case 'SERVER_NAME':
      return serverNameOf(region)
    case 'REGION_NAME':
      return toStringBinary(region.name)
    case 'START_KEY':
      return toStringBinary(region.startKey)
    case 'END_KEY':
      return toStringBinary(region.endKey)
    case 'SIZE':
      return load === undefined ? '' : String(load.storefileSizeMB)
    case 'REQ':
      return load === undefined ? '' : String(load.readRequestsCount + load.writeRequestsCount)
    default:
      return load === undefined ? '' : floatText(load.dataLocality)
  }
}

function print({ out }: CommandContext, columns: readonly string[], rows: readonly string[][]): void {
  const widths = columns.map((column, i) => Math.max(WIDTHS[column]!, ...rows.map((row) => row[i]!.length)))
  const line = (cells: readonly string[]): void =>
    out.line(cells.map((cell, i) => ` ${cell.padStart(widths[i]!)} |`).join(''))
  line(columns)
  line(widths.map((width) => '-'.repeat(width)))
  for (const row of rows) line(row)
  out.line(` ${rows.length} rows`)
}
