/** Moves, splits, merges, closes and opens a table's regions through the store's catalog and upkeep. */

import { ClusterCatalog } from '../../adapters/hbase/admin/cluster-catalog.ts'
import { Master } from '../../adapters/hbase/admin/master.ts'
import { Cluster } from '../../adapters/hbase/cluster/cluster.ts'
import type { LocatedRegion } from '../../adapters/hbase/cluster/meta-row.ts'
import { DEFAULT_HBASE_OPTIONS } from '../../adapters/hbase/config/hbase-options.ts'
import { clusterUpkeep } from '../../adapters/hbase/maintain/cluster-upkeep.ts'
import { NODE_TIME } from '../../adapters/hbase/retry/time.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { isHBaseError } from '../../src/model/errors.ts'
import type { ServerName } from '../../src/model/server-name.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Catalog } from '../../src/store/catalog.ts'
import { AdminService } from '../../src/wire/rpc/gen/admin_pb.ts'
import { rpcMethod } from '../../src/wire/rpc/rpc-method.ts'
import { Family, REGIONS, ROWS, rowName, TABLE } from './settings.ts'
import { randomBelow, randomOf, type StopSignal } from './stop-signal.ts'

const STOP_SERVER = rpcMethod(AdminService.method.stopServer)

const TABLE_NAME = parseTableName(TABLE)
const DEADLINE_MS = 60_000
const PAUSE_MS = 250
const REGIONS_MAX = 30
const REGIONS_MIN = 12
/** How long a region stays closed. */
const CLOSED_MS_MAX = 1_500
/** The next round finds a region closed that is still closing in this one. */
const SETTLE_ROUNDS = 3

export class Regions {
  readonly #cluster: Cluster
  readonly #catalog: Catalog
  readonly #upkeep: ReturnType<typeof clusterUpkeep>
  /** Closed, and to be opened again. */
  readonly #closed: Buffer[] = []
  readonly #counts = new Map<string, number>()
  readonly #reasons = new Set<string>()

