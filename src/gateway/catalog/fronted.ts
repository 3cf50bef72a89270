/**
 * A cluster as clients of native RPC see it: all its regions seem to lie on this gateway, which sends requests on. Such clients connect to
 * the server that hbase:meta names for a region, and may not be able to reach the cluster's own servers.
 */

import { CellBlockBuilder, cellsOf } from '../../model/cell-block.ts'
import { META_TABLE } from '../../model/meta-table.ts'
import { gathered, type Results, type ScannedResults } from '../../model/results.ts'
import type { ServerName } from '../../model/server-name.ts'
import { withFacets, withMethods } from '../../store/decorate.ts'
import type { HandoutId, Handouts, OpenScanner } from '../../store/handouts.ts'
import type { Rows } from '../../store/rows.ts'
import { targetTable } from '../../store/target.ts'
import type { ClusterInfo, ClusterStatus, RegionUpkeep, ServerLoad } from '../../store/upkeep.ts'
import type { AdvertisedCatalog, AdvertisedRegion, AdvertisedStore } from './advertised.ts'
import { replicationOfAll } from './replication-of-all.ts'

/** Returns the store itself where it is no cluster. `server`: the address of the gateway that clients get. */
export function fronted(store: AdvertisedStore, server: ServerName): AdvertisedStore {
  if (!store.catalog.hasSystemTables) return store
  const { catalog, upkeep } = store
  const meta = new MetaReads(store, server)
  const regions: AdvertisedCatalog['regions'] = async (name, call) =>
    (await catalog.regions(name, call)).map((region) => at(server, region))
  const cluster = upkeep.cluster && withStatus(upkeep.cluster, server)
  const moving = upkeep.regions && movingOn(upkeep.regions, server)
  return withFacets(store, {
    catalog: withMethods(catalog, { regions }),
    upkeep: { ...upkeep, ...(cluster && { cluster }), ...(moving && { regions: moving }) },
    rows: meta.rows,
    handouts: meta.handouts,
  })
}

function at(server: ServerName, region: AdvertisedRegion): AdvertisedRegion {
  const { copies } = region
  return { ...region, server, ...(copies && { copies: copies.map((copy) => ({ ...copy, server })) }) }
}

/** Columns of the family `info` with a server; those of replicas end with the number of the replica. HBase: CatalogFamilyFormat. */
const SERVER_COLUMN = /^(server|serverstartcode|sn)(?:_[0-9A-F]{4})?$/

/** Reads of hbase:meta, with the gateway in place of the servers. */
class MetaReads {
  readonly rows: Rows
  readonly handouts: Handouts
  readonly #server: ServerName
  /** Open scanners of hbase:meta. */
  readonly #scanners = new Set<HandoutId>()

  constructor({ rows, handouts }: AdvertisedStore, server: ServerName) {
    this.#server = server
    const withGateway = (results: ScannedResults): Results => {
      const rewritten = this.#rewritten(results)
      if (results.loan !== undefined) handouts.release(results.loan)
      return rewritten
    }
    // Reads of other tables, nearly all, cost one comparison of a name more, or one lookup of an id.
    this.rows = withMethods(rows, {
      get: (target, ...asked) => {
        const found = rows.get(target, ...asked)
        return targetTable(target) === META_TABLE ? found.then(withGateway) : found
      },
      openScanner: (target, ...asked) => {
        const opened = rows.openScanner(target, ...asked)
        return targetTable(target) === META_TABLE ? opened.then((scanner) => this.#noted(scanner)) : opened
      },
    })
    this.handouts = withMethods(handouts, {
      next: (id, ...asked) => {
        const batch = handouts.next(id, ...asked)
        if (!this.#scanners.has(id)) return batch
        return batch.then((read) => {
          if (read.ended === 'scan') this.#scanners.delete(id)
          return { ...read, results: withGateway(read.results) }
        })
      },
      closeScanner: (id) => {
        this.#scanners.delete(id)
        return handouts.closeScanner(id)
      },
    })
  }

  #noted(scanner: OpenScanner): OpenScanner {
    this.#scanners.add(scanner.id)
    return scanner
  }

  #rewritten(results: ScannedResults): Results {
    const { cells, counts } = gathered(results)
    const builder = new CellBlockBuilder(cells.byteLength)
    const values = serverValues(this.#server)
    for (const cell of cellsOf(cells)) {
      const [, name] = SERVER_COLUMN.exec(cell.qualifier.toString('latin1')) ?? []
      const value = name === undefined || cell.value.length === 0 ? undefined : values.get(name)
      builder.appendParts(value === undefined ? cell : { ...cell, value })
    }
    return { cells: builder.block(), counts }
  }
}

/** Values by column. Not made earlier: the port is known only once the door listens. */
function serverValues({ host, port, startCode }: ServerName): ReadonlyMap<string, Buffer> {
  return new Map([
    ['server', Buffer.from(`${host}:${port}`)],
    ['serverstartcode', startCodeBytes(startCode)],
    ['sn', Buffer.from(`${host},${port},${startCode}`)],
  ])
}

function startCodeBytes(startCode: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt(startCode))
  return bytes
}

/** The status with one live server, which has the loads of all the cluster's servers. */
function withStatus(cluster: ClusterInfo, server: ServerName): ClusterInfo {
  return withMethods(cluster, {
    status: async (call) => {
      const status = await cluster.status(call)
      return {
        ...status,
        master: status.master && server,
        backupMasters: [],
        deadServers: [],
        liveServers: status.liveServers.length === 0 ? [] : [together(status, server)],
      }
    },
  })
}

function together({ liveServers }: ClusterStatus, server: ServerName): ServerLoad {
  const sum = (of: (load: ServerLoad) => number): number =>
    liveServers.reduce((total, load) => total + of(load), 0)
  const replication = replicationOfAll(liveServers)
  return {
    server,
    requests: sum(({ requests }) => requests),
    requestsPerSecond: sum(({ requestsPerSecond }) => requestsPerSecond),
    heapUsedMB: sum(({ heapUsedMB }) => heapUsedMB),
    heapMaxMB: sum(({ heapMaxMB }) => heapMaxMB),
    regions: liveServers.flatMap(({ regions }) => regions),
    coprocessors: [...new Set(liveServers.flatMap(({ coprocessors }) => coprocessors))].sort(),
    ...(replication && { replication }),
  }
}

/** A client that moves a region to the gateway leaves the choice of the server to the master. */
function movingOn(regions: RegionUpkeep, server: ServerName): RegionUpkeep {
  return withMethods(regions, {
    moveRegion: (region, target, call) => {
      const isHere = target?.host === server.host && target.port === server.port
      return regions.moveRegion(region, isHere ? undefined : target, call)
    },
  })
}