  constructor(zookeeperPort: number) {
    this.#cluster = new Cluster({
      cluster: {
        registry: 'zookeeper',
        servers: [{ host: '127.0.0.1', port: zookeeperPort }],
        znodeParent: '/hbase',
      },
      options: DEFAULT_HBASE_OPTIONS,
      user: 'chaos',
      time: NODE_TIME,
      random: Math.random,
    })
    const master = new Master(this.#cluster, Math.random)
    this.#catalog = new ClusterCatalog(this.#cluster, master)
    this.#upkeep = clusterUpkeep(this.#cluster, master, this.#catalog)
  }

  async createTable(): Promise<void> {
    const keys = Array.from({ length: REGIONS - 1 }, (_, i) =>
      rowName(Math.floor(((i + 1) * ROWS) / REGIONS)),
    )
    const families = Object.values(Family).map((name) => familyDescriptor(Buffer.from(name)))
    await this.#catalog.createTable(
      tableDescriptor(TABLE_NAME, families),
      keys.map((key) => Buffer.from(key)),
      OWN_CALL,
    )
  }

  /** Two loops at a time: one of them mostly waits for the master. */
  async disturb(stop: StopSignal): Promise<void> {
    await Promise.all([this.#disturb(stop), this.#disturb(stop)])
  }

  async #disturb(stop: StopSignal): Promise<void> {
    while (!stop.stopped) {
      await this.#counted(randomOf(['move', 'move', 'split', 'merge', 'close']), stop)
      await stop.sleep(randomBelow(2 * PAUSE_MS))
    }
  }

  /** Stops one of the servers; the other takes its regions. */
  async stopServer(): Promise<void> {
    const server = randomOf(await this.#servers())
    const deadline = NODE_TIME.now() + DEADLINE_MS
    const connection = await this.#cluster.connections.get(server, 'AdminService', deadline, OWN_CALL)
    await connection.call(STOP_SERVER, { reason: 'chaos' })
    this.#count('server stopped')
  }

  /** Opens all closed and closing regions at the end of the run. Resolves to the number of regions. */
  async settle(): Promise<number> {
    for (let round = 0; round < SETTLE_ROUNDS; round++) {
      for (const { name } of await this.#regions()) await this.#opened(name)
      await new Promise((resolve) => setTimeout(resolve, 4 * PAUSE_MS))
    }
    return (await this.#regions()).length
  }

  async #opened(region: Buffer): Promise<void> {
    try {
      await this.#upkeep.regions.assignRegion(region, OWN_CALL)
      this.#count('opened at the end')
    } catch (error) {
      // Most likely the region is open.
      if (!isHBaseError(error) || error.code !== 'DO_NOT_RETRY') this.#refused('open', error)
    }
  }

  close(): Promise<void> {
    return this.#cluster.close()
  }

  print(): void {
    const counts = [...this.#counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([what, count]) => `${what} ${count}`)
    process.stdout.write(`regions: ${counts.join(', ')}\n`)
    for (const reason of this.#reasons) process.stdout.write(`    ${reason}\n`)
  }

  async #counted(what: 'move' | 'split' | 'merge' | 'close', stop: StopSignal): Promise<void> {
    try {
      if (this.#closed.length > 0)
        await this.#reopen().catch((error: unknown) => this.#refused('open', error))
      const regions = await this.#regions()
      let isDone = true
      if (what === 'move') await this.#move(randomOf(regions))
      else if (what === 'split') isDone = await this.#split(regions)
      else if (what === 'merge') isDone = await this.#merge(regions)
      else await this.#closeAndOpen(randomOf(regions), stop)
      if (isDone) this.#count(what)
    } catch (error) {
      // The master refuses while a region is in transition, and is away itself for a time.
      this.#refused(what, error)
    }
  }

  #refused(what: string, error: unknown): void {
    this.#count(`${what} refused`)
    const text = String(error).replaceAll(/[\da-f]{5,}|\d+/g, '#')
    this.#reasons.add(`${what}: ${text.slice(0, 200)}`)
  }

  #count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1)
  }

  #regions(): Promise<LocatedRegion[]> {
    return this.#cluster.regions(TABLE_NAME, OWN_CALL)
  }

  async #move(region: LocatedRegion): Promise<void> {
    const others = (await this.#servers()).filter(({ port }) => port !== region.server.port)
    const target = others.length === 0 ? undefined : randomOf(others)
    await this.#upkeep.regions.moveRegion(region.name, target, OWN_CALL)
  }

  async #split(regions: readonly LocatedRegion[]): Promise<boolean> {
    if (regions.length >= REGIONS_MAX) return false
    const region = randomOf(regions)
    const low = rowIndex(region.startKey, 0)
    const high = rowIndex(region.endKey, ROWS)
    if (high - low < 2) return false
    const splitRow = Buffer.from(rowName(low + 1 + randomBelow(high - low - 1)))
    await this.#upkeep.regions.splitRegion(region.name, splitRow, OWN_CALL)
    return true
  }

  async #merge(regions: readonly LocatedRegion[]): Promise<boolean> {
    if (regions.length <= REGIONS_MIN) return false
    const at = randomBelow(regions.length - 1)
    const names = regions.slice(at, at + 2).map(({ name }) => name)
    await this.#upkeep.regions.mergeRegions(names, false, OWN_CALL)
    return true
  }

  async #closeAndOpen(region: LocatedRegion, stop: StopSignal): Promise<void> {
    try {
      await this.#upkeep.regions.unassignRegion(region.name, OWN_CALL)
    } finally {
      // The region may be closed even where the call failed or its answer was lost.
      this.#closed.push(region.name)
    }
    await stop.sleep(randomBelow(CLOSED_MS_MAX))
    await this.#reopen()
  }

  async #reopen(): Promise<void> {
    const region = this.#closed.shift()
    // The other loop may have opened it.
    if (region === undefined) return
    try {
      await this.#upkeep.regions.assignRegion(region, OWN_CALL)
    } catch (error) {
      // The region may have been split or merged, or be open.
      if (!isHBaseError(error) || error.code !== 'DO_NOT_RETRY') this.#closed.push(region)
      throw error
    }
  }

  async #servers(): Promise<ServerName[]> {
    return (await this.#upkeep.cluster.status(OWN_CALL)).liveServers.map(({ server }) => server)
  }
}

function rowIndex(key: Buffer, otherwise: number): number {
  return key.length === 0 ? otherwise : Number(key.toString().slice('row-'.length))
}
